// Launches of a lane: each is claimed by just one, and the oldest first.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/tracing/lane_queue.hpp>
#include <rondo/tracing/launch.hpp>

using namespace rondo;
using detail::lane_queue;

TEST_CASE("launches are claimed in their order, as many as there are") {
  std::vector<detail::launch> all(10);
  lane_queue q(8);
  CHECK_FALSE(q.is_anything_left());
  CHECK(q.claim(5).count == 0);
  for(std::size_t i = 0; i != 8; ++i)
    q.push(all[i]);
  CHECK(q.is_anything_left());
  const lane_queue::range first = q.claim(3);
  REQUIRE(first.count == 3);
  for(std::size_t i = 0; i != 3; ++i)
    CHECK(&q[first.first + i] == &all[i]);
  // These have ended, so their slots are used again.
  q.push(all[8]);
  q.push(all[9]);
  const lane_queue::range rest = q.claim(100);
  REQUIRE(rest.count == 7);
  for(std::size_t i = 0; i != 7; ++i)
    CHECK(&q[rest.first + i] == &all[3 + i]);
  CHECK_FALSE(q.is_anything_left());
  CHECK(q.claim(1).count == 0);
}

TEST_CASE("any number of crews claim from a lane, and each launch is claimed once") {
  constexpr std::uint64_t launches = 20'000;
  constexpr std::size_t under_way = 64;
  std::vector<detail::launch> ring(under_way);
  lane_queue q(under_way);
  std::atomic<std::uint64_t> ended{0};
  const auto crew = [&](std::uint32_t at_most) {
    while(ended.load() != launches) {
      const lane_queue::range r = q.claim(at_most);
      for(std::uint32_t i = 0; i != r.count; ++i) {
        detail::launch& l = q[r.first + i];
        // The thread that has claimed it is the only one to touch it.
        l.index = l.index == 1 ? 2 : 99;
        while(ended.load() != r.first + i)
          std::this_thread::yield();
        ended.store(r.first + i + 1);
      }
      if(r.count == 0)
        std::this_thread::yield();
    }
  };
  std::vector<std::thread> crews;
  for(const std::uint32_t at_most : {1U, 3U, 64U})
    crews.emplace_back(crew, at_most);
  std::uint64_t wrong = 0;
  for(std::uint64_t i = 0; i != launches; ++i) {
    while(i >= ended.load() + under_way)
      std::this_thread::yield();
    detail::launch& l = ring[i % under_way];
    wrong += i >= under_way && l.index != 2 ? 1 : 0;
    l.index = 1;
    q.push(l);
  }
  for(std::thread& c : crews)
    c.join();
  CHECK(wrong == 0);
  CHECK_FALSE(q.is_anything_left());
}
