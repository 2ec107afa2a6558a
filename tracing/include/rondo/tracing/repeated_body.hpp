#pragma once

/// \file
/// The body of `repeat` that is being called: what it takes and asks for says how its passes are launched. docs/protocols/loops.md.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/futures/future.hpp>

namespace rondo {

class flow;

namespace detail::inline tracing {

/// In three ways: once, and what the body launches is kept for all passes; each pass by itself; or the first one by itself, and then the
/// body is called once more.
class repeated_body final : called_body {
public:
  repeated_body(flow& of, std::uint64_t passes);
  ~repeated_body();
  repeated_body(const repeated_body&) = delete;
  repeated_body& operator=(const repeated_body&) = delete;

  /// A launch takes that future. Returns true if this pass has to be launched by itself: a kept launch has one future for all passes.
  ///
  /// A future that was made in the body is of the pass, and so all passes are launched by themselves. One that was made before it may be in
  /// a variable to which the body assigns. Whether it is, the second call shows: it takes the same ones in the same order, or others.
  [[nodiscard]] bool takes(state_base* f);
  /// Of an argument of any type.
  template<class A>
  [[nodiscard]] bool takes_argument(const A& argument) {
    if constexpr(is_future<A>)
      return takes(access::of(argument));
    else
      return false;
  }

  /// The body waits: what it does with a value is done in each pass, as in a plain loop.
  void launch_each_by_itself() { each_by_itself_ = true; }

  /// The body has been called, and its pass was launched by itself. Returns whether it is worth another call to keep what it launches.
  [[nodiscard]] bool may_be_kept_now() {
    const bool it_may = is_first_call_ && !each_by_itself_ && !taken_.empty();
    is_first_call_ = false;
    return it_may;
  }

private:
  void before_wait() override;

  flow& of_;
  repeated_body* const around_;
  const std::uint64_t begin_; ///< Futures with this stamp, or a later one, were made in the body.
  bool is_first_call_;        ///< Of several.
  bool each_by_itself_ = false;
  /// By the first call, each once, in the order in which they were taken first. They are held, so that no other one has the same address.
  struct taken {
    state_base* which;
    bool is_taken_again; ///< By the second call.
  };
  std::vector<taken> taken_;
  std::size_t next_ = 0; ///< Behind the last one that the second call has taken.
};

} // namespace detail::inline tracing
} // namespace rondo
