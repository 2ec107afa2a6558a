// What ranks have to agree on about ghosts, without any rank.

#include <array>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <rondo/distributed/coherence.hpp>
#include <tracing/random_programs.hpp>

using namespace rondo::detail;
using random_programs::dice;

namespace {

constexpr std::array<short, 3> depths{1, 2, rondo::whole_halo};

struct use_of_a_launch : coherence_use {
  short depth;
};

use_of_a_launch any_use(dice& d) {
  return {{.writes_owned = d.one_in(2),
            .writes_ghosts = d.one_in(6),
            .reads_ghosts = d.one_in(2),
            .reads_before = d.one_in(2)},
    depths[d.below(depths.size())]};
}

/// A field on a rank: what it does for launches, and how old its ghosts really are.
struct rank_model {
  coherence state;
  std::uint64_t version = 0;                         ///< Of owned points.
  std::array<std::uint64_t, depths.size()> ghosts{}; ///< For each depth.
  bool are_copies = false;
  std::vector<coherence_step> steps;

  /// Launched, and run if its pass is.
  void launch(use_of_a_launch use, bool runs) {
    use.reads_before = use.reads_before && use.reads_ghosts;
    const coherence_step step = before_launch(state, use, use.depth);
    steps.push_back(step);
    state = after_launch(step.then, use);
    if(!runs)
      return;
    are_copies = are_copies || step.separates;
    for(std::size_t i = 0; i != depths.size() && depths[i] <= use.depth; ++i) {
      if(step.fetches)
        ghosts[i] = version;
      if(use.reads_ghosts)
        REQUIRE(ghosts[i] == version);
    }
    if(use.writes_owned || use.writes_ghosts)
      ++version;
  }
};

bool are_same(const std::vector<coherence_step>& a, const std::vector<coherence_step>& b) {
  if(a.size() != b.size())
    return false;
  for(std::size_t i = 0; i != a.size(); ++i)
    if(!(a[i].then == b[i].then) || a[i].separates != b[i].separates ||
       a[i].fetches != b[i].fetches)
      return false;
  return true;
}

} // namespace

TEST_CASE("ghosts are fetched once after they have been made stale, and not again") {
  const coherence_use reads{.reads_ghosts = true};
  const coherence_use writes{.writes_owned = true};
  coherence now = after_launch(before_launch({}, writes).then, writes);
  const coherence_step first = before_launch(now, reads);
  CHECK(first.fetches);
  CHECK_FALSE(before_launch(after_launch(first.then, reads), reads).fetches);
}

TEST_CASE("ghosts are fetched no deeper than a launch asks for, and deeper when one does") {
  const coherence_use reads{.reads_ghosts = true};
  const coherence_use writes{.writes_owned = true};
  const coherence stale = after_launch({}, writes);
  const coherence_step near = before_launch(stale, reads, 1);
  CHECK(near.fetches);
  CHECK(near.then == coherence{.is_stale = true, .near = 1});
  CHECK_FALSE(before_launch(near.then, reads, 1).fetches);
  const coherence_step deeper = before_launch(near.then, reads, 2);
  CHECK(deeper.fetches);
  CHECK_FALSE(before_launch(deeper.then, reads, 1).fetches);
  const coherence_step all = before_launch(deeper.then, reads, rondo::whole_halo);
  CHECK(all.fetches);
  CHECK(all.then == coherence{});
  CHECK_FALSE(before_launch(all.then, reads, 2).fetches);
  CHECK(before_launch(after_launch(deeper.then, writes), reads, 1).fetches);
  CHECK(after_loop(deeper.then).near == 0);
}

TEST_CASE("a launch that writes what others may still read of it needs copies, once") {
  const coherence_use both{.writes_owned = true, .reads_ghosts = true, .reads_before = true};
  const coherence_step first = before_launch({}, both);
  CHECK(first.separates);
  CHECK(first.fetches);
  CHECK_FALSE(before_launch(after_launch(first.then, both), both).separates);
  const coherence_use in_place{.writes_owned = true, .reads_ghosts = true};
  CHECK_FALSE(before_launch({}, in_place).separates);
}

