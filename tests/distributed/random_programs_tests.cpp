// Random programs on ranks that are threads of this process, next to one loop over whole arrays.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "random/folder.hpp"
#include "random/sides.hpp"
#include "ranks.hpp"

using namespace random_programs;

namespace {

/// Of the program under way, for a debugger, when a test hangs.
volatile std::uint64_t seed_under_way = 0;

using connect = std::vector<std::unique_ptr<rondo::transport>> (*)(unsigned, std::uint64_t);

std::vector<std::unique_ptr<rondo::transport>> at_once(unsigned ranks, std::uint64_t /*seed*/) {
  return rondo::make_local_transports(ranks);
}
/// Which ranks share memory depends on the seed.
std::vector<std::unique_ptr<rondo::transport>> on_nodes(unsigned ranks, std::uint64_t seed) {
  return rondo::make_shared_memory_transports(ranks, 2 + unsigned(mix(seed, 102) % 4));
}
std::vector<std::unique_ptr<rondo::transport>> late(unsigned ranks, std::uint64_t seed) {
  auto all = rondo::make_local_transports(ranks);
  for(auto& t : all)
    t = rondo::make_delayed(
      std::move(t), {.latency = std::chrono::microseconds(mix(seed, 100) % 20),
                      .jitter = std::chrono::microseconds(1 + mix(seed, 101) % 100),
                      .seed = seed});
  return all;
}

void run_seed(std::uint64_t seed, connect between, const std::string& files) {
  seed_under_way = seed;
  const plan p = make_plan(seed, true);
  const outcome expected = run_alone(p);
  dice d(mix(seed, 99));
  const auto ranks =
    static_cast<unsigned>(std::min<std::uint64_t>(1 + d.below(5), p.fewest_colors));
  const unsigned workers = 1 + d.below(3);
  std::vector<std::string> different(ranks);
  on_ranks(between(ranks, seed), workers,
    [&](rondo::scheduler& s) {
      different[s.rank()] = difference(expected, run_together(p, s, files), s.rank() == 0);
    },
    {.window = p.window, .find_repeats = p.finds_repeats});
  for(unsigned r = 0; r != ranks; ++r)
    if(!different[r].empty())
      FAIL("RONDO_SEED=" << seed << ", " << p.dimensions << " dimensions, rank " << r << " of "
                         << ranks << ", " << workers << " workers:" << different[r]);
}

void run_seeds(std::uint64_t first, std::uint64_t count, connect between) {
  if(const char* const one = std::getenv("RONDO_SEED")) {
    first = std::strtoull(one, nullptr, 10);
    count = 1;
  }
  if(const char* const n = std::getenv("RONDO_SEEDS"))
    count = std::strtoull(n, nullptr, 10);
  const folder here;
  for(std::uint64_t seed = first; seed != first + count; ++seed)
    run_seed(seed, between, here.path());
}

// Sanitizers take ten times as long.
#if defined(RONDO_SANITIZED)
constexpr std::uint64_t share = 100;
#else
constexpr std::uint64_t share = 900;
#endif

} // namespace

TEST_CASE("random programs on ranks have the results of one loop over whole arrays") {
  run_seeds(0, share * 2 / 3, at_once);
}

TEST_CASE("random programs have the same results when ranks of a node share memory") {
  run_seeds(2'000'000, share * 2 / 3, on_nodes);
}

TEST_CASE("random programs have the same results when messages are late and out of step") {
  run_seeds(1'000'000, share / 3, late);
}
