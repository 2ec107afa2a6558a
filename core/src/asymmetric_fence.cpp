#include <rondo/core/asymmetric_fence.hpp>

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace rondo::detail::inline core {

#if defined(__linux__) && __has_include(<linux/membarrier.h>)

namespace {
long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }
} // namespace

// Before it is set, and in programs that begin threads before that, both fences are full ones: the
// light side must never rely on a heavy one that isn't there.
const bool has_heavy_fence = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;

void heavy_fence() {
  full_fence();
  if(has_heavy_fence)
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

#else

const bool has_heavy_fence = false;
void heavy_fence() { full_fence(); }

#endif

} // namespace rondo::detail::inline core
