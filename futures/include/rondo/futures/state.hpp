#pragma once

/// \file
/// What a future and its promise share. The protocol, and why each order is enough:
/// docs/protocols/future.md.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include <rondo/core/fork.hpp>
#include <rondo/core/job.hpp>
#include <rondo/futures/called_body.hpp>
#include <rondo/futures/failure.hpp>
#include <rondo/futures/pool.hpp>

namespace rondo {

class executor;
class worker;

namespace detail::inline futures {

class state_base;

/// One thing to do when a state is ready, in the list of those: a `continuation`, or a task that
/// only this state keeps from being run. Which of them is in the pointer's lowest bits.
using link = std::uintptr_t;

/// Futures are stamped when they are made: with how many bodies of `repeat` have been called so far, by any thread. So a loop can tell
/// which futures were made in its body, however they were made, and all ranks come to the same answer. Stamps go from 1 to `most`, and begin
/// again at 1. 0 is none: such a future had its value when it was made.
class stamps {
public:
  static constexpr unsigned bits = 15;
  static constexpr std::uint64_t most = (std::uint64_t{1} << bits) - 1;

  [[nodiscard]] static std::uint64_t now() { return now_.load(std::memory_order_relaxed); }
  /// A body is going to be called. Returns what is stamped from now on, at least.
  static std::uint64_t next() {
    std::uint64_t before = now();
    std::uint64_t after = 0;
    do
      after = before % most + 1;
    // Relaxed: what is made in the body is made by the thread that calls this, or comes to it by other ways.
    while(!now_.compare_exchange_weak(before, after, std::memory_order_relaxed));
    return after;
  }
  /// Whether that stamp is from `begin` or later. (Or from so many bodies before that they were counted once around.)
  [[nodiscard]] static bool is_since(std::uint64_t stamp, std::uint64_t begin) {
    return stamp != 0 && (stamp + most - begin) % most <= (now() + most - begin) % most;
  }

private:
  inline static constinit std::atomic<std::uint64_t> now_{1};
};

/// Something to do when a state is ready. Lives with the code that waits, and may be gone as soon as
/// `fire` is called.
struct continuation {
  link next;
  void (*fire)(continuation* self);
};

/// A continuation that may lose its purpose long before its state is ready: one of `when_any`, of which
/// another one was first. Continuations that are over are taken out of the state's list now and then.
struct passing_continuation : continuation {
  void (*then)(passing_continuation* self);
  bool (*is_over)(const passing_continuation* self);
  /// Called instead of `then`.
  void (*drop)(passing_continuation* self);
  std::uint32_t before; ///< Others like it in the list when it was added, at least.
  std::uint32_t sweep;  ///< When there are so many, those that are over go.
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
  [[nodiscard]] bool awaited() const { return waiting_.load(std::memory_order_acquire) != 0; }
  /// Only one future is left, the caller's: the value is its own.
  [[nodiscard]] bool sole_handle() const {
    return (refs_.load(std::memory_order_acquire) >> 32U) == 1;
  }

  // ---- becoming ready --------------------------------------------------------------------

  [[nodiscard]] bool ready() const { return waiting_.load(std::memory_order_acquire) == done; }

  /// Hands over something to do when ready. Returns false, and does nothing, if it is ready already.
  bool add(continuation& c) { return add(reinterpret_cast<link>(&c), c.next); }
  /// The same with a task to be enqueued. It has no value yet, so there is room for the link.
  bool add(state_base& t) {
    return add(reinterpret_cast<link>(&t) | task_bit, *::new(t.slot_) link);
  }

  bool add(passing_continuation& c);

  /// Value or failure are there: lets everybody go on who waits. Afterwards the caller may not
  /// touch the state unless it has a reference.
  void complete() {
    const link all = waiting_.exchange(done, std::memory_order_acq_rel);
    if(all != 0)
      end_waits(all);
  }

  void fail(std::exception_ptr e, bool was_cancelled = false);
  void fail_like(state_base& cause) { fail_with(cause.why().share()); }
  /// Once ready.
  [[nodiscard]] bool failed() const {
    return (home_.load(std::memory_order_relaxed) & failed_bit) != 0;
  }
  [[nodiscard]] bool was_cancelled() const { return failed() && why().was_cancelled; }

  /// Once ready: throws what the state failed with.
  void throw_if_failed() {
    if(failed()) [[unlikely]]
      rethrow();
  }
  void look() {
    if(failed())
      why().look();
  }

  /// Takes back what `add` has handed over; only while nobody else adds or fires. Returns false if it was too late.
  bool remove(continuation& c);

  /// Returns when ready. In a task, others run meanwhile; elsewhere the thread helps, then parks.
  void wait(const std::source_location& where) {
    if(called_body::is_any()) [[unlikely]]
      called_body::tell_wait();
    if(!ready())
      wait_slow(where);
  }

