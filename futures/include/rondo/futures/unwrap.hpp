#pragma once

/// \file
/// `future(future<future<T>>)`: the value of a future that is itself the value of another one.

#include <exception>
#include <source_location>
#include <stdexcept>
#include <utility>

#include <rondo/futures/future.hpp>

namespace rondo {

namespace detail::inline futures {

/// Takes on the value of a future that is the value of another one.
template<class T>
class unwrap_state final : public state<T> {
public:
  unwrap_state(executor* home, std::source_location where, future<future<T>> outer)
      : state<T>(home, where, state_base::one_handle + 2), outer_(std::move(outer)) {}

  void start() { follow(outer_, &unwrap_state::outer_ready); }

private:
  struct wait : continuation {
    unwrap_state* owner;
    void (unwrap_state::*then)();
  };

  template<class U>
  void follow(future<U>& f, void (unwrap_state::*then)()) {
    wait_.fire = [](continuation* c) {
      auto* const w = static_cast<wait*>(c);
      (w->owner->*w->then)();
    };
    wait_.owner = this;
    wait_.then = then;
    if(!access::of(f)->add(wait_))
      (this->*then)();
  }
  void outer_ready() {
    auto& s = *access::of(outer_);
    if(s.failed()) {
      this->fail_like(s);
      end();
      return;
    }
    inner_ = std::move(outer_).get(); // moved out if possible: it may have to be the only handle
    if(!inner_.valid()) {
      this->fail(std::make_exception_ptr(
        std::logic_error("rondo::future: the inner future has no value to wait for")));
      end();
      return;
    }
    follow(inner_, &unwrap_state::inner_ready);
  }
  void inner_ready() {
    hand_on(inner_, *this);
    inner_ = {};
    end();
  }
  void end() {
    outer_ = {};
    this->complete();
    this->drop_ref();
  }
  void destroy() noexcept override { end_state(this); }

  future<future<T>> outer_;
  future<T> inner_;
  wait wait_;
};

} // namespace detail::inline futures

template<class T>
future<T>::future(future<future<T>> outer, std::source_location where) {
  executor* const home = detail::access::checked(outer).home();
  auto* const s = detail::make_state<detail::unwrap_state<T>>(home, where, std::move(outer));
  state_ = s;
  s->start();
}

} // namespace rondo
