#ifdef RONDO_CHECKS

#include <cstdint>
#include <stdexcept>
#include <string>

#include <pthread.h>

#include <rondo/core/mistakes.hpp>
#include <rondo/distributed/checked_pointer.hpp>

namespace rondo::detail::inline distributed {

namespace {

struct stack {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  stack() {
    pthread_attr_t a;
    if(pthread_getattr_np(pthread_self(), &a) != 0)
      return;
    void* lowest = nullptr;
    std::size_t size = 0;
    if(pthread_attr_getstack(&a, &lowest, &size) == 0) {
      begin = reinterpret_cast<std::uintptr_t>(lowest);
      end = begin + size;
    }
    pthread_attr_destroy(&a);
  }
};

} // namespace

bool is_on_this_stack(const void* place, std::size_t size) {
  static thread_local const stack of_thread;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto p = reinterpret_cast<std::uintptr_t>(place);
  // Only the launching code's: on a stack of its own nobody knows how far that goes.
  return of_thread.begin <= here && here < of_thread.end && p > here && p < of_thread.end &&
         size <= of_thread.end - p;
}

void refuse_changed_variable(std::size_t parameter) {
  if(is_overlooked(checked_mistake::changed_variable))
    return;
  throw std::logic_error("parameter " + std::to_string(parameter) +
                         " points to a variable of the code that has launched the task, which has "
                         "changed or ended since then, and the task "
                         "runs only now; hand over the value itself (docs/mistakes.md)");
}

} // namespace rondo::detail::inline distributed

#endif
