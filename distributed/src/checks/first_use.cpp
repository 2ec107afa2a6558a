#include "first_use.hpp"

#include <cstdio>

#include <rondo/core/mistakes.hpp>
#include <rondo/core/place.hpp>
#include <rondo/distributed/field.hpp>

namespace rondo::detail::inline distributed {

#ifdef RONDO_CHECKS

void note_first_uses(
  std::span<const launch_argument> uses, const launched_task& by, unsigned rank) {
  for(const launch_argument& u : uses) {
    if(u.field == nullptr || u.field->was_used)
      continue;
    if(!u.is_written() && by.name == nullptr)
      continue;
    u.field->was_used = true;
    if(!u.is_written() && rank == 0 && !is_overlooked(checked_mistake::unwritten_field))
      std::fprintf(stderr,
        "rondo: %s is read by '%s', launched at %s, and nothing was written to it: %s "
        "(docs/mistakes.md)\n",
        quoted("field", u.field->name()).c_str(), by.name, place(by.where).c_str(),
        u.field->has_rows() ? "it has no values" : "all its values are 0");
  }
}

#else

void note_first_uses(
  std::span<const launch_argument> /*uses*/, const launched_task& /*by*/, unsigned /*rank*/) {}

#endif

} // namespace rondo::detail::inline distributed
