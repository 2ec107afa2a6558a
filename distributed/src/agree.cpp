#include "agree.hpp"

#include <algorithm>
#include <span>

#include <rondo/distributed/reduction_steps.hpp>

#include "direct.hpp"

namespace rondo::detail::inline distributed {

std::uint64_t agree_on_least(transport& t, std::uint64_t own) {
  for(const reduction_step& s : reduction_steps(t.rank(), t.ranks())) {
    std::uint64_t other = own;
    direct_messages step(t);
    if(s.send)
      step.send(s.peer, std::as_bytes(std::span(&own, 1)));
    if(s.receive)
      step.receive(s.peer, std::as_writable_bytes(std::span(&other, 1)));
    step.wait();
    own = std::min(own, other);
  }
  return own;
}

} // namespace rondo::detail::inline distributed
