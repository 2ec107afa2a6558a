#pragma once

/// \file
/// `future<T>`: a value that may not be there yet.
///
/// \code
///   #include <rondo/futures.hpp>
///
///   rondo::executor ex;
///   rondo::future<int> a = rondo::async(ex, [] { return 6; });
///   rondo::future<int> b = rondo::async(ex, [] { return 7; });
///   rondo::future<int> c = rondo::async(ex, [](int x, int y) { return x * y; }, a, b);
///   rondo::future<void> d = c.then([](int x) { std::printf("%d\n", x); });
///   d.get();
/// \endcode
///
/// *A future is a shared handle*: copies speak of the same value, any number of tasks may be given
/// one, and each may call `get()` any number of times. `get()` on a future that is about to go
/// away (`async(...).get()`, `std::move(f).get()`) returns the value itself: moved out if that was
/// the only handle.
///
/// *Waiting.* `get()` in a task leaves the task at rest and its worker goes on with others; the
/// task goes on when the value is there, perhaps on another worker. `get()` elsewhere helps to run
/// tasks, then sleeps, and observers of the executor are told of each such wait. Better than any
/// `get()` is to pass the future to `async` or `then`: nothing waits at all.
///
/// *Failing.* What a task throws is kept and thrown by each `get()`. A task that is given a failed
/// future does not run: it fails likewise. A failure that nobody has looked at when the executor
/// ends is printed, with the place where the task was launched.

#include <exception>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/futures/errors.hpp>
#include <rondo/futures/refused_operators.hpp>
#include <rondo/futures/state.hpp>

namespace rondo {

template<class T>
class future;
template<class T>
class coroutine;

namespace detail::inline futures {

template<class T>
struct unwrapped_type {
  using type = T;
};
template<class T>
struct unwrapped_type<future<T>> : unwrapped_type<T> {};
template<class T>
struct unwrapped_type<coroutine<T>> : unwrapped_type<T> {};

/// The type of the future of a task that returns R: a reference stays one.
template<class R>
using unwrapped = std::conditional_t<
  std::is_lvalue_reference_v<R> &&
    std::is_same_v<typename unwrapped_type<std::remove_cvref_t<R>>::type, std::remove_cvref_t<R>>,
  R, typename unwrapped_type<std::remove_cvref_t<R>>::type>;

template<class T>
inline constexpr bool is_future = false;
template<class T>
inline constexpr bool is_future<future<T>> = true;

/// What `then` calls a body with: the value, or if it does not take that, the future.
template<class F, class T>
struct then_result {
  using type = std::invoke_result<F&, const T&>;
};
template<class F>
struct then_result<F, void> {
  using type = std::invoke_result<F&>;
};
template<class F, class T>
struct then_result<F, T&> {
  using type = std::invoke_result<F&, T&>;
};
template<class F, class T>
concept takes_value = requires { typename then_result<F, T>::type::type; };

struct access; // the parts below that need the state

template<class R, class F, class Extras, std::uint64_t Mask, class... D>
class async_state;

} // namespace detail::inline futures

/// Where something is launched: an executor, and the place in the source. Converts by itself, so
/// that `async(ex, f)` knows its caller.
struct on {
  // NOLINTNEXTLINE(google-explicit-constructor): that is what it is for
  on(executor& e, std::source_location w = std::source_location::current()) : ex(e), where(w) {}
  executor& ex;
  std::source_location where;
};

template<class T>
class future {
public:
  using value_type = T;

  /// A future of nothing: `valid()` is false, and all else throws std::logic_error.
  future() = default;
  future(const future& other) : state_(other.state_) {
    if(state_ != nullptr)
      state_->add_handle();
  }
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~future() {
    if(state_ != nullptr)
      state_->drop_handle();
  }

  /// The value of the inner future, as soon as both are ready.
  explicit future(
    future<future> outer, std::source_location where = std::source_location::current());

  [[nodiscard]] bool valid() const { return state_ != nullptr; }
  /// The value is there, or never will be. Everything that led to it has happened before.
  [[nodiscard]] bool ready() const { return checked().ready(); }
  /// Code that asks this has looked at the failure.
  [[nodiscard]] bool failed() const {
    detail::state<T>& s = checked();
    if(!s.ready() || !s.failed())
      return false;
    s.look();
    return true;
  }
  [[nodiscard]] bool cancelled() const {
    const detail::state<T>& s = checked();
    return s.ready() && s.was_cancelled();
  }

  /// The value, which stays where it is: `T const&`, `U&` for future<U&>, nothing for void.
  decltype(auto) get(std::source_location where = std::source_location::current()) const& {
    wait_and_rethrow(where);
    if constexpr(std::is_reference_v<T>)
      return static_cast<T>(*state_->value());
    else if constexpr(!std::is_void_v<T>)
      return static_cast<const T&>(state_->value());
  }

