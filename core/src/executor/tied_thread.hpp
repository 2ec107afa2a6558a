#pragma once

/// \file
/// A thread of the user's, while it is tied to the core of worker 0.

#include <memory>
#include <utility>

#include <rondo/core/machine.hpp>

namespace rondo {
class executor;
}

namespace rondo::detail {

/// Who waits for an executor that binds its workers is worker 0 and belongs on that one's core: on
/// another one it would take turns with the worker there. It stays between its waits, of which
/// there may be many; when the executor ends, it may run again wherever it might before.
class tied_thread {
public:
  /// The calling thread.
  static tied_thread& here() {
    thread_local tied_thread one;
    return one;
  }

  void tie(const executor& to, const core_info& core) {
    if(to_ == &to)
      return;
    if(to_ == nullptr)
      before_ = std::make_unique<affinity>(affinity::of_this_thread());
    to_ = &to;
    bind_this_thread(core);
  }
  void untie(const executor& from) {
    if(to_ != &from)
      return;
    to_ = nullptr;
    std::exchange(before_, nullptr)->restore();
  }

private:
  const executor* to_ = nullptr;
  std::unique_ptr<affinity> before_;
};

} // namespace rondo::detail
