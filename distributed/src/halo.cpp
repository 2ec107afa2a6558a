#include <rondo/distributed/halo.hpp>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/row_halo.hpp>
#include <rondo/distributed/value_halo.hpp>

namespace rondo::detail::inline distributed {

std::unique_ptr<halo> make_halo(field_state& f) {
  if(f.has_rows())
    return std::make_unique<row_halo>(f, f.elements().plan, nullptr);
  return std::make_unique<value_halo>(f);
}

std::unique_ptr<halo> make_halo(field_state& f, short depth) {
  if(f.has_rows())
    return std::make_unique<row_halo>(f, f.of().elements_with_halo(depth).plan,
      std::make_unique<growing_channel_numbers>(f.of().home()));
  return std::make_unique<value_halo>(f, depth);
}

} // namespace rondo::detail::inline distributed
