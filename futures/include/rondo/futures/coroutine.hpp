#pragma once

/// \file
/// `coroutine<T>`: coroutines as tasks.
///
/// \code
///   rondo::coroutine<double> step(rondo::future<double> left, rondo::future<double> right) {
///     double l = co_await left;          // at rest until it is there; costs no stack
///     double r = co_await right;
///     co_return 0.5 * (l + r);
///   }
///
///   rondo::executor ex;
///   rondo::future<double> mean = rondo::async(ex, step, a, b);
/// \endcode
///
/// A coroutine is lazy: `async(ex, coroutine, args...)` starts one as a task, `co_await
/// other_coroutine(...)` runs one as a part of this one. `co_await` of a future gives `T const&`,
/// of a future that is about to go away the value itself; it throws what the future failed with.
/// A coroutine at rest takes the memory of its frame and no stack; it goes on as a task of the
/// executor it was on.
///
/// A coroutine that takes values of futures starts when they are there, like any task; one that
/// takes the futures starts at once.

#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/futures/pool.hpp>

namespace rondo {

namespace detail::inline futures {

template<class T>
inline constexpr bool is_coroutine = false;
template<class T>
inline constexpr bool is_coroutine<coroutine<T>> = true;

/// What all coroutines have in common: the code that goes on when they end.
class coroutine_promise {
public:
  // Frames come from the pool, unless the compiler does without one.
  static void* operator new(std::size_t size) { return pool_allocate(size); }
  static void operator delete(void* memory, std::size_t size) noexcept { pool_free(memory, size); }

  std::suspend_always initial_suspend() noexcept { return {}; }

  struct at_end {
    bool await_ready() noexcept { return false; }
    template<class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> ended) noexcept {
      coroutine_promise& p = ended.promise();
      if(p.parent)
        return p.parent;
      p.root_done(p.root); // the frame may be gone now
      return std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  at_end final_suspend() noexcept { return {}; }

  void unhandled_exception() { failure = std::current_exception(); }

  std::coroutine_handle<> parent;
  void* root = nullptr;
  void (*root_done)(void*) = nullptr;
  std::exception_ptr failure;
};

template<class T>
class coroutine_promise_of : public coroutine_promise {
  static_assert(alignof(T) <= pool_alignment,
    "rondo::coroutine: compilers align the frames of coroutines to 64 bytes at the most here; "
    "return a "
    "value of so high an alignment from an ordinary task, or return a std::unique_ptr to it");

public:
  template<class V>
    requires std::is_constructible_v<T, V&&>
  void return_value(V&& v) {
    value_.emplace(std::forward<V>(v));
  }
  T take() { return std::move(*value_); }

private:
  std::optional<T> value_;
};

template<class T>
class coroutine_promise_of<T&> : public coroutine_promise {
public:
  void return_value(T& v) { value_ = std::addressof(v); }
  T& take() { return *value_; }

private:
  T* value_ = nullptr;
};

template<>
class coroutine_promise_of<void> : public coroutine_promise {
public:
  void return_void() {}
  void take() {}
};

} // namespace detail::inline futures

template<class T = void>
class [[nodiscard]] coroutine {
public:
  struct promise_type : detail::coroutine_promise_of<T> {
    coroutine get_return_object() {
      return coroutine(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  /// No coroutine: to start or to await it is a std::logic_error.
  coroutine() = default;
  coroutine(coroutine&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  coroutine& operator=(coroutine&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~coroutine() {
    if(frame_)
      frame_.destroy();
  }

  /// Runs the coroutine as a part of the one that awaits it.
  auto operator co_await() && {
    struct awaiter {
      std::coroutine_handle<promise_type> frame;
      bool await_ready() { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) {
        frame.promise().parent = parent;
        return frame;
      }
      T await_resume() {
        if(frame.promise().failure != nullptr)
          std::rethrow_exception(frame.promise().failure);
        return frame.promise().take();
      }
    };
    return awaiter{checked()};
  }

private:
  template<class, class, class, std::uint64_t, class...>
  friend class detail::async_state;
  friend struct detail::access;
  explicit coroutine(std::coroutine_handle<promise_type> frame) : frame_(frame) {}

  const std::coroutine_handle<promise_type>& checked() const {
    if(!frame_) [[unlikely]]
      throw std::logic_error("rondo::coroutine: it has no coroutine to run: default-constructed, "
                             "or moved from");
    return frame_;
  }

  void start(void* root, void (*done)(void*)) {
    checked().promise().root = root;
    frame_.promise().root_done = done;
    frame_.resume();
  }

  /// What the coroutine ended with.
  void deliver(detail::state<T>& to) {
    auto& p = frame_.promise();
    if(p.failure == nullptr)
      try {
        to.emplace_from([&p]() -> T { return p.take(); });
        return;
      }
      catch(...) {
        p.failure = std::current_exception();
      }
    try {
      std::rethrow_exception(p.failure);
    }
    catch(const cancelled&) {
      to.fail(p.failure, true);
    }
    catch(...) {
      to.fail(p.failure);
    }
  }

  std::coroutine_handle<promise_type> frame_;
};

namespace detail::inline futures {

/// A coroutine at rest until a state is ready; as a job it lets the coroutine go on.
class coroutine_wait : continuation, job {
public:
  bool arm(state_base& s, std::coroutine_handle<> who) {
    who_ = who;
    home_ = home_of_caller();
    if(home_ == nullptr)
      home_ = &default_executor();
    fire = [](continuation* c) {
      auto* const self = static_cast<coroutine_wait*>(c);
      engine_of(*self->home_).enqueue(self);
    };
    run = [](job* j, worker& w) {
      const auto waiting = static_cast<coroutine_wait*>(j)->who_;
      w.begin_task();
      w.observe(
        [] {
          return task_info{task_info::kind_type::task, "coroutine"};
        },
        [waiting] { waiting.resume(); });
      worker_here().end_task();
    };
    return s.add(*this);
  }

private:
  std::coroutine_handle<> who_;
  executor* home_ = nullptr;
};

template<class T, bool TakesValue>
struct future_awaiter {
  future<T> awaited;
  coroutine_wait wait{};

  bool await_ready() { return awaited.ready(); }
  bool await_suspend(std::coroutine_handle<> who) {
    return wait.arm(access::checked(awaited), who);
  }
  decltype(auto) await_resume() {
    if constexpr(TakesValue)
      return std::move(awaited).get();
    else {
      if constexpr(std::is_void_v<T>)
        awaited.get();
      else
        return awaited.get(); // a reference into the state, which the caller's future keeps
    }
  }
};

} // namespace detail::inline futures

template<class T>
auto operator co_await(const future<T>& f) {
  return detail::future_awaiter<T, false>{f};
}
template<class T>
auto operator co_await(future<T>&& f) {
  return detail::future_awaiter<T, true>{std::move(f)};
}

} // namespace rondo