  [[nodiscard]] executor* home() const {
    return reinterpret_cast<executor*>(home_.load(std::memory_order_relaxed) >> home_shift);
  }
  /// When it was made: see `stamps`.
  [[nodiscard]] std::uint64_t stamp() const {
    return home_.load(std::memory_order_relaxed) >> stamp_shift & stamps::most;
  }
  /// By the code that makes it with its value.
  void take_stamp_away() {
    home_.store(home_.load(std::memory_order_relaxed) & ~(stamps::most << stamp_shift),
      std::memory_order_relaxed);
  }
  [[nodiscard]] launch_site site() const { return {where_, name(), maker()}; }
  [[nodiscard]] virtual const char* name() const { return ""; }
  /// What makes the value, for messages.
  [[nodiscard]] virtual made_by maker() const { return made_by::program; }
  /// A task makes the value; else a promise does.
  [[nodiscard]] bool has_task() const { return run != nullptr; }

protected:
  state_base(executor* home, std::source_location where, std::uint64_t refs)
      : job{nullptr}, refs_(refs),
        home_(reinterpret_cast<std::uintptr_t>(home) << home_shift | stamps::now() << stamp_shift),
        where_(where) {}
  ~state_base() {
    if(failed())
      why().release();
  }

  /// For a link, then for a small value or for why there is none.
  static constexpr std::size_t slot_size = 8;
  void* slot() { return slot_; }

private:
  // Values of `waiting_` that are no link, and the lowest bits of a link.
  static constexpr link done = 1;      ///< Ready, and all are told.
  static constexpr link task_bit = 2;  ///< A task, not a continuation.
  static constexpr link abandoned = 4; ///< In the newest link: no reference is left.
  static constexpr link all_bits = 7;
  // What `home_` has: whether it has failed, the stamp, and an address, of which 64-bit systems give programs 48 bits.
  static constexpr std::uint64_t failed_bit = 1;
  static constexpr unsigned stamp_shift = 1;
  static constexpr unsigned home_shift = stamp_shift + stamps::bits;
  static_assert(sizeof(void*) == sizeof(std::uint64_t) && home_shift == 16);

  virtual void destroy() noexcept = 0;

  bool add(link me, link& next) {
    link seen = waiting_.load(std::memory_order_acquire);
    do {
      if(seen == done)
        return false;
      next = seen;
      // Release: what is to be done needs it. Acquire, on failure: the value.
    } while(!waiting_.compare_exchange_weak(
      seen, me, std::memory_order_release, std::memory_order_acquire));
    return true;
  }

  void drop(std::uint64_t what) {
    // acq_rel: the last one sees what all others did with it. A load first: the last
    // reference is mostly dropped by the thread that made it, and needs no read-modify-write.
    if(refs_.load(std::memory_order_acquire) == what ||
       refs_.fetch_sub(what, std::memory_order_acq_rel) == what) {
      if(!has_task() || ready())
        destroy();
      else
        abandon();
    }
  }

  [[nodiscard]] failure& why() const {
    return **std::launder(reinterpret_cast<failure* const*>(slot_));
  }
  void fail_with(failure* f) {
    ::new(slot_) failure*(f);
    // Relaxed: before `complete` nobody asks; the others only want to know the executor.
    home_.store(home_.load(std::memory_order_relaxed) | failed_bit, std::memory_order_relaxed);
  }

  link& next_link() { return *std::launder(reinterpret_cast<link*>(slot_)); }
  void abandon();
  void end_waits(link newest);
  static void fire_all(link newest);
  static void fire_list(link oldest);
  static link& next_of(link l);
  static std::uint32_t sweep(link& newest);
  [[nodiscard]] static passing_continuation* as_passing(link l);
  link take_waits();
  void put_back(link newest);
  void wait_slow(const std::source_location& where);
  void wait_here(const std::source_location& where);
  void wait_and_tell(const std::source_location& where);
  void wait_long(const std::source_location& where);
  [[noreturn]] void rethrow();

  std::atomic<link> waiting_{0};
  std::atomic<std::uint64_t> refs_; ///< Upper half: handles. Lower half: all.
  std::atomic<std::uint64_t> home_; ///< The executor, the stamp, and whether this has failed.
  std::source_location where_;
  alignas(8) std::byte slot_[slot_size];
};

/// How a value of type T is kept.
template<class T>
using stored_value =
  std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, value_or_nothing<T>>;

/// Where a value lies that is too large for the slot.
template<class V, bool IsSmall>
struct room_for {
  alignas(V) std::byte bytes[sizeof(V)];
};
template<class V>
struct room_for<V, true> {};

/// A state with its value.
template<class T>
class state : public state_base {
  using stored = stored_value<T>;
  static constexpr bool is_small = sizeof(stored) <= slot_size && alignof(stored) <= slot_size;

public:
  /// As by std::construct_at; before `complete`.
  template<class... A>
  void emplace(A&&... a) {
    if constexpr(std::is_reference_v<T>)
      ::new(place()) stored(std::addressof(a)...);
    else
      ::new(place()) stored(std::forward<A>(a)...);
  }

  /// Constructs the value from what `f()` returns, in place.
  template<class F>
  void emplace_from(F&& f) {
    if constexpr(std::is_void_v<T>) {
      f();
      ::new(place()) stored;
    }
    else if constexpr(std::is_reference_v<T>)
      ::new(place()) stored(std::addressof(f()));
    else
      ::new(place()) stored(f());
  }

  stored& value() { return *std::launder(static_cast<stored*>(place())); }

protected:
  state(executor* home, std::source_location where, std::uint64_t refs)
      : state_base(home, where, refs) {}
  ~state() {
    if constexpr(!std::is_trivially_destructible_v<stored>)
      if(ready() && !failed())
        std::destroy_at(&value());
  }

private:
  void* place() {
    if constexpr(is_small)
      return slot();
    else
      return room_.bytes;
  }

  [[no_unique_address]] room_for<stored, is_small> room_;
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

} // namespace detail::inline futures
} // namespace rondo
