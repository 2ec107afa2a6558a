#pragma once

#include <rondo/core/executor.hpp>

namespace rondo::detail::inline core {

/// This thread acts as that worker of its again, on top of what it does for another executor.
class engine::once_more {
public:
  explicit once_more(worker& w) : mine_(w), here_(w) { w.lift_waiters(here_); }
  /// Tasks that wait must not stay at a level that ends.
  ~once_more() { static_cast<engine&>(mine_.home()).lower_waiters(mine_); }
  once_more(const once_more&) = delete;
  once_more& operator=(const once_more&) = delete;

private:
  worker& mine_;
  const acting_as here_;
};

} // namespace rondo::detail::inline core
