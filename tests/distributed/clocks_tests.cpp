// How the clocks of ranks stand to each other. Here all have the same one: so what is measured has to be zero, but for what it says
// it may be wrong by.

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/clocks.hpp>
#include <rondo/distributed/transports.hpp>

using namespace rondo;
using detail::clock_offset;

namespace {

std::vector<clock_offset> compared(unsigned ranks, bool trusts_node) {
  const auto transports = make_local_transports(ranks);
  std::vector<clock_offset> offsets(ranks);
  std::vector<std::jthread> threads;
  for(unsigned r = 0; r != ranks; ++r)
    threads.emplace_back(
      [&, r] { offsets[r] = detail::compare_clocks(*transports[r], trusts_node); });
  threads.clear();
  return offsets;
}

} // namespace

TEST_CASE("clocks that ask each other are right up to what they say") {
  for(const unsigned ranks : {1U, 2U, 3U, 7U, 8U}) {
    const std::vector<clock_offset> offsets = compared(ranks, false);
    CHECK(offsets[0].nanoseconds == 0);
    CHECK(offsets[0].skew == 0);
    for(unsigned r = 1; r != ranks; ++r) {
      INFO("rank " << r << " of " << ranks);
      CHECK(std::abs(offsets[r].nanoseconds) <= offsets[r].skew);
      CHECK(offsets[r].skew > 0);
    }
  }
}

TEST_CASE("ranks of one node have one clock") {
  for(const clock_offset& o : compared(5, true)) {
    CHECK(o.nanoseconds == 0);
    CHECK(o.skew == 0);
  }
}
