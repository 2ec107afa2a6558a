// Lanes have as many launches each, but not as much to do: workers help each other.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

using namespace rondo;

namespace {

constexpr std::size_t chains = 16;
constexpr int passes = 150;

/// Launches of the second half of the chains take ten times as long. Returns how many of them began while another one ran.
int long_ones_beside_others(bool is_guarded) {
  executor ex({.workers = 2});
  flow f(ex);
  trace t("uneven");
  std::array<long, chains> counts{};
  std::vector<std::unique_ptr<region<long>>> regions;
  for(long& n : counts)
    regions.push_back(std::make_unique<region<long>>(f, n));
  std::atomic<int> running{0};
  std::atomic<int> beside{0};
  const auto pass = [&] {
    for(std::size_t i = 0; i != chains; ++i) {
      const int is_long = i >= chains / 2 ? 1 : 0;
      const auto work = [&running, &beside, is_long](long& n) {
        beside += running.fetch_add(is_long) * is_long;
        ++n;
        std::this_thread::sleep_for(std::chrono::microseconds(is_long != 0 ? 600 : 60));
        running -= is_long;
      };
      f.submit(work, write(*regions[i]));
    }
  };
  for(int k = 0; k != passes; ++k)
    if(is_guarded) {
      const auto g = t.make_guard();
      pass();
    }
    else
      pass();
  f.wait();
  for(const long n : counts)
    CHECK(n == passes);
  return beside;
}

/// Alone on its lane, a worker never runs one beside another. How often it happens is a matter of who gets a core when, so several tries.
bool help_each_other(bool is_guarded) {
  for(int tries = 0; tries != 10; ++tries)
    if(long_ones_beside_others(is_guarded) > 3 * passes * static_cast<int>(chains / 2) / 8)
      return true;
  return false;
}

} // namespace

TEST_CASE("a worker whose lane is done helps one that has more to do") {
  CHECK(help_each_other(true));
  CHECK(help_each_other(false));
}
