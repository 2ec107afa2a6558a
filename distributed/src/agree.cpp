#include "agree.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>

#include <rondo/distributed/reduction_steps.hpp>

namespace rondo::detail::inline distributed {

namespace {

constexpr std::uint32_t channel = 0; // those of a scheduler begin with 1

void wait_for(transport& t, transport::message& m, const std::atomic<bool>& is_done) {
  if(m.start())
    return;
  while(!is_done.load(std::memory_order_acquire))
    if(!t.poll())
      std::this_thread::yield();
}

void set(void* flag) {
  static_cast<std::atomic<bool>*>(flag)->store(true, std::memory_order_release);
}

} // namespace

std::uint64_t agree_on_least(transport& t, std::uint64_t own) {
  for(const reduction_step& s : reduction_steps(t.rank(), t.ranks())) {
    const std::uint64_t mine = own;
    std::uint64_t other = own;
    std::atomic<bool> is_sent{!s.send};
    std::atomic<bool> has_come{!s.receive};
    std::unique_ptr<transport::message> out;
    std::unique_ptr<transport::message> in;
    if(s.send) {
      out = t.make_sender(s.peer, channel, std::as_bytes(std::span(&mine, 1)), {&set, &is_sent});
      if(out->start())
        is_sent = true;
    }
    if(s.receive) {
      in = t.make_receiver(
        s.peer, channel, std::as_writable_bytes(std::span(&other, 1)), {&set, &has_come});
      wait_for(t, *in, has_come);
    }
    while(!is_sent.load(std::memory_order_acquire))
      if(!t.poll())
        std::this_thread::yield();
    own = std::min(own, other);
  }
  return own;
}

} // namespace rondo::detail::inline distributed
