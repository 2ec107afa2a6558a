#pragma once

/// \file
/// Stacks that can be left and come back to. A worker never waits on top of a task: it leaves the
/// task's stack at rest and goes on with other jobs on another one.
///
/// docs/protocols/fiber.md says who may do what with a stack at rest, and why a resumed task finds
/// everything where it left it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>

#include <rondo/core/function_ref.hpp>
#include <rondo/core/job.hpp>
#include <rondo/core/this_thread.hpp>

namespace rondo {

class executor;
class split_deque;
class worker;

namespace detail::inline core {

class acting_as;
class deadlock_watch;
class engine;
class stack_pool;
struct body_call;
class fiber;
class running_task;
struct waits_for;

/// A stack. As a job it is "go on here", for any worker of its executor.
class fiber : public job {
public:
  /// For a thread's own stack.
  constexpr fiber() : job{nullptr} {}
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Makes a stack of at least `size` bytes with a guard below it, for `body`, which never
  /// returns. Throws std::system_error if the system has no more to give.
  static fiber* make(std::size_t size, void (*body)());
  /// A stack at rest that nobody will go back to.
  static void destroy(fiber* f) noexcept;

  /// The stack that the caller is on.
  static fiber& here();
  /// The stack that the calling thread began on.
  [[gnu::noinline]] static fiber& of_thread();

  /// Leaves the stack that the caller is on, which must be `this`, for `to`, which must be at
  /// rest. `after` is called on `to`: from then on this stack is at rest, and may be gone on with
  /// by others. Returns when somebody has done so, perhaps on another thread.
  void leave_for(fiber& to, function_ref<void()> after);

  /// There is room for running another job on top of what this stack has.
  [[nodiscard]] bool has_room() const {
    return static_cast<const char*>(__builtin_frame_address(0)) > limit_;
  }

  /// Code that touches this address has used up the stack. For a handler of signals.
  [[nodiscard]] bool is_guard(const void* address) const;
  /// Bytes of one of our stacks; 0: of a thread's own.
  [[nodiscard]] std::size_t size() const;
  /// The lowest of them.
  [[nodiscard]] const void* begin() const { return static_cast<const char*>(lowest_) + guard_; }

  /// The stack is about to rest in `get()`: to be called before anybody can let it go on.
  void begin_rest(waits_for& w);
  /// It goes on. While somebody reads `w` for a report this waits.
  void end_rest(waits_for& w) {
    std::uintptr_t mine = as_word(w);
    if(!why_.compare_exchange_strong(mine, 0, std::memory_order_acq_rel, std::memory_order_relaxed))
      [[unlikely]]
      end_rest_slow(w);
  }

  /// Parts above keep a pointer each for the code on this stack. All of them stand here, so that no two take the same place.
  enum class place : unsigned char { firing_of_futures, newest_flow, called_body };
  [[nodiscard]] void*& kept(place of) { return kept_[static_cast<unsigned>(of)]; }
  /// The task of another executor that has called what runs here, and waits for it.
  const body_call* called_by = nullptr;
  /// How often the code on this stack has waited for a value, and where it last did.
  std::uint64_t waits = 0;
  std::source_location waited_at{};

private:
  friend class engine;
  friend class stack_pool;
  friend class deadlock_watch;
  friend class rondo::worker;
  struct passage;
  struct frame;

  // The lowest bit of the word says that the report of a deadlock is being made of it: until it is
  // cleared again the stack does not go beyond `end_rest`.
  static constexpr std::uintptr_t being_read = 1;
  static std::uintptr_t as_word(waits_for& w) { return reinterpret_cast<std::uintptr_t>(&w); }
  void end_rest_slow(waits_for& w);
  /// Any thread, if the stack can't be given up meanwhile: what it waits for, or null. An answer
  /// other than null stays until `stop_reading`.
  waits_for* begin_reading();
  static void stop_reading(waits_for& w);

  void* kept_[3] = {};
  std::atomic<std::uintptr_t> why_{0};

  [[gnu::noinline]] static void arrive(void* left_context, passage& p);
  static void enter(frame f);
  [[gnu::noinline]] static fiber& first_here();
  static void learn_limit(fiber& f);

  void* context_ = nullptr; ///< Where the processor goes on.
  void (*body_)() = nullptr;
  const char* limit_ = nullptr;
  void* lowest_ = nullptr;  ///< Of the guard; null for a thread's own stack.
  std::size_t guard_ = 0;   ///< Bytes of the guard.
  std::size_t mapped_ = 0;  ///< Bytes of the stack, above the guard.
  bool is_counted_ = false; ///< The guard is one of those that are limited in number.

  // What belongs to the code on the stack and not to the thread.
  split_deque* forks_ = nullptr;     ///< Taken along by a stack with open offers.
  const acting_as* began_ = nullptr; ///< The top of the thread's chain when we came here.
  bool moves_ = false;               ///< May go on in any thread.
  const running_task* task_ = nullptr;
  unsigned open_tasks_ = 0;
  void* caught_exceptions_ = nullptr;
  unsigned uncaught_exceptions_ = 0;

  fiber* next_ = nullptr;     ///< In a list of stacks not in use.
  fiber* all_next_ = nullptr; ///< In the executor's list of all.
  fiber* all_before_ = nullptr;

  // For the sanitizers, which have to be told.
  void* shadow_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace detail::inline core
} // namespace rondo
