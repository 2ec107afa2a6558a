#include "agree.hpp"

#include <algorithm>
#include <atomic>
#include <span>

#include <rondo/distributed/reduction_steps.hpp>

#include "direct.hpp"

namespace rondo::detail::inline distributed {

std::uint64_t agree_on_least(transport& t, std::uint64_t own) {
  for(const reduction_step& s : reduction_steps(t.rank(), t.ranks())) {
    const std::uint64_t mine = own;
    std::uint64_t other = own;
    std::atomic<bool> is_sent{!s.send};
    std::atomic<bool> has_come{!s.receive};
    std::unique_ptr<transport::message> out;
    std::unique_ptr<transport::message> in;
    if(s.send) {
      out = t.make_sender(
        s.peer, direct_channel, std::as_bytes(std::span(&mine, 1)), {&set_flag, &is_sent});
      if(out->start())
        is_sent = true;
    }
    if(s.receive) {
      in = t.make_receiver(s.peer, direct_channel, std::as_writable_bytes(std::span(&other, 1)),
        {&set_flag, &has_come});
      if(!in->start())
        wait_for(t, has_come);
    }
    wait_for(t, is_sent);
    own = std::min(own, other);
  }
  return own;
}

} // namespace rondo::detail::inline distributed
