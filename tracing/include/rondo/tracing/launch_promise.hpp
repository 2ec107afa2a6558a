#pragma once

/// \file
/// What a launch promises: the future that `submit` returns.

#include <source_location>
#include <type_traits>
#include <utility>

#include <rondo/futures/future.hpp>

namespace rondo {

class executor;

namespace detail::inline tracing {

/// The future of a launch that is being made, and the launch's own hold of its state, which the launch takes over
/// when it is there.
template<class Result>
class launch_promise {
public:
  void begin(executor& ex, const std::source_location& where) {
    using promised = plain_state<Result>;
    auto* const s = make_state<promised>(&ex, where, promised::handle + 1); // the future's and ours
    future_ = access::adopt<Result>(s);
    held_ = s;
  }
  [[nodiscard]] state<Result>* held() const { return held_; }
  /// There is no launch after all.
  void give_up() {
    if(held_ != nullptr)
      held_->drop_ref();
  }
  future<Result> take_future() { return std::move(future_); }

private:
  state<Result>* held_ = nullptr;
  future<Result> future_;
};

/// Of one that has no result.
template<>
class launch_promise<void> {
public:
  void begin(executor&, const std::source_location&) {}
  [[nodiscard]] static state<void>* held() { return nullptr; }
  void give_up() {}
  void take_future() {}
};

} // namespace detail::inline tracing
} // namespace rondo
