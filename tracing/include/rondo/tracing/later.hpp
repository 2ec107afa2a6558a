#pragma once

/// \file
/// Tasks that end later than their function: when a message has come, a file has been read.
///
/// \code
///   flow.submit(ends_later([&](completion done, buffer& b) {
///                 socket.receive(b, [done] { done(); });     // returns at once
///               }), write(rb));
///   flow.submit(use, read(rb));                              // runs after done()
/// \endcode
///
/// The function gets a `completion` in front of its arguments. The launch has ended, and what waits
/// for it may run, when both the function has returned and somebody, on any thread, has called
/// `done()`, once. No worker waits meanwhile. `done.fail(e)` instead says that the launch has failed, as if its
/// function had thrown. A function that throws must have given the completion to nobody.
///
/// A task whose value is mostly there already need not go that way. A function object with a type `may_be_ready`
/// has two more functions, with the same arguments but for the completion: `is_ready(b)`, and
/// `now(b)`, which is called only if that was true, and does all of it, or the rest. Loops that know their launches
/// ask them before all else; others may call the function itself even if it was ready. `is_ready` is asked, perhaps often, only from
/// when all that lies before the launch has ended until the function or `now` is called, and not at all if the launch is not to run. So
/// it may do a part of the work.

#include <atomic>
#include <concepts>
#include <exception>
#include <source_location>
#include <type_traits>
#include <utility>

#include <rondo/tracing/launch.hpp>

namespace rondo {

namespace detail::inline tracing {

/// A launch that ends later waits for this.
class later_state {
public:
  later_state() = default;
  // Launches are copied before they run.
  later_state(const later_state&) {}
  later_state& operator=(const later_state&) = delete;

  /// Before the function is called.
  void begin(launch& who) {
    who_ = &who;
    failure_ = nullptr;
    open_.store(2, std::memory_order_relaxed);
  }
  /// The function has returned, or something has called. Returns true if that was the last one.
  bool end() { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  /// Something has called already, so that `end` is going to be the last one. For the code that has called the function, before
  /// it says `end`.
  [[nodiscard]] bool is_called() const { return open_.load(std::memory_order_relaxed) == 1; }
  void call(); // crew/crew.cpp
  /// The same after a failure. The count of `end` hands it over to the code that goes on with the launch.
  void call(std::exception_ptr why) {
    failure_ = std::move(why);
    call();
  }
  /// Once both have ended.
  [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

private:
  launch* who_ = nullptr;
  std::exception_ptr failure_;
  std::atomic<unsigned> open_{0};
};

} // namespace detail::inline tracing

class completion {
public:
  explicit completion(detail::later_state& s) : state_(&s) {}
  void operator()() const { state_->call(); }
  void fail(std::exception_ptr why) const { state_->call(std::move(why)); }

private:
  detail::later_state* state_;
};

namespace detail::inline tracing {

template<class F>
struct later_body : later_state {
  explicit later_body(F f) : body(std::move(f)) {}
  template<class... A>
    requires std::invocable<F&, completion, A...>
  void operator()(A&&... a) {
    body(completion(*this), std::forward<A>(a)...);
  }
  F body;
};

template<class F>
inline constexpr bool is_later<later_body<F>> = true;
template<class F>
  requires requires { typename F::may_be_ready; }
inline constexpr bool may_be_ready<later_body<F>> = true;

} // namespace detail::inline tracing

template<class F>
auto ends_later(F f) {
  return detail::later_body<F>(std::move(f));
}
/// With a name for messages: see `named`.
template<class F>
auto ends_later(
  const char* name, F f, std::source_location where = std::source_location::current()) {
  return named<detail::later_body<F>>(name, detail::later_body<F>(std::move(f)), where);
}

} // namespace rondo
