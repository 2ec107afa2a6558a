// A rank that waits for long for another one leaves the cores to others.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

/// Nothing is computed: so whatever the process uses is used by those who wait.
double sleep_on_first(line::view m, numbers::accessor<ro> /*u*/) {
  if(m.color() == 0)
    std::this_thread::sleep_for(std::chrono::seconds(2));
  return 1;
}

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace

TEST_CASE("ranks that wait for one that takes long use next to nothing of the cores") {
  constexpr unsigned ranks = 3;
  const bool share_memory = GENERATE(false, true);
  const double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const double begin = seconds_of(CLOCK_MONOTONIC);
  auto transports =
    share_memory ? make_shared_memory_transports(ranks, ranks) : make_local_transports(ranks);
  on_ranks(std::move(transports), share_memory ? 1 : 2, [](scheduler& s) {
    line m{s, {.extents = {12}, .colors = {6}}};
    numbers u{m, "u"};
    static_cast<void>(s.reduce<sleep_on_first, fold::sum>(m, u).get());
  });
  const double share =
    (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used) / (seconds_of(CLOCK_MONOTONIC) - begin) / ranks;
  std::printf("a rank that waits uses %.1f %% of a core\n", 100 * share);
  CHECK(share < 0.5);
}
