#include "waiting_thread.hpp"

#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/machine.hpp>

namespace rondo::detail::inline distributed {

waiting_thread::~waiting_thread() {
  if(!thread_.joinable())
    return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  has_work_.notify_one();
  thread_.join();
}

void waiting_thread::post(std::function<void()> work) {
  engine_of(of_).begin_external();
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    if(!thread_.joinable())
      thread_ = std::thread([this] { run(); });
  }
  has_work_.notify_one();
}

void waiting_thread::run() {
  // A worker has begun it, and where workers are bound to their cores it would stay on that one's.
  unbind_this_thread(this_machine());
  std::unique_lock lock(mutex_);
  for(;;) {
    has_work_.wait(lock, [this] { return ends_ || !queue_.empty(); });
    if(queue_.empty())
      return;
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    engine_of(of_).end_external();
    lock.lock();
  }
}

} // namespace rondo::detail::inline distributed
