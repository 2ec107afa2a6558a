#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/split_deque.hpp>

using rondo::job;
using rondo::split_deque;

namespace {

struct numbered : job {
  std::atomic<int> runs{0};
};

std::unique_ptr<numbered[]> make_jobs(std::size_t n) { return std::make_unique<numbered[]>(n); }

void push(split_deque& d, job* j) {
  if(d.push(j) == nullptr)
    d.push_slow(j);
}

bool take(split_deque& d, job** slot) {
  return d.take(slot) || d.take_slow(slot).outcome == split_deque::taken::mine;
}

} // namespace

TEST_CASE("what nobody asks for stays private and comes back newest first") {
  split_deque d(8, split_deque::overflow::grow);
  auto jobs = make_jobs(3);
  for(int i = 0; i != 3; ++i)
    push(d, &jobs[i]);
  CHECK(d.private_size() == 3);
  CHECK(d.published_size() == 0);
  for(int i = 3; i-- != 0;)
    CHECK(d.pop().found == &jobs[i]);
  CHECK(d.pop().found == nullptr);
}

TEST_CASE("a thief that finds nothing makes the owner publish at its next push") {
  split_deque d(8, split_deque::overflow::grow);
  auto jobs = make_jobs(2);
  push(d, &jobs[0]);
  CHECK(d.steal() == nullptr);
  CHECK(d.push(&jobs[1]) == nullptr);
  CHECK(d.push_slow(&jobs[1]).published);
  CHECK(d.published_size() == 1);
  CHECK(d.steal() == &jobs[0]);
}

TEST_CASE("a thief that finds nothing makes the owner publish at its next pop") {
  split_deque d(8, split_deque::overflow::grow);
  auto jobs = make_jobs(3);
  for(int i = 0; i != 3; ++i)
    push(d, &jobs[i]);
  d.ask();
  const auto popped = d.pop();
  CHECK(popped.found == &jobs[2]);
  CHECK(popped.published);
  CHECK(d.steal() == &jobs[0]);
}

TEST_CASE("a request made while there is nothing stands until there is something") {
  split_deque d(8, split_deque::overflow::grow);
  auto jobs = make_jobs(1);
  d.ask();
  CHECK(d.pop().found == nullptr);
  CHECK(d.push(&jobs[0]) == nullptr);
  CHECK(d.push_slow(&jobs[0]).published);
}

TEST_CASE("a lone job is shown at once to those who have asked") {
  split_deque d(8, split_deque::overflow::grow);
  auto jobs = make_jobs(3);
  CHECK_FALSE(d.show(&jobs[0])); // nobody has asked
  d.ask();
  CHECK(d.show(&jobs[0]));
  CHECK(d.published_size() == 1);
  CHECK_FALSE(d.show(&jobs[1])); // there is something to take
  CHECK(d.push_slow(&jobs[1]).published);
  CHECK(d.pop_if(&jobs[1]).found == &jobs[1]);
  CHECK(d.pop_if(&jobs[0]).found == &jobs[0]);
  CHECK(d.pop().found == nullptr);
  CHECK(d.show(&jobs[2])); // what is bare shows the next one
  CHECK(d.steal() == &jobs[2]);
  CHECK(d.pop().found == nullptr);
}

TEST_CASE("what was shown of its own accord is not popped a second time") {
  split_deque d(8, split_deque::overflow::grow);
  auto jobs = make_jobs(3);
  for(int i = 0; i != 3; ++i)
    push(d, &jobs[i]);
  CHECK(d.publish_if_bare());
  CHECK_FALSE(d.publish_if_bare()); // there is something to take
  CHECK(d.published_size() == 2);
  CHECK(d.pop().found == &jobs[2]);
  CHECK(d.steal() == &jobs[0]);
  CHECK(d.pop().found == &jobs[1]); // taken back from the ring
  CHECK(d.pop().found == nullptr);
  CHECK(d.steal() == nullptr);
}

TEST_CASE("a thief takes the oldest, and with steal_half up to half") {
  split_deque d(64, split_deque::overflow::grow);
  auto jobs = make_jobs(20);
  for(int i = 0; i != 20; ++i)
    push(d, &jobs[i]);
  CHECK(d.publish_if_bare());
  CHECK(d.published_size() == 10);
  job* loot[32];
  CHECK(d.steal_half(loot, 32) == 5);
  for(int i = 0; i != 5; ++i)
    CHECK(loot[i] == &jobs[i]);
  CHECK(d.steal_half(loot, 2) == 2);
  CHECK(loot[0] == &jobs[5]);
  CHECK(d.published_size() == 3);
}

