#pragma once

/// \file
/// A body on offer: the stack frame behind `join` and `join_n`.

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/worker.hpp>

namespace rondo {

/// The result of a body that returns nothing, where a value is needed.
struct nothing {
  friend bool operator==(nothing, nothing) = default;
};

namespace detail::inline core {

template<class R>
using value_or_nothing = std::conditional_t<std::is_void_v<R>, nothing, R>;

template<class F>
value_or_nothing<std::invoke_result_t<F&>> call(F& f) {
  if constexpr(std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return {};
  }
  else
    return f();
}

/// How a thief tells the owner of a stolen fork that it has ended. After `set` the fork, and
/// this with it, may be gone.
class fork_signal {
public:
  void wait() {
    const auto ended = [this](wait_phase phase) {
      if(phase == wait_phase::looking)
        return state_.load(std::memory_order_acquire) == done;
      std::uint32_t expected = running;
      return !state_.compare_exchange_strong(
               expected, watched, std::memory_order_seq_cst, std::memory_order_seq_cst) &&
             expected == done;
    };
    engine_of(worker_here().home()).wait_for_fork(ended);
  }

  void set(executor& home) {
    // Release: the result. The old value tells whether the owner may be asleep.
    if(state_.exchange(done, std::memory_order_seq_cst) == watched)
      engine_of(home).wake_waiters();
  }

private:
  enum : std::uint32_t { running, watched, done };
  std::atomic<std::uint32_t> state_{running};
};

/// Owner: `offer`, then exactly one of `finish`, `abandon` and `withdraw`. Everything a thief needs and the
/// owner does not is uninitialized until a thief comes.
template<class F>
class fork : public fork_job {
public:
  using value_type = value_or_nothing<std::invoke_result_t<F&>>;

  explicit fork(F& body) : fork_job(&run_stolen), body_(std::addressof(body)) {}
  fork(const fork&) = delete;
  fork& operator=(const fork&) = delete;
  ~fork() {} // NOLINT: the union's members end in finish() and abandon()

  void offer(split_deque& forks) { slot_ = worker::push_fork(forks, this); }

  /// The body's result: computed here, or waited for.
  value_type finish(split_deque& forks) {
    if(worker::take_fork(forks, slot_)) [[likely]]
      return call(*body_);
    return fetch();
  }

  /// An earlier body has thrown: this one is not wanted, but if it has begun it must end.
  void abandon(split_deque& forks) noexcept {
    if(!worker::take_fork(forks, slot_))
      forget();
  }

  /// For owners that don't call the body themselves. Takes the offer back; false: it was stolen, and
  /// `fetch` or `forget` comes next, either instead of `finish`.
  [[nodiscard]] bool withdraw(split_deque& forks) { return worker::take_fork(forks, slot_); }

  void forget() noexcept {
    signal_.wait();
    if(failure_ == nullptr)
      std::destroy_at(&stored_);
    std::destroy_at(&failure_);
  }

  [[gnu::noinline]] value_type fetch() {
    signal_.wait();
    const std::exception_ptr failure = std::move(failure_);
    std::destroy_at(&failure_);
    if(failure != nullptr)
      std::rethrow_exception(failure);
    if constexpr(std::is_reference_v<value_type>)
      return static_cast<value_type>(*stored_);
    else {
      struct end {
        value_type& value;
        ~end() { std::destroy_at(&value); }
      } const at_end{stored_};
      return static_cast<value_type&&>(stored_);
    }
  }

private:
  static void run_stolen(job* j, worker& w) {
    auto* const self = static_cast<fork*>(j);
    std::construct_at(&self->failure_);
    w.run_part(*self, [&] {
      try {
        if constexpr(std::is_reference_v<value_type>) {
          auto&& result = call(*self->body_);
          self->stored_ = std::addressof(result);
        }
        else
          ::new(static_cast<void*>(&self->stored_)) value_type(call(*self->body_));
      }
      catch(...) {
        self->failure_ = std::current_exception();
      }
    });
    self->signal_.set(w.home());
  }

  F* body_;
  job** slot_;
  fork_signal signal_;
  union {
    std::exception_ptr failure_;
  };
  using stored_type = std::conditional_t<std::is_reference_v<value_type>,
    std::remove_reference_t<value_type>*, value_type>;
  union {
    stored_type stored_;
  };
};

} // namespace detail::inline core
} // namespace rondo
