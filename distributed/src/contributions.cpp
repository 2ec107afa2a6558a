#include <rondo/distributed/contributions.hpp>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/row_contributions.hpp>
#include <rondo/distributed/value_contributions.hpp>

namespace rondo::detail::inline distributed {

std::unique_ptr<contributions> make_contributions(field_state& f) {
  if(f.has_rows())
    return std::make_unique<row_contributions>(f);
  return std::make_unique<value_contributions>(f);
}

} // namespace rondo::detail::inline distributed
