#include <rondo/core/split_deque.hpp>

#include <algorithm>
#include <thread>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/pause.hpp>

namespace rondo {

split_deque::split_deque(std::size_t capacity, overflow policy)
    : policy_(policy), storage_(new job*[capacity]) { // uninitialized: pages come when used
  job** const first = storage_.get();
  top_.store(first, std::memory_order_relaxed);
  base_.store(first, std::memory_order_relaxed);
  end_ = first + capacity;
  push_limit_.store(end_, std::memory_order_relaxed);
  take_floor_.store(first, std::memory_order_relaxed);
}

split_deque::owner_at_work::owner_at_work(split_deque& d) : deque_(d) {
  d.phase_.store(d.phase_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  // The light side of the fence in `publish_by_force`; where the kernel has no heavy one nobody
  // publishes by force.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // Acquire: what the thief has moved.
  for(unsigned round = 0; d.forced_.load(std::memory_order_acquire); ++round)
    if(round < 100)
      pause();
    else
      std::this_thread::yield();
}

split_deque::owner_at_work::~owner_at_work() {
  // Release: a thief that sees this sees the base, the array and what is in the ring.
  deque_.phase_.store(deque_.phase_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// Shows what was written to the slots behind the tail. Release: a thief that sees the new tail sees
/// the slots and the jobs behind them. seq_cst: ordered before the owner's look at the sleepers
/// (docs/protocols/notifier.md).
void split_deque::advance_tail(ring_state seen, std::uint32_t by) {
  while(
    !shared_.compare_exchange_weak(seen.word, seen.move_tail(static_cast<std::int32_t>(by)).word,
      std::memory_order_seq_cst, std::memory_order_relaxed)) {
  }
}

/// Moves the oldest private jobs to the ring, as far as there is room. The caller must `calm_down`
/// before the owner's next push or pop, or leave it hungry: the private part begins higher now.
bool split_deque::publish(std::size_t at_most) {
  // Acquire: a thief that has moved the head has read its slot before we write it again.
  ring_state seen{shared_.load(std::memory_order_acquire)};
  const std::size_t room = ring_capacity - seen.size();
  const auto count = static_cast<std::uint32_t>(std::min(at_most, room));
  if(count == 0)
    return false;
  // Slots outside [head, tail) are the publisher's. A late thief may still read one, but then its
  // compare-and-swap fails, because the version or the head has moved on.
  job** const first = base();
  for(std::uint32_t i = 0; i != count; ++i)
    ring_slot(seen.tail() + i).store(first[i], std::memory_order_relaxed);
  advance_tail(seen, count);
  // Release: an owner that finds the private part empty finds the jobs in the ring.
  base_.store(first + count, std::memory_order_release);
  return true;
}

bool split_deque::publish_by_force() {
  if(!detail::has_heavy_fence || !hides_any())
    return false;
  // Acquire: what the owner did on its last slow way.
  const std::uint64_t phase = phase_.load(std::memory_order_acquire);
  if(phase % 2 != 0 || forced_.load(std::memory_order_relaxed) ||
     forced_.exchange(true, std::memory_order_acquire))
    return false; // the owner is about to answer, or another thief does it
  ask();
  detail::heavy_fence();
  // The same phase: the owner has been on no slow way since, so nobody has calmed the two signals,
  // and it will go no slow way before `forced_` is lowered. What its fast ways have done before the
  // fence we see; those that begin after it see the signals.
  bool published = false;
  if(phase_.load(std::memory_order_acquire) == phase) {
    job** const upto = top_.load(std::memory_order_acquire);
    job** const from = base();
    if(upto > from) // a pop that will find nothing lowers the top below the base
      published = publish(static_cast<std::size_t>(upto - from));
  }
  // Release: an owner that waits sees what was moved.
  forced_.store(false, std::memory_order_release);
  return published;
}

bool split_deque::show(job* j) {
  if(private_size() != 0 || !hungry())
    return false;
  const owner_at_work here(*this);
  ring_state seen{shared_.load(std::memory_order_acquire)};
  if(seen.size() != 0)
    return false;
  // As in `publish`. The request stands, so the caller looks at the thief that has made it, and
  // sleeps; the next push comes this way too, or publishes what there is by then.
  ring_slot(seen.tail()).store(j, std::memory_order_relaxed);
  advance_tail(seen, 1);
  return true;
}

/// Sets both signals to calm and says whether one of them told of hunger.
bool split_deque::calm_down() {
  // Exchanges, not stores: a plain store could erase a request that came in between without
  // anybody having seen it, and its author may already sleep. A limit that is calm already needs neither;
  // a request that comes right after the look stands. seq_cst: see `ask`.
  job** const floor = base();
  const bool hungry = push_limit_.load(std::memory_order_seq_cst) != end_ &&
                      push_limit_.exchange(end_, std::memory_order_seq_cst) == nullptr;
  return (take_floor_.load(std::memory_order_seq_cst) != floor &&
           take_floor_.exchange(floor, std::memory_order_seq_cst) == never()) ||
         hungry;
}

/// Publishes if anybody asked; keeps the request standing if there is nothing to give.
bool split_deque::answer_hunger() {
  bool published = false;
  while(calm_down()) {
    if(published_size() == 0 && private_size() == 0) {
      // Pops need no signal: they find nothing anyhow. The next push answers.
      push_limit_.store(nullptr, std::memory_order_relaxed);
      break;
    }
    published |= publish(older_half());
  }
  return published;
}

bool split_deque::publish_now(part which) {
  const owner_at_work here(*this);
  // How many there are is known from here on only: until now a thief might have published some by force.
  const bool published = publish(which == part::all ? private_size() : older_half());
  answer_hunger();
  return published;
}

split_deque::push_result split_deque::push_slow(job* j) {
  const owner_at_work here(*this);
  if(top() == end_) {
    if(policy_ == overflow::refuse)
      return {nullptr, answer_hunger()};
    grow(1);
  }
  job** const slot = top();
  *slot = j;
  raise_top(slot + 1);
  return {slot, answer_hunger()};
}

job* split_deque::reclaim() {
  ring_state seen{shared_.load(std::memory_order_relaxed)};
  while(seen.size() != 0) {
    job* const newest = ring_slot(static_cast<std::uint32_t>(seen.tail()) + ring_capacity - 1)
                          .load(std::memory_order_relaxed);
    // The owner wrote what it takes back, so nothing needs to be acquired; seq_cst keeps all
    // moves of the ring in one order with the looks of those about to sleep.
    if(shared_.compare_exchange_weak(seen.word, seen.move_tail(-1).word, std::memory_order_seq_cst,
         std::memory_order_relaxed)) {
      if(seen.size() == 1 && !hungry())
        push_limit_.store(nullptr, std::memory_order_relaxed); // bare: show the next push
      return newest;
    }
  }
  return nullptr;
}

/// Or null. Thieves may have it by the time that the owner takes it, which then takes another one
/// only if there is a newer one: there is none.
job* split_deque::newest_published() const {
  const ring_state seen{shared_.load(std::memory_order_relaxed)};
  return seen.size() == 0
           ? nullptr
           : ring_[(std::uint32_t{seen.tail()} + ring_capacity - 1) % ring_capacity].load(
               std::memory_order_relaxed);
}

split_deque::take_result split_deque::take_slow(job** slot) {
  const owner_at_work here(*this);
  if(slot >= base()) // private after all: a thief has asked
    return {taken::mine, answer_hunger()};
  // Published. Forks nest, so everything newer has been taken back and the private part is
  // empty: ours is the newest in the ring, or gone.
  job* const mine = reclaim();
  lower_base(slot);
  if(mine == nullptr)
    push_limit_.store(nullptr, std::memory_order_relaxed);
  return {mine != nullptr ? taken::mine : taken::stolen, false};
}

/// Makes the private part empty and lets it begin at `slot`.
void split_deque::lower_base(job** slot) {
  top_.store(slot, std::memory_order_relaxed);
  base_.store(slot, std::memory_order_relaxed);
  // A request that came in is kept for the next push: there is nothing to give now.
  if(take_floor_.exchange(slot, std::memory_order_seq_cst) == never())
    push_limit_.store(nullptr, std::memory_order_relaxed);
}

/// `slot` is the one that `pop` has lowered the top to.
split_deque::pop_result split_deque::pop_slow(job** slot) {
  const owner_at_work here(*this);
  if(slot >= base()) {
    job* const found = *slot;
    return {found, answer_hunger()};
  }
  // Everything private is done: the stack starts afresh, and what was published may come back.
  top_.store(slot + 1, std::memory_order_relaxed);
  if(base() != storage_.get())
    lower_base(storage_.get());
  return {reclaim(), false};
}

job* split_deque::steal() {
  job* stolen = nullptr;
  return steal_half(&stolen, 1) == 1 ? stolen : nullptr;
}

std::uint32_t split_deque::steal_half(job** into, std::uint32_t most) {
  // seq_cst: the last look of a worker before it sleeps.
  ring_state seen{shared_.load(std::memory_order_seq_cst)};
  while(seen.size() != 0) {
    const auto count = std::min((seen.size() + 1) / 2, most);
    for(std::uint32_t i = 0; i != count; ++i)
      into[i] = ring_slot(seen.head() + i).load(std::memory_order_relaxed);
    // Acquire on success: what the owner wrote before it published. On failure the new state
    // is acquired for the next round.
    if(shared_.compare_exchange_weak(seen.word, seen.move_head(count).word,
         std::memory_order_seq_cst, std::memory_order_seq_cst)) {
      if(seen.size() == count)
        ask();
      return count;
    }
  }
  ask();
  return 0;
}

bool split_deque::make_room(std::size_t count) {
  if(static_cast<std::size_t>(end_ - top()) >= count)
    return false;
  const owner_at_work here(*this);
  grow(count);
  return answer_hunger();
}

void split_deque::grow(std::size_t room) {
  job** const first = storage_.get();
  const auto size = static_cast<std::size_t>(end_ - first);
  const auto live = private_size();
  std::size_t wanted = size;
  while(live + room - 1 > wanted / 2)
    wanted *= 2;
  if(wanted == size) {
    // Not full, but worked upwards by what thieves took from below: otherwise an owner that
    // always has something left would grow without end.
    std::copy(base(), top(), first);
  }
  else {
    std::unique_ptr<job*[]> bigger(new job*[wanted]);
    std::copy(base(), top(), bigger.get());
    storage_ = std::move(bigger);
    end_ = storage_.get() + wanted;
  }
  base_.store(storage_.get(), std::memory_order_relaxed);
  top_.store(storage_.get() + live, std::memory_order_relaxed);
}

} // namespace rondo
