#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/notifier.hpp>

using namespace std::chrono_literals;
using rondo::notifier;

TEST_CASE("notify_one without sleepers wakes nobody") {
  notifier n;
  CHECK_FALSE(n.notify_one());
  n.begin_search();
  CHECK_FALSE(n.notify_one());
  CHECK_FALSE(n.end_search());
}

TEST_CASE("a sleeper that is woken before it blocks doesn't block") {
  notifier n;
  n.begin_search();
  const auto ticket = n.prepare_sleep();
  CHECK(n.sleeping() == 1);
  CHECK(n.notify_one());
  CHECK(n.sleeping() == 0);
  CHECK(n.sleep(ticket));
  CHECK_FALSE(n.end_search());
}

TEST_CASE("nobody is woken while somebody searches, and the last searcher is told of sleepers") {
  notifier n;
  n.begin_search();
  const auto ticket = n.prepare_sleep();
  n.begin_search(); // somebody else
  CHECK_FALSE(n.notify_one());
  CHECK(n.end_search());
  CHECK(n.notify_one());
  CHECK(n.sleep(ticket));
}

TEST_CASE("one that was woken counts as searching at once, so a burst wakes one after another") {
  notifier n;
  n.begin_search();
  (void)n.prepare_sleep();
  n.begin_search();
  (void)n.prepare_sleep();
  CHECK(n.notify_one());
  CHECK_FALSE(n.notify_one());
}

TEST_CASE("a sleep ends at its limit and leaves no trace") {
  notifier n;
  n.begin_search();
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(n.sleep(n.prepare_sleep(), 5ms));
  CHECK(std::chrono::steady_clock::now() - begin >= 5ms);
  CHECK(n.sleeping() == 0);
  CHECK_FALSE(n.end_search());
}

TEST_CASE("a cancelled sleep gives back the wake-up that came meanwhile") {
  notifier n;
  n.begin_search();
  (void)n.prepare_sleep();
  CHECK(n.notify_one());
  n.cancel_sleep();
  // The token is gone: the next sleeper really sleeps.
  CHECK_FALSE(n.sleep(n.prepare_sleep(), 1ms));
}

TEST_CASE("notify_all wakes those who slept, also if a later sleeper takes their token") {
  notifier n;
  n.begin_search();
  const auto first = n.prepare_sleep();
  n.notify_all();
  n.begin_search(); // a later sleeper: there is a token, and tokens have no names
  CHECK(n.sleep(n.prepare_sleep(), 1ms));
  CHECK(n.sleep(first, 1ms)); // was meant, and must look at what it waits for
  CHECK(n.sleeping() == 0);
}

TEST_CASE("notify_all reaches one that was woken already and lost its token") {
  notifier n;
  n.begin_search();
  const auto first = n.prepare_sleep();
  CHECK(n.notify_one());
  n.notify_all();
  n.begin_search();
  CHECK(n.sleep(n.prepare_sleep(), 1ms));
  CHECK(n.sleep(first, 1ms));
  CHECK(n.sleeping() == 0);
}

TEST_CASE("no event that concerns one sleeper is lost among many") {
  constexpr int sleepers = 4;
  constexpr int rounds = 3000;
  notifier n;
  std::array<std::atomic<int>, sleepers> told{};
  std::array<std::atomic<int>, sleepers> seen{};
  std::vector<std::thread> threads;
  for(int me = 0; me != sleepers; ++me)
    threads.emplace_back([&, me] {
      n.begin_search();
      for(int round = 1; round <= rounds; ++round) {
        while(told[me].load(std::memory_order_seq_cst) < round) {
          const auto ticket = n.prepare_sleep();
          if(told[me].load(std::memory_order_seq_cst) >= round) {
            n.cancel_sleep();
            break;
          }
          n.sleep(ticket);
        }
        seen[me].store(round, std::memory_order_release);
      }
      (void)n.end_search();
    });
  // Each is told by itself, and the next time only after it has answered; all in disorder.
  const auto give_up = std::chrono::steady_clock::now() + 100s;
  bool all_seen = false;
  while(!all_seen && std::chrono::steady_clock::now() < give_up) {
    all_seen = true;
    for(int i = 0; i != sleepers; ++i) {
      const int round = told[i].load(std::memory_order_relaxed);
      if(seen[i].load(std::memory_order_acquire) == round && round != rounds) {
        told[i].store(round + 1, std::memory_order_seq_cst);
        n.notify_all();
      }
      all_seen = all_seen && seen[i].load(std::memory_order_acquire) == rounds;
    }
  }
  CHECK(all_seen);
  if(!all_seen) // let them end, so that the failure is told
    for(auto& t : told)
      t.store(rounds, std::memory_order_seq_cst);
  while(!all_seen && n.sleeping() != 0)
    n.notify_all();
  for(auto& t : threads)
    t.join();
}

TEST_CASE("no piece of work is left while all sleep") {
  constexpr int workers = 4;
  constexpr int pieces = 20000;
  notifier n;
  std::atomic<int> work{0};
  std::atomic<int> done{0};
  std::atomic<bool> stop{false};
  const auto take = [&] {
    int seen = work.load(std::memory_order_seq_cst);
    while(seen != 0)
      if(work.compare_exchange_weak(seen, seen - 1, std::memory_order_seq_cst))
        return true;
    return false;
  };
  std::vector<std::thread> threads;
  for(int i = 0; i != workers; ++i)
    threads.emplace_back([&] {
      n.begin_search();
      while(!stop.load(std::memory_order_seq_cst)) {
        bool found = take();
        if(!found) {
          const auto ticket = n.prepare_sleep();
          found = take();
          if(found || stop.load(std::memory_order_seq_cst))
            n.cancel_sleep();
          else
            n.sleep(ticket);
        }
        if(!found)
          continue;
        if(n.end_search() && work.load(std::memory_order_seq_cst) != 0)
          n.notify_one();
        done.fetch_add(1, std::memory_order_relaxed);
        n.begin_search();
      }
      (void)n.end_search();
    });
  int given = 0;
  bool lost = false;
  while(given != pieces && !lost) {
    const int burst = 1 + given % 7;
    for(int i = 0; i != burst && given != pieces; ++i, ++given) {
      work.fetch_add(1, std::memory_order_seq_cst);
      n.notify_one();
    }
    const auto give_up = std::chrono::steady_clock::now() + 60s;
    while(done.load(std::memory_order_relaxed) != given && !lost) {
      std::this_thread::yield();
      lost = std::chrono::steady_clock::now() > give_up;
    }
  }
  CHECK_FALSE(lost);
  stop.store(true, std::memory_order_seq_cst);
  n.notify_all();
  for(auto& t : threads)
    t.join();
}
