#pragma once

/// \file
/// What an observer knows of tasks that rest with their stacks, until these go on, on any worker.

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <rondo/core/observed.hpp>

namespace rondo::detail::inline observe {

template<class T>
class resting_tasks {
public:
  void keep(task_id id, T what) {
    const std::lock_guard lock(mutex_);
    all_[id] = std::move(what);
  }

  /// Nothing is kept of it any more. Nothing of one that was resting before anybody looked.
  std::optional<T> take(task_id id) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(id);
    if(found == all_.end())
      return std::nullopt;
    std::optional<T> what(std::move(found->second));
    all_.erase(found);
    return what;
  }

private:
  std::mutex mutex_;
  std::map<task_id, T> all_;
};

} // namespace rondo::detail::inline observe
