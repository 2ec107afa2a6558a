// What finds that launches repeat. Its hashes come from addresses, that is, from chance; here they
// are given.

#include <cstdint>
#include <vector>

#include "random_programs.hpp"

#include <catch2/catch.hpp>
#include <rondo/tracing/finder.hpp>

using random_programs::mix;
using rondo::detail::finder;

namespace {

/// Launches until the finder tells a period, and that period; or nothing after `passes`.
struct answer {
  std::size_t period;
  std::size_t launches;
};
answer ask(finder& f, const std::vector<std::uint64_t>& pass, std::size_t passes) {
  for(std::size_t i = 0; i != passes * pass.size(); ++i)
    if(f.see(pass[i % pass.size()]))
      if(const std::size_t period = f.look(); period != 0)
        return {period, i + 1};
  return {0, 0};
}

} // namespace

TEST_CASE("any loop is found by the end of its third pass, whatever the hashes are") {
  // One launch tells the period; the others come many times in a pass.
  for(std::uint64_t seed = 0; seed != 3000; ++seed) {
    CAPTURE(seed);
    const std::size_t length = 6 + mix(seed, 0) % 300;
    const std::size_t others = 1 + mix(seed, 1) % 9;
    std::vector<std::uint64_t> pass;
    for(std::size_t i = 0; i + 1 != length; ++i)
      pass.push_back(mix(seed, 100 + mix(seed, 1000 + i) % others));
    pass.push_back(mix(seed, 2));
    finder f;
    const answer a = ask(f, pass, 4);
    CHECK(a.launches <= 3 * length);
    REQUIRE(a.period != 0);
    // A pass may itself hold repeats, and these be told first. What is told is true.
    CHECK(a.period <= length);
    std::size_t differ = 0;
    for(std::size_t i = a.launches - a.period; i != a.launches; ++i)
      differ += pass[i % length] != pass[(i - a.period) % length];
    CHECK(differ == 0);
  }
}

TEST_CASE("launches whose hashes are much alike do not hide each other") {
  for(const std::uint64_t apart : {1U, 32U, 128U, 4096U}) {
    CAPTURE(apart);
    std::vector<std::uint64_t> pass;
    for(std::uint64_t i = 0; i != 99; ++i)
      pass.push_back(apart * (1 + mix(7, i) % 3));
    pass.push_back(apart * 9);
    finder f;
    const answer a = ask(f, pass, 4);
    CHECK(a.period == 100);
    CHECK(a.launches <= 300);
  }
}

TEST_CASE("a loop is found again after a new beginning, and what was before does not count") {
  finder f;
  std::vector<std::uint64_t> pass;
  for(std::uint64_t i = 0; i != 50; ++i)
    pass.push_back(mix(3, i));
  CHECK(ask(f, pass, 3).period == 50);
  f.begin_anew();
  const answer again = ask(f, pass, 3);
  CHECK(again.period == 50);
  CHECK(again.launches >= 100);
}