TEST_CASE("forks are taken back one by one, and those that were stolen are told so") {
  split_deque d(8, split_deque::overflow::refuse);
  auto jobs = make_jobs(4);
  job** slots[4];
  for(int i = 0; i != 4; ++i)
    slots[i] = d.push(&jobs[i]);
  CHECK(d.publish_if_bare()); // 0 and 1
  CHECK(d.steal() == &jobs[0]);
  CHECK(take(d, slots[3]));
  CHECK(take(d, slots[2]));
  CHECK(take(d, slots[1]));
  CHECK_FALSE(take(d, slots[0]));
  CHECK(d.private_size() == 0);
}

TEST_CASE("a stack of forks that is full refuses, one of tasks grows") {
  auto jobs = make_jobs(5);
  split_deque forks(4, split_deque::overflow::refuse);
  split_deque tasks(4, split_deque::overflow::grow);
  for(int i = 0; i != 4; ++i) {
    CHECK(forks.push(&jobs[i]) != nullptr);
    CHECK(tasks.push(&jobs[i]) != nullptr);
  }
  CHECK(forks.push(&jobs[4]) == nullptr);
  CHECK(forks.push_slow(&jobs[4]).slot == nullptr);
  CHECK(forks.push_many(1) == nullptr);
  CHECK(take(forks, forks.refused_slot())); // and nothing was taken by that
  CHECK(forks.private_size() == 4);
  CHECK(tasks.push(&jobs[4]) == nullptr);
  CHECK(tasks.push_slow(&jobs[4]).slot != nullptr);
  for(int i = 5; i-- != 0;)
    CHECK(tasks.pop().found == &jobs[i]);
}

TEST_CASE("slots for many are in the deque when they are filled") {
  split_deque d(8, split_deque::overflow::refuse);
  auto jobs = make_jobs(3);
  job** const slots = d.push_many(3);
  REQUIRE(slots != nullptr);
  CHECK(d.private_size() == 0);
  for(int i = 0; i != 3; ++i)
    slots[i] = &jobs[i];
  d.filled(3);
  CHECK(d.private_size() == 3);
  for(int i = 3; i-- != 0;)
    CHECK(take(d, slots + i));
}

TEST_CASE("a thief publishes for an owner that does not come to it") {
  if(!rondo::detail::has_heavy_fence)
    return;
  split_deque d(128, split_deque::overflow::grow);
  auto jobs = make_jobs(100);
  CHECK_FALSE(d.publish_by_force()); // there is nothing
  for(int i = 0; i != 100; ++i)
    push(d, &jobs[i]);
  CHECK(d.hides_any());
  std::thread([&] {
    CHECK(d.publish_by_force());
    CHECK(d.published_size() == split_deque::ring_capacity);
    for(std::uint32_t i = 0; i != split_deque::ring_capacity; ++i)
      CHECK(d.steal() == &jobs[i]);
    CHECK(d.steal() == nullptr);
    CHECK(d.publish_by_force()); // the rest, and nothing is left out
    CHECK(d.published_size() == 100 - split_deque::ring_capacity);
    CHECK_FALSE(d.hides_any());
    CHECK_FALSE(d.publish_by_force());
    CHECK(d.steal() == &jobs[split_deque::ring_capacity]);
  }).join();
  for(int i = 100; i-- != int{split_deque::ring_capacity} + 1;)
    CHECK(d.pop().found == &jobs[i]);
  CHECK(d.pop().found == nullptr);
}

TEST_CASE("forks that were published by force are taken back, or found stolen") {
  if(!rondo::detail::has_heavy_fence)
    return;
  split_deque d(8, split_deque::overflow::refuse);
  auto jobs = make_jobs(4);
  job** slots[4];
  for(int i = 0; i != 4; ++i)
    slots[i] = d.push(&jobs[i]);
  std::thread([&] {
    CHECK(d.publish_by_force());
    CHECK(d.steal() == &jobs[0]);
    CHECK(d.steal() == &jobs[1]);
  }).join();
  CHECK(take(d, slots[3]));
  CHECK(take(d, slots[2]));
  CHECK_FALSE(take(d, slots[1]));
  CHECK_FALSE(take(d, slots[0]));
  CHECK(d.private_size() == 0);
  CHECK(d.untouched());
}

