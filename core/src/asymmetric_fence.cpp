#include <rondo/core/asymmetric_fence.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace rondo::detail::inline core {

#if defined(__linux__) && __has_include(<linux/membarrier.h>)

namespace {
long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

/// The light side relies on this fence, and has been for all of the program's life.
[[noreturn]] void end_without_fence() {
  std::fprintf(stderr,
    "rondo: the kernel refuses membarrier(), which it has granted at the start of this program: "
    "%s. A filter of system "
    "calls (seccomp) that is installed later has to let it pass, or be installed before the "
    "program starts\n",
    std::strerror(errno));
  std::abort();
}
} // namespace

// Before it is set, and in programs that begin threads before that, both fences are full ones: the
// light side must never rely on a heavy one that isn't there.
const bool has_heavy_fence = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;

void heavy_fence() {
  full_fence();
  if(!has_heavy_fence)
    return;
  while(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    if(errno != ENOMEM) // for a mask of processors; there may be memory again
      end_without_fence();
    std::this_thread::yield();
  }
}

#else

const bool has_heavy_fence = false;
void heavy_fence() { full_fence(); }

#endif

} // namespace rondo::detail::inline core
