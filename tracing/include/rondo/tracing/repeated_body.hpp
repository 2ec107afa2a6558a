#pragma once

/// \file
/// The body of `repeat` that is being called: which futures it takes says how its passes are launched. docs/protocols/loops.md.

#include <cstdint>

#include <rondo/futures/future.hpp>

namespace rondo {

class flow;

namespace detail::inline tracing {

class repeated_body final : called_body {
public:
  repeated_body(flow& of, std::uint64_t passes);
  ~repeated_body();
  repeated_body(const repeated_body&) = delete;
  repeated_body& operator=(const repeated_body&) = delete;

  /// The body takes that: as the argument of a launch, or by a wait. Returns true if the pass has to be launched by itself: a kept
  /// launch has one future for all passes, and what is kept has no value yet.
  ///
  /// A future that was made in the body is of the pass. One that was made before it may be a variable that the body assigns to
  /// later, for its next pass. Whether it is, the next call shows: so the first pass is launched by itself, and then the body is called once
  /// more. What it takes then was made in the pass before, or will be the same in all.
  [[nodiscard]] bool takes(const state_base* f);
  /// Of an argument of any type.
  template<class A>
  [[nodiscard]] bool takes_argument(const A& argument) {
    if constexpr(is_future<A>)
      return takes(access::of(argument));
    else
      return false;
  }

  /// The body has been called. Returns whether it is worth another call to keep what it launches.
  [[nodiscard]] bool may_be_kept_now() {
    is_first_call_ = false;
    const bool it_may = takes_earlier_;
    takes_earlier_ = false;
    return it_may;
  }

private:
  void before_wait(const state_base& awaited) override;

  flow& of_;
  repeated_body* const around_;
  const std::uint64_t begin_; ///< Futures with this stamp, or a later one, were made in the body.
  bool is_first_call_;        ///< Of several.
  bool takes_earlier_ = false;
};

} // namespace detail::inline tracing
} // namespace rondo
