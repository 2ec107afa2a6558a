#pragma once

/// \file
/// What a thread is at the moment: which worker, on which stack, where its joins keep their offers,
/// which task it runs.
///
/// A task may be left at rest in any call and gone on with by another thread. Compilers don't
/// expect that: they keep the address of a thread's variable across calls, and the task would then
/// read and write the variables of the thread that it began on. So all that is the thread's lies
/// in one record, and its address is asked for anew at each use, by means that no compiler looks
/// into: an instruction of its own on x86-64, a call elsewhere.

#include <cstddef>

namespace rondo {

class split_deque;
class worker;

namespace detail::inline core {

class acting_as;
class fiber;
class running_task;

struct thread_record {
  worker* who = nullptr;              ///< The worker that this thread is, if any.
  split_deque* forks = nullptr;       ///< Where the joins on this stack keep their offers.
  fiber* stack = nullptr;             ///< The one we are on; null on one that was never left.
  const acting_as* top = nullptr;     ///< All the workers that this thread is, one above the other.
  const running_task* task = nullptr; ///< The innermost one on this stack that has a name.
};

// The sanitizers' builds take the call, so that both ways are tested.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define RONDO_THREAD_BY_CALL 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define RONDO_THREAD_BY_CALL 1
#endif
#endif
#if !(defined(__x86_64__) && defined(__ELF__) && defined(__LP64__))
#define RONDO_THREAD_BY_CALL 1
#endif

/// Named for the assembler. `used`: compilers don't see that it is.
[[gnu::used, gnu::visibility("default")]] inline constinit thread_local thread_record
  thread_variables asm("rondo_thread_variables");

/// The record of the thread that this call is made in.
[[gnu::noinline]] thread_record& thread_by_call();

#ifdef RONDO_THREAD_BY_CALL

inline thread_record& this_thread() { return thread_by_call(); }
template<std::size_t Offset>
void* read_this_thread() {
  return *reinterpret_cast<void**>(reinterpret_cast<std::byte*>(&thread_by_call()) + Offset);
}

#else

/// Stands for the records of all threads in what the assembler says it reads and writes. To a compiler
/// a reference that `this_thread` has returned may be to this one, so it keeps the program's order
/// between what is written there and what is read here. A clobber of all memory would do the same, and
/// have everything else loaded anew as well.
[[gnu::visibility("hidden")]] inline constinit thread_record any_thread_record;

// In an executable the record lies at a fixed distance from the thread's register; in a shared
// library the distance is looked up.

inline thread_record& this_thread() {
  thread_record* here;
#if defined(__PIC__) && !defined(__PIE__)
  asm volatile("movq rondo_thread_variables@gottpoff(%%rip), %0\n\t"
               "addq %%fs:0, %0"
               : "=r"(here)
               :
               : "cc");
#else
  asm volatile("movq %%fs:0, %0\n\t"
               "leaq rondo_thread_variables@tpoff(%0), %0"
               : "=r"(here));
#endif
  return *here;
}

/// One member of it, by its offset.
template<std::size_t Offset>
void* read_this_thread() {
  void* value;
#if defined(__PIC__) && !defined(__PIE__)
  asm volatile("movq rondo_thread_variables@gottpoff(%%rip), %0\n\t"
               "movq %%fs:%c1(%0), %0"
               : "=&r"(value)
               : "i"(Offset), "m"(any_thread_record));
#else
  asm volatile("movq %%fs:rondo_thread_variables@tpoff+%c1, %0"
               : "=r"(value)
               : "i"(Offset), "m"(any_thread_record));
#endif
  return value;
}

#endif

/// The worker that this thread is at the moment, or null.
inline worker* current_worker() {
  return static_cast<worker*>(read_this_thread<offsetof(thread_record, who)>());
}

/// The same where it is known that there is one.
inline worker& worker_here() { return *current_worker(); }

inline split_deque* current_forks() {
  return static_cast<split_deque*>(read_this_thread<offsetof(thread_record, forks)>());
}

inline fiber* current_fiber() {
  return static_cast<fiber*>(read_this_thread<offsetof(thread_record, stack)>());
}

} // namespace detail::inline core
} // namespace rondo
