#include "open_files.hpp"

#include <algorithm>
#include <array>

#include <poll.h>
#include <sys/resource.h>

namespace rondo::detail::inline distributed {

namespace {

/// How many the process may have open; all that matter here if there is no limit.
rlim_t limit() {
  constexpr rlim_t plenty = rlim_t{1} << 20U;
  rlimit files{};
  return getrlimit(RLIMIT_NOFILE, &files) == 0 ? std::min(files.rlim_cur, plenty) : plenty;
}

const char* const advice =
  "raise the limit where the program is started (ulimit -n 1024, say; for ranks on other nodes by "
  "the launcher or the batch system)";

} // namespace

unsigned files_left(unsigned enough) {
  // Asked for events of a descriptor that is none, the system says so, and does nothing else.
  constexpr rlim_t at_a_time = 64;
  const rlim_t end = limit();
  unsigned left = 0;
  for(rlim_t first = 0; first < end && left < enough; first += at_a_time) {
    std::array<pollfd, at_a_time> some{};
    const rlim_t n = std::min(at_a_time, end - first);
    for(rlim_t i = 0; i != n; ++i)
      some[i] = {static_cast<int>(first + i), 0, 0};
    if(poll(some.data(), n, 0) < 0)
      return enough; // nothing is known, so nothing is refused
    left += static_cast<unsigned>(std::count_if(
      some.begin(), some.begin() + n, [](const pollfd& p) { return (p.revents & POLLNVAL) != 0; }));
  }
  return std::min(left, enough);
}

std::string too_few_files(const std::string& what, unsigned needed) {
  return "rondo: " + what + " needs " + std::to_string(needed) +
         " open files and sockets, but this process may open only " +
         std::to_string(files_left(needed)) + " more (its limit is " + std::to_string(limit()) +
         "): " + advice;
}

std::string if_out_of_files() {
  constexpr unsigned few = 4;
  const unsigned left = files_left(few);
  if(left == few)
    return {};
  return "; this process may open only " + std::to_string(left) +
         " more files and sockets, which may be the reason: " + advice;
}

} // namespace rondo::detail::inline distributed
