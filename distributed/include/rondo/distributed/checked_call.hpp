#pragma once

/// \file
/// For checked builds: whether a task has done with the elements of its color what it has declared.

#ifdef RONDO_CHECKS

#include <cstddef>
#include <span>
#include <vector>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/privilege.hpp>
#include <rondo/distributed/user_task.hpp>

namespace rondo::detail::inline distributed {

/// An accessor of the task.
struct checked_use {
  const color_block* block = nullptr; ///< Null of a parameter that is no accessor.
  privilege owned = na;
  privilege ghosts = na;
};

/// Made before a task is called for a color.
///
/// A field that is only to be written is filled with a value that nobody writes, so that it can be told afterwards what was not
/// written. Ghosts that are only to be read are kept, to see whether they have changed. If they are `still`, what was
/// looked at is compared with what their owners have changed meanwhile: checks/still.hpp.
class checked_call {
public:
  checked_call(const char* task, std::span<const checked_use> uses);
  ~checked_call();
  checked_call(const checked_call&) = delete;
  checked_call& operator=(const checked_call&) = delete;

  /// The task has returned. Throws std::logic_error, which says what to do, if it has done something else.
  void end();

private:
  const user_task here_;
  std::span<const checked_use> uses_;
  std::vector<std::vector<std::byte>> before_; ///< For each of them.
  bool has_ended_ = false;
};

} // namespace rondo::detail::inline distributed

#endif
