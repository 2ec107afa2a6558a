#pragma once

/// \file
/// Which task the code on a stack belongs to, for messages of handlers of signals: they have nothing
/// but the thread's record, docs/protocols/fiber.md.

#include <rondo/core/this_thread.hpp>

namespace rondo::detail::inline core {

inline const running_task* current_task();

/// From its construction to its destruction the code on this stack is that task's. Lies on that
/// stack, and nests as calls do. Costs a few instructions: no name is looked up before it is asked for.
class running_task {
public:
  using name_function = const char* (*)(const void* what);

  running_task(name_function name_of, const void* what)
      : name_(name_of), what_(what), outer_(current_task()) {
    set_current_task(this);
  }
  // The thread may be another one by now.
  ~running_task() { set_current_task(outer_); }
  running_task(const running_task&) = delete;
  running_task& operator=(const running_task&) = delete;

  /// Allowed in a handler of signals. Null or empty if it has no name.
  [[nodiscard]] const char* name() const { return name_(what_); }

protected:
  /// The innermost one on the stack in use that was made with this function; or null.
  static const running_task* find(name_function made_with) {
    const running_task* t = current_task();
    while(t != nullptr && t->name_ != made_with)
      t = t->outer_;
    return t;
  }

private:
  static void set_current_task(const running_task* t);

  name_function name_;
  const void* what_;
  const running_task* outer_;
};

inline const running_task* current_task() {
  return static_cast<const running_task*>(read_this_thread<offsetof(thread_record, task)>());
}

/// As one instruction: the record's address is not worth looking up.
inline void running_task::set_current_task(const running_task* t) {
#ifdef RONDO_THREAD_BY_CALL
  thread_by_call().task = t;
#elif defined(__PIC__) && !defined(__PIE__)
  void* place;
  asm volatile("movq rondo_thread_variables@gottpoff(%%rip), %0\n\t"
               "movq %2, %%fs:%c3(%0)"
               : "=&r"(place), "+m"(any_thread_record)
               : "r"(t), "i"(offsetof(thread_record, task)), "m"(*t));
#else
  asm volatile("movq %1, %%fs:rondo_thread_variables@tpoff+%c2"
               : "+m"(any_thread_record)
               : "r"(t), "i"(offsetof(thread_record, task)), "m"(*t));
#endif
}

} // namespace rondo::detail::inline core