TEST_CASE("no more is published than the ring holds, and the rest stays private") {
  constexpr int n = 300;
  split_deque d(512, split_deque::overflow::grow);
  auto jobs = make_jobs(n);
  for(int i = 0; i != n; ++i)
    push(d, &jobs[i]);
  CHECK(d.publish_if_bare());
  CHECK(d.published_size() == split_deque::ring_capacity);
  CHECK(d.private_size() == n - split_deque::ring_capacity);
  for(int i = n; i-- != 0;)
    CHECK(d.pop().found == &jobs[i]);
  CHECK(d.pop().found == nullptr);
}

TEST_CASE("every task runs exactly once while thieves take what they can") {
  const auto thieves = GENERATE(1, 2, 4);
  const bool by_half = GENERATE(false, true);
  const bool by_force = GENERATE(false, true);
  constexpr int n = 200000;
  auto jobs = make_jobs(n);
  split_deque d(16, split_deque::overflow::grow);
  std::atomic<int> left{n};
  const auto run = [&left](job* j) {
    static_cast<numbered*>(j)->runs.fetch_add(1, std::memory_order_relaxed);
    left.fetch_sub(1, std::memory_order_relaxed);
  };
  std::vector<std::thread> threads;
  for(int t = 0; t != thieves; ++t)
    threads.emplace_back([&] {
      while(left.load(std::memory_order_relaxed) != 0) {
        job* loot[8];
        const auto count = d.steal_half(loot, by_half ? 8 : 1);
        for(std::uint32_t i = 0; i != count; ++i)
          run(loot[i]);
        if(count == 0 && !(by_force && d.publish_by_force()))
          std::this_thread::yield();
      }
    });
  // Up and down in waves of all sizes, so that publishing, taking back and growing all happen.
  int pushed = 0;
  for(unsigned wave = 1; pushed != n; wave = wave * 7 % 61) {
    for(unsigned i = 0; i != wave && pushed != n; ++i, ++pushed)
      if(!d.show(&jobs[pushed]))
        push(d, &jobs[pushed]);
    for(unsigned i = 0; i != wave - wave / 4; ++i) {
      const auto [found, published] = d.pop();
      if(found != nullptr)
        run(found);
      if(i % 8 == 0)
        d.publish_if_bare();
    }
  }
  while(job* const j = d.pop().found)
    run(j);
  for(auto& t : threads)
    t.join();
  CHECK(
    std::all_of(jobs.get(), jobs.get() + n, [](const numbered& j) { return j.runs.load() == 1; }));
}

namespace {

/// A recursion whose forks go through the deque: returns how many leaves this thread has run.
long tree(split_deque& d, int depth, numbered*& next, std::atomic<long>& stolen_open) {
  if(depth == 0)
    return 1;
  numbered* const mine = next++;
  job** const slot = [&] {
    job** const s = d.push(mine);
    return s != nullptr ? s : d.push_slow(mine).slot;
  }();
  stolen_open.fetch_add(1, std::memory_order_relaxed);
  long sum = tree(d, depth - 1, next, stolen_open);
  if(slot == nullptr || take(d, slot)) {
    mine->runs.fetch_add(1, std::memory_order_relaxed);
    stolen_open.fetch_sub(1, std::memory_order_relaxed);
    sum += tree(d, depth - 1, next, stolen_open);
  }
  return sum;
}

} // namespace

TEST_CASE("every fork is either taken back or stolen, never both") {
  const bool by_force = GENERATE(false, true);
  constexpr int depth = 12;
  constexpr int rounds = 20;
  split_deque d(8, split_deque::overflow::refuse); // smaller than deep: some are refused
  std::atomic<bool> stop{false};
  std::atomic<long> open{0};
  std::vector<std::thread> threads;
  for(int t = 0; t != 2; ++t)
    threads.emplace_back([&] {
      while(!stop.load(std::memory_order_relaxed))
        if(job* const j = d.steal()) {
          static_cast<numbered*>(j)->runs.fetch_add(1, std::memory_order_relaxed);
          open.fetch_sub(1, std::memory_order_release); // the job may be deleted after this
        }
        else if(by_force) {
          d.publish_by_force();
        }
    });
  bool once = true;
  for(int round = 0; round != rounds; ++round) {
    auto jobs = make_jobs(std::size_t{1} << depth);
    numbered* next = jobs.get();
    tree(d, depth, next, open);
    while(open.load(std::memory_order_acquire) != 0)
      std::this_thread::yield();
    for(numbered* j = jobs.get(); j != next; ++j)
      once = once && j->runs.load() == 1;
  }
  stop.store(true);
  for(auto& t : threads)
    t.join();
  CHECK(once);
}
