#pragma once

/// \file
/// What a wait asks, and how the thread that waits learns the answer.

#include <rondo/core/function_ref.hpp>

namespace rondo::detail::inline core {

/// What a wait asks its condition. `looking`: has it come true? `about_to_sleep`: the same, and from now on
/// code that makes it true must call `engine::wake_waiters`.
enum class wait_phase : bool { looking, about_to_sleep };
using wait_condition = function_ref<bool(wait_phase)>;

/// How a waiting thread learns that its condition holds: somebody calls `wake_waiters`; it must look by itself now
/// and then; or it can only be so when there is nothing to run.
enum class wait_kind : unsigned char { announced, polling, when_idle };

} // namespace rondo::detail::inline core
