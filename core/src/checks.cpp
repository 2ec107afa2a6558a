#include <rondo/core/checks.hpp>

namespace rondo::detail::inline core {

#ifdef RONDO_CHECKS
const char the_library_was_built_with_RONDO_CHECKS = 1;
#else
const char the_library_was_built_without_RONDO_CHECKS = 1;
#endif

} // namespace rondo::detail::inline core
