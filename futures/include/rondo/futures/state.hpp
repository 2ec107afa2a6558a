#pragma once

/// \file
/// What a future and its promise share. The protocol, and why each order is enough:
/// docs/protocols/future.md.

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include <rondo/core/fork.hpp>
#include <rondo/core/job.hpp>
#include <rondo/futures/failure.hpp>
#include <rondo/futures/pool.hpp>

namespace rondo {

class executor;
class worker;

namespace detail {

class state_base;

/// Something to do when a state is ready. Lives with whoever waits, and may be gone as soon as
/// `fire` is called.
struct continuation {
  continuation* next;
  void (*fire)(continuation* self);
};

/// A state without its value. As a job it is the task that makes the value, if there is one.
class state_base : public job {
public:
  state_base(const state_base&) = delete;
  state_base& operator=(const state_base&) = delete;

  // ---- references: handles, which are futures, and others --------------------------------

  static constexpr std::uint64_t one_handle = std::uint64_t{1} << 32U;

  void add_handle() { refs_.fetch_add(one_handle + 1, std::memory_order_relaxed); }
  void drop_handle() { drop(one_handle + 1); }
  void add_ref() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void drop_ref() { drop(1); }
  /// Others than one reference hold it.
  [[nodiscard]] bool shared() const { return refs_.load(std::memory_order_acquire) != 1; }
  /// Something is to be done when it is ready.
  [[nodiscard]] bool awaited() const { return waiting_.load(std::memory_order_acquire) != nullptr; }
  /// Only one future is left, the caller's: the value is its own.
  [[nodiscard]] bool sole_handle() const {
    return (refs_.load(std::memory_order_acquire) >> 32U) == 1;
  }

  // ---- becoming ready --------------------------------------------------------------------

  [[nodiscard]] bool ready() const {
    return waiting_.load(std::memory_order_acquire) == done_mark();
  }

  /// Hands over something to do when ready. False: it is ready already, and nothing is done.
  bool add(continuation& c) {
    continuation* seen = waiting_.load(std::memory_order_acquire);
    do {
      if(seen == done_mark())
        return false;
      c.next = seen;
      // Release: what the continuation needs. Acquire, on failure: the value.
    } while(!waiting_.compare_exchange_weak(
      seen, &c, std::memory_order_release, std::memory_order_acquire));
    return true;
  }

  /// Value or failure are there: lets everybody go on who waits. Afterwards the caller may not
  /// touch the state unless it has a reference.
  void complete() {
    continuation* const all = waiting_.exchange(done_mark(), std::memory_order_acq_rel);
    if(all != nullptr)
      fire_all(all);
  }

  void fail(std::exception_ptr e, bool was_cancelled = false);
  void fail_like(state_base& cause) { failure_ = cause.failure_->share(); }
  [[nodiscard]] bool failed() const { return failure_ != nullptr; }
  [[nodiscard]] bool was_cancelled() const {
    return failure_ != nullptr && failure_->was_cancelled;
  }

  /// Once ready: throws what the state failed with.
  void throw_if_failed() {
    if(failure_ != nullptr) [[unlikely]]
      rethrow();
  }
  void look() {
    if(failure_ != nullptr)
      failure_->look();
  }

  /// Takes back what `add` has handed over; only while nobody else adds or fires. False: too late.
  bool remove(continuation& c);

  /// Returns when ready. In a task, others run meanwhile; elsewhere the thread helps, then parks.
  void wait(const std::source_location& where) {
    if(!ready())
      wait_slow(where);
  }

  [[nodiscard]] executor* home() const { return home_; }
  [[nodiscard]] launch_site site() const { return {where_, name()}; }
  [[nodiscard]] virtual const char* name() const { return ""; }
  /// A task makes the value; else a promise does.
  [[nodiscard]] bool has_task() const { return run != nullptr; }

protected:
  state_base(executor* home, std::source_location where, std::uint64_t refs)
      : job{nullptr}, refs_(refs), home_(home), where_(where) {}
  ~state_base() {
    if(failure_ != nullptr)
      failure_->release();
  }

private:
  static continuation* done_mark() { return reinterpret_cast<continuation*>(std::uintptr_t{1}); }

  virtual void destroy() noexcept = 0;

  void drop(std::uint64_t what) {
    // acq_rel: whoever is last sees what all others did with it. A load first: the last
    // reference is mostly dropped by the thread that made it, and needs no read-modify-write.
    if(refs_.load(std::memory_order_acquire) == what ||
       refs_.fetch_sub(what, std::memory_order_acq_rel) == what)
      destroy();
  }

  static void fire_all(continuation* newest);
  void wait_slow(const std::source_location& where);
  [[noreturn]] void rethrow();

  std::atomic<continuation*> waiting_{nullptr};
  std::atomic<std::uint64_t> refs_; ///< Upper half: handles. Lower half: all.
  executor* home_;
  std::source_location where_;
  failure* failure_ = nullptr; ///< Written before `complete`.
};

/// How a value of type T is kept.
template<class T>
using stored_value =
  std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, value_or_nothing<T>>;

/// A state with its value.
template<class T>
class state : public state_base {
public:
  /// As by std::construct_at; before `complete`.
  template<class... A>
  void emplace(A&&... a) {
    if constexpr(std::is_reference_v<T>)
      std::construct_at(std::addressof(value_), std::addressof(a)...);
    else
      std::construct_at(std::addressof(value_), std::forward<A>(a)...);
  }

  /// Constructs the value from what `f()` returns, in place.
  template<class F>
  void emplace_from(F&& f) {
    if constexpr(std::is_void_v<T>) {
      f();
      std::construct_at(std::addressof(value_));
    }
    else if constexpr(std::is_reference_v<T>)
      value_ = std::addressof(f());
    else
      ::new(static_cast<void*>(std::addressof(value_))) T(f());
  }

  stored_value<T>& value() { return value_; }

protected:
  state(executor* home, std::source_location where, std::uint64_t refs)
      : state_base(home, where, refs) {}
  ~state() {
    if(ready() && !failed())
      std::destroy_at(std::addressof(value_));
  }

private:
  union {
    stored_value<T> value_;
  };
};

template<class S>
void free_state(void* memory) noexcept {
  if constexpr(alignof(S) <= pool_alignment)
    pool_free(memory, sizeof(S));
  else
    ::operator delete(memory, std::align_val_t{alignof(S)});
}

/// Makes a state of class S with the pool's memory, or the heap's if it asks for an unusual
/// alignment. S calls `end_state` in `destroy`.
template<class S, class... A>
S* make_state(A&&... a) {
  void* memory = nullptr;
  if constexpr(alignof(S) <= pool_alignment)
    memory = pool_allocate(sizeof(S));
  else
    memory = ::operator new(sizeof(S), std::align_val_t{alignof(S)});
  try {
    return ::new(memory) S(std::forward<A>(a)...);
  }
  catch(...) {
    free_state<S>(memory);
    throw;
  }
}

template<class S>
void end_state(S* s) noexcept {
  s->~S();
  free_state<S>(s);
}

} // namespace detail
} // namespace rondo
