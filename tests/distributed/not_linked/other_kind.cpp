// Says that it is checked if the library is not, and the other way round: it must not be linked.

#ifdef RONDO_CHECKS
#undef RONDO_CHECKS
#else
#define RONDO_CHECKS
#endif

#include <rondo/core/checks.hpp>

int main() { return rondo::detail::is_checked ? 0 : 1; }
