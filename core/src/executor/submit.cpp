// How jobs get in, and how their ends are counted.

#include <rondo/core/executor.hpp>

#include <utility>

namespace rondo {

using detail::engine;

void engine::enqueue(job* j) {
  worker* const mine = my_worker();
  if(mine == nullptr) {
    const detail::visits::one here(visits_); // the job may be the last
    // Work that a message lets go on is older than what workers have before them, and others wait for its answer.
    inject(j, post_.is_thread() ? priority::high : priority::normal);
  }
  else if(mine->chains_ && mine->next_ == nullptr)
    mine->next_ = j;
  else
    mine->push_task(j);
}

void engine::enqueue(job* j, const task_options& options) {
  const detail::visits::one here(visits_);
  put(my_worker(), j, options);
}

bool engine::run_if_next(job* j) {
  worker* const w = this_worker();
  if(w == nullptr || !detail::fiber::here().has_room())
    return false;
  const auto [found, published] = w->tasks_.pop_if(j);
  if(published)
    w->engine().notifier_.notify_one();
  if(found == nullptr)
    return false;
  run_on_top(j, *w);
  return true;
}

/// Runs a job on top of another one, which then goes on.
void engine::run_on_top(job* j, worker& w) {
  j->run(j, w);
  worker& last = detail::worker_here();
  if(last.next_ != nullptr)
    last.push_task(std::exchange(last.next_, nullptr));
}

void engine::put(worker* mine, job* t, const task_options& options) {
  const auto level = static_cast<unsigned>(options.priority);
  if(options.worker >= 0 && static_cast<unsigned>(options.worker) < active()) {
    const bool is_mine = mine != nullptr && static_cast<unsigned>(options.worker) == mine->index();
    if(!is_mine || options.priority != priority::normal) {
      workers_[static_cast<unsigned>(options.worker)].inbox(level).push(t);
      // The one it is meant for may be asleep, and wake-ups have no address.
      notifier_.notify_all();
      return;
    }
  }
  if(mine != nullptr && options.priority == priority::normal)
    mine->push_task(t);
  else
    inject(t, options.priority);
}

void engine::inject(job* j, priority p) {
  queues_[static_cast<unsigned>(p)].push(j);
  notifier_.notify_one();
}

void engine::begin_activity() { activities_.begin(my_worker()); }

void engine::end_activity() {
  const detail::visits::one here(visits_); // this may have been the last
  activities_.end(my_worker());
  announce_late();
}

bool engine::look_outside_now(worker& w) {
  if(!post_.has_thread())
    return poll_if_wanted();
  job* const brought = queues_[static_cast<unsigned>(priority::high)].pop();
  if(brought == nullptr)
    return false;
  w.push_task(brought);
  return true;
}

void engine::task_failed(worker&) noexcept { failure_.note_current(); }

void engine::task_ended(worker& w) noexcept { w.finished.add_one(); }

} // namespace rondo
