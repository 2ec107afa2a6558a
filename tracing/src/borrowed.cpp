#ifdef RONDO_CHECKS

#include <stdexcept>
#include <string>

#include <rondo/tracing/launch.hpp>

namespace rondo::detail::inline tracing {

void refuse_ended_variable(checked_mistake m, const char* what) {
  if(is_overlooked(m))
    return;
  throw std::logic_error(std::string(what) +
                         " points to a variable of a function that has returned since the launch, "
                         "and the task runs only now; hand over or capture the value itself, or "
                         "wait before that function returns (docs/mistakes.md)");
}

} // namespace rondo::detail::inline tracing

#endif
