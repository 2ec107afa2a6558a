#include <rondo/core/worker.hpp>

#include <utility>

#include <rondo/core/executor.hpp>

namespace rondo {

namespace {
constexpr std::size_t first_task_capacity = std::size_t{1} << 10U;
} // namespace

worker::worker(executor& home, unsigned index, detail::task_depots& depots)
    : home_(home), index_(index), random_state_(index * 2654435761U + 1), small_(depots.small),
      large_(depots.large), first_forks_(detail::fork_capacity, split_deque::overflow::refuse),
      tasks_(first_task_capacity, split_deque::overflow::grow) {}

job** worker::push_fork_slow(split_deque& forks, job* j) {
  const auto [slot, published] = forks.push_slow(j);
  if(published)
    detail::worker_here().engine().notifier_.notify_one();
  return slot != nullptr ? slot : forks.refused_slot();
}

bool worker::take_fork_slow(split_deque& forks, job** slot) {
  const auto [outcome, published] = forks.take_slow(slot);
  if(published)
    detail::worker_here().engine().notifier_.notify_one();
  return outcome == split_deque::taken::mine;
}

void worker::push_task_slow(job* j) {
  if(tasks_.show(j) || tasks_.push_slow(j).published)
    engine().notifier_.notify_one();
}

job* worker::pop_task() {
  auto [found, published] = tasks_.pop();
  // A task may be long, and during it nobody answers hunger: so thieves are never left without
  // anything while there is something.
  if(engine().active() != 1)
    published |= tasks_.publish_if_bare();
  if(published)
    engine().notifier_.notify_one();
  return found;
}

job* worker::find_job() {
  auto& queues = engine().queues_;
  if(job* const j = inboxes_[0].pop())
    return j;
  if(job* const j = queues[0].pop())
    return j;
  // The inbox and the own stock take turns: neither keeps the other waiting.
  if(std::exchange(ran_own_, false))
    if(job* const j = inboxes_[1].pop())
      return j;
  if(neglect_.is_time())
    if(job* const j = find_neglected())
      return j;
  if(job* const j = pop_task()) {
    ran_own_ = true;
    return j;
  }
  neglect_.begin();
  if(job* const j = inboxes_[1].pop())
    return j;
  if(job* const j = queues[1].pop())
    return j;
  if(job* const own = steal_own_fork())
    return own;
  if(job* const j = each_victim([this](worker& victim) -> job* {
       if(job* const fork = steal_fork(victim.forks()))
         return fork;
       return steal_tasks(victim);
     }))
    return j;
  for(const unsigned priority : {0U, 1U})
    if(job* const j = each_victim([=](worker& victim) { return victim.inboxes_[priority].pop(); }))
      return j;
  if(job* const j = inboxes_[2].pop())
    return j;
  if(job* const j = queues[2].pop())
    return j;
  return each_victim([](worker& victim) { return victim.inboxes_[2].pop(); });
}

job* worker::find_prior() {
  if(job* const j = inboxes_[0].pop())
    return j;
  if(job* const j = engine().queues_[0].pop())
    return j;
  return inboxes_[1].pop();
}

/// Jobs that would never be found as long as every task makes another one: those submitted from
/// outside, and the oldest task here, since the newest is run first.
job* worker::find_neglected() {
  oldest_first_ = !oldest_first_;
  if(oldest_first_)
    if(job* const j = oldest_task())
      return j;
  if(job* const j = engine().queues_[1].pop())
    return j;
  return oldest_first_ ? nullptr : oldest_task();
}

job* worker::oldest_task() {
  if(!has_task())
    return nullptr; // `steal` would make us our own hungry thief
  if(tasks_.publish_if_bare())
    engine().notifier_.notify_one();
  return tasks_.steal();
}

job* worker::find_hidden() {
  return each_victim([this](worker& victim) -> job* {
    if(split_deque& theirs = victim.forks(); theirs.publish_by_force())
      if(job* const fork = steal_fork(theirs))
        return fork;
    return victim.tasks_.publish_by_force() ? steal_tasks(victim) : nullptr;
  });
}

/// The oldest offer of this worker itself, which then counts as stolen. A worker that waits
/// does not come to its own offers before the wait ends, and nobody answers for it when it
/// sleeps: so none may be left.
job* worker::steal_own_fork() {
  split_deque& mine = forks();
  if(mine.private_size() == 0 && mine.published_size() == 0)
    return nullptr; // `steal` would make us our own hungry thief
  mine.publish_if_bare();
  return steal_fork(mine);
}

/// The oldest offer of a deque, if any, with what its owner has noted: a fork ends before the task that
/// it is a part of, so a note that says that there is one is still true.
job* worker::steal_fork(split_deque& forks) {
  job* const j = forks.steal();
  if(j != nullptr)
    static_cast<detail::fork_job*>(j)->is_in_task = forks.noted();
  return j;
}

bool worker::show_stock() {
  const bool fork_shown = forks().publish_if_bare();
  return tasks_.publish_if_bare() || fork_shown;
}

job* worker::find_fork() {
  if(job* const own = steal_own_fork())
    return own;
  return each_victim([](worker& victim) { return steal_fork(victim.forks()); });
}

/// Takes a batch, so that the victim is disturbed rarely; one is returned, the rest is stocked.
job* worker::steal_tasks(worker& victim) {
  job* batch[split_deque::ring_capacity / 2];
  const auto count = victim.tasks_.steal_half(batch, std::size(batch));
  if(count == 0)
    return nullptr;
  for(std::uint32_t i = count; i-- != 1;)
    push_task(batch[i]);
  return batch[0];
}

/// Tries the other workers, the near ones first and those equally near from a random one on,
/// until `attempt(victim)` gives a job.
template<class Attempt>
job* worker::each_victim(Attempt&& attempt) {
  const unsigned made = engine().workers_.size();
  unsigned ordered = 0;
  for(const auto& group : near_first_) {
    ordered += static_cast<unsigned>(group.size());
    const auto in_group = [&group](unsigned i) { return group[i]; };
    if(job* const j = each_victim_of(static_cast<unsigned>(group.size()), in_group, attempt))
      return j;
  }
  if(ordered != 0)
    ++ordered; // this worker itself
  if(made <= ordered)
    return nullptr;
  return each_victim_of(
    made - ordered, [ordered](unsigned i) { return ordered + i; }, attempt);
}

/// As above for the workers `index_at(0) .. index_at(count - 1)`, as far as they exist.
template<class Attempt, class IndexAt>
job* worker::each_victim_of(unsigned count, IndexAt&& index_at, Attempt&& attempt) {
  const unsigned made = engine().workers_.size();
  const unsigned first = count == 1 ? 0 : random() % count;
  for(unsigned i = 0; i != count; ++i) {
    const unsigned victim_index = index_at(first + i < count ? first + i : first + i - count);
    if(victim_index == index_ || victim_index >= made)
      continue;
    worker& victim = engine().workers_[victim_index];
    if(job* const j = attempt(victim)) {
      if(observed()) [[unlikely]] {
        note_detour();
        engine().tell_observers([&](observer& o) { o.steal(index_, victim.index_); }, *this);
      }
      return j;
    }
  }
  return nullptr;
}

std::uint32_t worker::random() {
  // xorshift32: good enough to spread thieves
  random_state_ ^= random_state_ << 13U;
  random_state_ ^= random_state_ >> 17U;
  random_state_ ^= random_state_ << 5U;
  return random_state_;
}

} // namespace rondo
