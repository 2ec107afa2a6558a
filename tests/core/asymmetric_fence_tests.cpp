#include <atomic>
#include <cstdint>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/core/split_deque.hpp>

using rondo::detail::heavy_fence;
using rondo::detail::light_fence;

namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t rounds = 5'000;
#else
constexpr std::uint64_t rounds = 50'000;
#endif

struct alignas(rondo::cache_line) word {
  std::atomic<std::uint64_t> value{0};
};

/// So many rounds in which both write a word of their own and then look at the other one's. How
/// often both missed what the other one has written.
template<class Often, class Rarely>
std::uint64_t both_missed(Often&& often, Rarely&& rarely) {
  word launched;
  word asked;
  word begun_by_often;
  word begun_by_rarely;
  std::uint64_t seen_by_often = 0;
  std::uint64_t seen_by_rarely = 0;
  std::uint64_t missed = 0;
  // Both begin a round when the other one has ended the round before, so nearly at the same time.
  const auto meet = [](word& mine, const word& other, std::uint64_t round) {
    mine.value.store(round, std::memory_order_release);
    for(unsigned looks = 0; other.value.load(std::memory_order_acquire) < round; ++looks)
      if(looks < 1000)
        rondo::pause();
      else
        std::this_thread::yield();
  };
  std::thread other([&] {
    for(std::uint64_t round = 1; round <= rounds; ++round) {
      meet(begun_by_rarely, begun_by_often, 2 * round);
      asked.value.store(round, std::memory_order_relaxed);
      rarely();
      seen_by_rarely = launched.value.load(std::memory_order_relaxed);
      meet(begun_by_rarely, begun_by_often, 2 * round + 1);
    }
  });
  for(std::uint64_t round = 1; round <= rounds; ++round) {
    meet(begun_by_often, begun_by_rarely, 2 * round);
    // Sometimes a bit later, since a heavy fence takes its time.
    for(std::uint64_t i = 0; i != round % 64; ++i)
      rondo::pause();
    launched.value.store(round, std::memory_order_relaxed);
    often();
    seen_by_often = asked.value.load(std::memory_order_relaxed);
    meet(begun_by_often, begun_by_rarely, 2 * round + 1);
    missed += seen_by_often != round && seen_by_rarely != round ? 1 : 0;
  }
  other.join();
  return missed;
}

} // namespace

TEST_CASE("of a light fence and a heavy one, one side sees what the other one has written") {
  CHECK(both_missed([] { light_fence(); }, [] { heavy_fence(); }) == 0);
}

TEST_CASE("heavy fences on both sides do as well") {
  CHECK(both_missed([] { heavy_fence(); }, [] { heavy_fence(); }) == 0);
}

TEST_CASE("full fences on both sides do as well") {
  CHECK(both_missed([] { rondo::detail::full_fence(); }, [] { rondo::detail::full_fence(); }) == 0);
}

TEST_CASE("without a heavy fence both sides would miss something", "[.]") {
  // Shows that the rounds above can fail; whether they do is up to the machine.
  CHECK(both_missed([] { std::atomic_signal_fence(std::memory_order_seq_cst); },
          [] { std::atomic_signal_fence(std::memory_order_seq_cst); }) != 0);
}
