// The time between tasks that come at once: most are guessed.

#include <cstdint>

#include <catch2/catch.hpp>

#include "usual_gap.hpp"

using rondo::detail::usual_gap;

namespace {

/// Lets so many pass, all as long as that. Returns how many were measured.
int pass(usual_gap& g, int count, std::uint64_t gap) {
  int measured = 0;
  for(int i = 0; i != count; ++i)
    if(!g.can_be_guessed()) {
      g.note(gap);
      ++measured;
    }
  return measured;
}

} // namespace

TEST_CASE("the first gap is measured, then one of thirteen") {
  usual_gap g;
  CHECK(g.guessed() == 0);
  CHECK(pass(g, 1, 30) == 1);
  CHECK(g.guess() == 30);
  CHECK(pass(g, 12, 30) == 0);
  CHECK(g.guessed() == 12);
  CHECK(pass(g, 13 * 100, 30) == 100);
  CHECK(g.guess() == 30);
}

TEST_CASE("the guess follows what is measured") {
  usual_gap g;
  pass(g, 13 * 100, 30);
  pass(g, 13 * 100, 60);
  CHECK(g.guess() >= 53); // of whole numbers, rounded down
  CHECK(g.guess() <= 60);
  pass(g, 13 * 100, 20);
  CHECK(g.guess() == 20);
}

TEST_CASE("a gap in which the core was taken away is no rule") {
  usual_gap g;
  pass(g, 13 * 100, 30);
  for(int i = 0; i != 5; ++i)
    pass(g, 13, 4'000'000);
  CHECK(g.guess() <= 35);
  // But a first one that was too short does not stay for ever.
  usual_gap other;
  pass(other, 1, 1);
  pass(other, 13 * 100, 50);
  CHECK(other.guess() >= 43);
}