  /// The value itself. If other futures share it, it is copied; if that is impossible:
  /// std::logic_error.
  T get(std::source_location where = std::source_location::current()) && {
    wait_and_rethrow(where);
    const future mine = std::move(*this);
    if constexpr(std::is_reference_v<T>)
      return static_cast<T>(*mine.state_->value());
    else if constexpr(!std::is_void_v<T>) {
      if(mine.state_->sole_handle())
        return std::move(mine.state_->value());
      if constexpr(std::is_copy_constructible_v<T>)
        return mine.state_->value();
      else
        throw std::logic_error("rondo::future::get(): the value cannot be copied, and other "
                               "futures share it; call get() on a named future, for a reference");
    }
  }

  /// Returns when ready, whether with a value or without.
  void wait(std::source_location where = std::source_location::current()) const {
    checked().wait(where);
  }

  /// Runs `f` with the value as a task when it is there, and returns the future of what f returns.
  /// If this future fails, so does that one. A body that takes `future<T>`, and not the value, is
  /// run in any case: it can ask how it ended.
  template<class F>
  [[nodiscard]] auto then(
    F&& f, std::source_location where = std::source_location::current()) const& {
    return future(*this).launch_then(std::forward<F>(f), where);
  }
  template<class F>
  [[nodiscard]] auto then(F&& f, std::source_location where = std::source_location::current()) && {
    return std::move(*this).launch_then(std::forward<F>(f), where);
  }

  /// As above, on another executor.
  template<class F>
  [[nodiscard]] auto then(on where, F&& f) const& {
    return future(*this).launch_then(where, std::forward<F>(f));
  }
  template<class F>
  [[nodiscard]] auto then(on where, F&& f) && {
    return std::move(*this).launch_then(where, std::forward<F>(f));
  }

private:
  friend struct detail::access;
  explicit future(detail::state<T>* s) : state_(s) {}

  template<class F>
  auto launch_then(F&& f, const std::source_location& where) &&;
  template<class F>
  auto launch_then(on where, F&& f) &&;

  detail::state<T>& checked() const {
    if(state_ == nullptr) [[unlikely]]
      throw std::logic_error("rondo::future: it has no value to wait for: default-constructed, "
                             "moved from, or its value was moved out by get()");
    return *state_;
  }
  void wait_and_rethrow(const std::source_location& where) const {
    checked().wait(where);
    state_->throw_if_failed();
  }

  detail::state<T>* state_ = nullptr;
};

namespace detail::inline futures {

struct access {
  template<class T>
  static state<T>* of(const future<T>& f) {
    return f.state_;
  }
  template<class T>
  static state<T>& checked(const future<T>& f) {
    return f.checked();
  }
  template<class T>
  static void checked(const coroutine<T>& t) {
    t.checked();
  }
  /// Adopts a handle that was counted already.
  template<class T>
  static future<T> adopt(state<T>* s) {
    return future<T>(s);
  }
  template<class T>
  static future<T> share(state<T>& s) {
    s.add_handle();
    return future<T>(&s);
  }
};

/// A state that no task makes.
template<class T>
class plain_state final : public state<T> {
public:
  plain_state(executor* home, std::source_location where, std::uint64_t refs)
      : state<T>(home, where, refs) {}
  static constexpr std::uint64_t handle = state_base::one_handle + 1;

private:
  void destroy() noexcept override { end_state(this); }
};

/// Moves the value of a future that is ready to another state, or copies it if it is shared.
template<class T>
void hand_on(future<T>& from, state<T>& to) {
  state<T>& s = access::checked(from);
  if(s.failed())
    to.fail_like(s);
  else
    try {
      to.emplace_from([&]() -> T { return std::move(from).get(); });
    }
    catch(...) {
      to.fail(std::current_exception());
    }
}

inline executor* home_of_caller() {
  worker* const w = this_worker();
  return w != nullptr ? &w->home() : nullptr;
}

} // namespace detail::inline futures

/// A future that is ready.
template<class T = void, class... A>
  requires(sizeof...(A) > 0 || std::is_void_v<T>)
[[nodiscard]] future<T> make_ready(A&&... value) {
  using made = detail::plain_state<T>;
  auto* const s = detail::make_state<made>(
    detail::home_of_caller(), std::source_location::current(), made::handle);
  s->take_stamp_away();
  future<T> f = detail::access::adopt<T>(s);
  s->emplace(std::forward<A>(value)...);
  s->complete();
  return f;
}

/// The same of the type of the value. (Not chosen when a type is named: that may be a reference.)
template<int = 0, class T>
future<std::decay_t<T>> make_ready(T&& value) {
  return make_ready<std::decay_t<T>, T>(std::forward<T>(value));
}

/// A future that has failed.
template<class T>
[[nodiscard]] future<T> make_failed(
  std::exception_ptr e, std::source_location where = std::source_location::current()) {
  using made = detail::plain_state<T>;
  auto* const s = detail::make_state<made>(detail::home_of_caller(), where, made::handle);
  s->take_stamp_away();
  s->fail(std::move(e));
  s->complete();
  return detail::access::adopt<T>(s);
}

} // namespace rondo
