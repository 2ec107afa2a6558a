#pragma once

/// \file
/// The wait for a message before a launch that takes long: docs/protocols/poller.md. For run_crew.hpp and beside_messages.cpp.

#include <cstdint>
#include <thread>

#include <rondo/core/executor.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/long_launches.hpp>

namespace rondo::detail::inline tracing {

/// The others begin their launches.
class wait_before_long {
public:
  wait_before_long(long_launches& known, worker& w) : known_(known), w_(w) {}

  /// For as long as it may. `look()` is true if something has come; the stock of the worker may have got something
  /// as well.
  template<class Look>
  bool until(Look&& look) {
    std::uint64_t most = known_.patience();
    if(most == 0 || !known_.begin_wait())
      return false;
    const bool had_task = w_.has_task();
    if(had_task)
      w_.show_stock(); // it may be long until that is looked at again
    const std::uint64_t began = ticks();
    std::uint64_t now = began;
    // Another worker, which that preempts where it shares the core, may be at what others wait for.
    const bool gives_way = w_.home().shares_cores();
    bool has_come = false;
    for(; !has_come && now - began < most; now = ticks()) {
      most = known_.patience_after(now - began, most);
      has_come = look() || (!had_task && w_.has_task());
      if(!has_come)
        gives_way ? std::this_thread::yield() : pause();
    }
    took_ = now - began;
    w_.pace.begin(now);
    w_.note_detour();
    known_.has_waited(took_, !has_come);
    known_.end_wait();
    return has_come;
  }

  /// Ticks that it has waited.
  [[nodiscard]] std::uint64_t took() const { return took_; }

private:
  long_launches& known_;
  worker& w_;
  std::uint64_t took_ = 0;
};

} // namespace rondo::detail::inline tracing
