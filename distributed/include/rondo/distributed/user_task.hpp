#pragma once

/// \file
/// For checked builds: whether the code that runs is a task of the program.

#include <rondo/core/running_task.hpp>

namespace rondo::detail::inline distributed {

/// As long as it lives the code on this stack belongs to a task with that name.
class user_task : private running_task {
public:
  explicit user_task(const char* name) : running_task(&name_of, name) {}

  /// And to no other code that such a task waits for.
  static bool is_here() {
    const running_task* const user = find(&name_of);
    return user != nullptr && user == current_task();
  }

private:
  static const char* name_of(const void* name) { return static_cast<const char*>(name); }
};

} // namespace rondo::detail::inline distributed
