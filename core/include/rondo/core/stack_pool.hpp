#pragma once

/// \file
/// All stacks of an executor, and those of them that no worker has parked and nothing uses.

#include <cstddef>
#include <mutex>

#include <rondo/core/fiber.hpp>

namespace rondo::detail::inline core {

class stack_pool {
public:
  /// Its stacks have at least `size` bytes and run `body`, which never returns.
  stack_pool(std::size_t size, void (*body)()) : size_(size), body_(body) {}
  /// All stacks are at rest, and nobody will go back to any.
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  /// A stack at rest that has nothing on it. Throws std::system_error if the system has no more to give.
  fiber& take();
  /// Such a stack is not needed now.
  void keep(fiber& f);

  /// Calls `f` with each stack there is; none is made or destroyed meanwhile.
  template<class F>
  void each(F&& f) {
    const std::lock_guard lock(mutex_);
    for(fiber* i = all_; i != nullptr; i = i->all_next_)
      f(*i);
  }

private:
  /// The most stacks that keep the memory they have touched; the others give it back.
  static constexpr std::size_t most_spare = 1024;

  void enlist(fiber& f);
  void strike_off(fiber& f);

  const std::size_t size_;
  void (*const body_)();
  std::mutex mutex_; ///< Guards what follows.
  fiber* spare_ = nullptr;
  std::size_t spare_count_ = 0;
  fiber* all_ = nullptr;
};

} // namespace rondo::detail::inline core