TEST_CASE("a launch that writes a color waits for those who read it in place, once") {
  using enum in_place_readers;
  const auto step = [](in_place_readers now, const coherence_use& use, bool fetches) {
    return before_launch({.readers = now}, use, fetches, fetches, false);
  };
  const coherence_use reads{.reads_ghosts = true};
  const coherence_use writes{.writes_owned = true};
  const coherence_use both{.writes_owned = true, .reads_ghosts = true};
  CHECK_FALSE(step(nobody, writes, false).clears);
  const in_place_step read = step(nobody, reads, false);
  CHECK_FALSE(read.clears);
  CHECK(read.then.readers == anybody);
  const in_place_step written = step(anybody, writes, false);
  CHECK(written.clears);
  CHECK(written.then.readers == nobody);
  CHECK_FALSE(step(nobody, writes, false).clears);
  // Readers that wrote are waited for by whatever fills ghosts from what they wrote; other readers are not.
  const in_place_step swept = step(nobody, both, true);
  CHECK(swept.then.readers == tasks_that_write_their_own);
  CHECK_FALSE(step(tasks_that_write_their_own, both, true).clears);
  CHECK(step(tasks_that_write_their_own, both, false).clears);
  CHECK(step(anybody, both, true).clears);
}

TEST_CASE(
  "a launch that names its neighbours is waited for without more, and leaves waits to later ones") {
  using enum in_place_readers;
  const coherence_use reads{.reads_ghosts = true};
  const coherence_use writes{.writes_owned = true};
  const coherence_use both{.writes_owned = true, .reads_ghosts = true};
  CHECK(may_name_neighbours(reads));
  CHECK_FALSE(may_name_neighbours(writes));
  CHECK_FALSE(may_name_neighbours(both));
  CHECK_FALSE(may_name_neighbours({.writes_ghosts = true, .reads_ghosts = true}));
  const in_place_step named = before_launch({}, reads, true, true, true);
  CHECK_FALSE(named.waits);
  CHECK(named.then == in_place_state{.owes_waits = true});
  CHECK_FALSE(before_launch(named.then, writes, false, false, false).clears);
  const in_place_step behind = before_launch(named.then, both, false, false, false);
  CHECK(behind.waits);
  CHECK(behind.then == in_place_state{.readers = tasks_that_write_their_own});
  CHECK_FALSE(before_launch(behind.then, both, false, false, false).waits);
}

TEST_CASE("ranks that launch differently far ahead do the same after the loop") {
  for(std::uint64_t seed = 0; seed != 2000; ++seed) {
    dice d(seed);
    constexpr std::size_t ranks = 4;
    std::vector<rank_model> all(ranks);
    for(unsigned block = 0, blocks = 1 + d.below(5); block != blocks; ++block) {
      std::vector<use_of_a_launch> before(d.below(4)), body(1 + d.below(4));
      for(use_of_a_launch& u : before)
        u = any_use(d);
      for(use_of_a_launch& u : body)
        u = any_use(d);
      const unsigned most = 1 + d.below(6);
      std::vector<unsigned> since(body.size()); // launches that come in late passes only
      for(unsigned& s : since)
        s = d.one_in(2) ? 0 : d.below(most + 1);
      const unsigned run = 1 + d.below(most);
      for(rank_model& r : all) {
        for(const use_of_a_launch& u : before)
          r.launch(u, true);
        const coherence at_entry = r.state;
        const unsigned launched = run + d.below(most - run + 1);
        const std::size_t steps = r.steps.size();
        for(unsigned pass = 0; pass != launched; ++pass)
          for(std::size_t i = 0; i != body.size(); ++i)
            if(pass >= since[i])
              r.launch(body[i], pass < run);
        r.state = after_loop(at_entry);
        r.steps.resize(steps); // what passes in vain have launched is nobody's concern
      }
    }
    for(const rank_model& r : all) {
      CAPTURE(seed);
      REQUIRE(r.state == all.front().state);
      REQUIRE(r.version == all.front().version);
      REQUIRE(are_same(r.steps, all.front().steps));
      // Where copies are needed they are made: at the latest by the next launch that asks.
      REQUIRE((!r.state.is_apart || r.are_copies));
    }
  }
}

TEST_CASE("of two bodies one runs, and neither counts on what the other would have done") {
  for(std::uint64_t seed = 0; seed != 2000; ++seed) {
    dice d(seed);
    rank_model r;
    const auto launch_some = [&](bool run) {
      for(unsigned i = 0, n = d.below(4); i != n; ++i)
        r.launch(any_use(d), run);
    };
    for(unsigned block = 0, blocks = 1 + d.below(5); block != blocks; ++block) {
      CAPTURE(seed, block);
      launch_some(true);
      const coherence at_entry = r.state;
      const bool is_so = d.one_in(2);
      launch_some(is_so);
      r.state = after_loop(at_entry);
      launch_some(!is_so);
      r.state = after_loop(at_entry);
    }
    launch_some(true);
  }
}
