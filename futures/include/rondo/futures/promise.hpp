#pragma once

/// \file
/// `promise<T>`: the other end of a future whose value no task makes.
///
/// \code
///   rondo::promise<int> p;
///   rondo::future<int> f = p.get_future();
///   start_reading([p = std::move(p)](int n) mutable { p.set_value(n); });
///   f.then([](int n) { ... });
/// \endcode
///
/// Any thread may keep the promise, once. One that is destroyed unkept breaks: its futures throw
/// `broken_promise`.

#include <exception>
#include <source_location>
#include <stdexcept>
#include <utility>

#include <rondo/futures/future.hpp>

namespace rondo {

template<class T>
class promise {
public:
  explicit promise(std::source_location where = std::source_location::current())
      : promise(detail::home_of_caller(), where) {}
  /// For futures whose `then` shall run on `where`, if the promise is not made there.
  explicit promise(on where) : promise(&where.ex, where.where) {}
  promise(promise&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)), kept_(other.kept_) {}
  promise& operator=(promise&& other) noexcept {
    promise old(std::move(*this));
    state_ = std::exchange(other.state_, nullptr);
    kept_ = other.kept_;
    return *this;
  }
  ~promise() {
    if(state_ == nullptr)
      return;
    if(!kept_ && (state_->shared() || state_->awaited()))
      set_exception(std::make_exception_ptr(broken_promise()));
    state_->drop_ref();
  }

  /// As often as needed, before and after the promise is kept.
  [[nodiscard]] future<T> get_future() const { return detail::access::share<T>(checked()); }

  /// `set_value()` for void, `set_value(value)` for all others.
  template<class... A>
  void set_value(A&&... value) {
    detail::plain_state<T>& s = begin();
    s.emplace(std::forward<A>(value)...);
    kept_ = true;
    s.complete();
  }
  void set_exception(std::exception_ptr e) {
    detail::plain_state<T>& s = begin();
    s.fail(std::move(e));
    kept_ = true;
    s.complete();
  }
  /// There will be no value, and that is no error: tasks that wait are cancelled.
  void set_cancelled() {
    detail::plain_state<T>& s = begin();
    s.fail(std::make_exception_ptr(cancelled()), true);
    kept_ = true;
    s.complete();
  }

private:
  promise(executor* home, const std::source_location& where)
      : state_(detail::make_state<detail::plain_state<T>>(home, where, 1)) {}

  detail::plain_state<T>& checked() const {
    if(state_ == nullptr)
      throw std::logic_error("rondo::promise: used after it was moved from");
    return *state_;
  }
  detail::plain_state<T>& begin() {
    if(kept_ && state_ != nullptr)
      throw std::logic_error("rondo::promise: kept already; a promise has one value");
    return checked();
  }

  detail::plain_state<T>* state_;
  bool kept_ = false;
};

} // namespace rondo
