// How all ranks hear of an accusation.

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "divergence/accusation_tree.hpp"
#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/transports.hpp>

using namespace rondo;
using namespace rondo::detail;

namespace {

/// Ranks one after the other, in one thread.
struct world {
  explicit world(unsigned ranks) : transports(make_local_transports(ranks)), heard(ranks) {
    for(const auto& t : transports)
      trees.push_back(std::make_unique<accusation_tree>(*t, 5, has_news));
  }
  ~world() { trees.clear(); }

  /// What a divergence check does with what it hears; ranks hear at most once of each.
  void hear(unsigned rank, const accusation& v) {
    heard[rank].push_back(v);
    trees[rank]->tell(v);
  }
  /// All that has been sent before arrives, and nothing that is sent meanwhile. Returns whether anything has.
  bool round() {
    bool any = false;
    for(const auto& t : transports)
      while(t->poll())
        ;
    std::vector<std::pair<unsigned, accusation>> come;
    for(unsigned r = 0; r != trees.size(); ++r) {
      trees[r]->go_on();
      while(const std::optional<accusation> v = trees[r]->hear())
        come.emplace_back(r, *v);
    }
    for(const auto& [rank, v] : come) {
      hear(rank, v);
      any = true;
    }
    return any;
  }

  std::atomic<bool> has_news{false};
  std::vector<std::unique_ptr<transport>> transports;
  std::vector<std::unique_ptr<accusation_tree>> trees;
  std::vector<std::vector<accusation>> heard;
};

accusation of(std::uint32_t accuser, std::uint32_t accused, bool is_answered) {
  accusation v{};
  v.launch = 7;
  v.accuser = accuser;
  v.accused = accused;
  v.is_answered = is_answered;
  return v;
}

unsigned log2_of(unsigned ranks) { return static_cast<unsigned>(std::bit_width(ranks - 1)); }

} // namespace

TEST_CASE("whoever tells, each other rank is told once, by a rank that knows, within log2 steps") {
  for(unsigned ranks = 1; ranks != 70; ++ranks)
    for(unsigned from = 0; from != ranks; ++from) {
      CAPTURE(ranks, from);
      std::vector<unsigned> steps(ranks, 0);
      std::vector<bool> knows(ranks, false);
      knows[from] = true;
      std::deque<unsigned> next{from};
      std::size_t count = 1;
      while(!next.empty()) {
        const unsigned rank = next.front();
        next.pop_front();
        for(const unsigned distance : told_behind(rank, from, ranks)) {
          REQUIRE(std::has_single_bit(distance));
          const unsigned to = (rank + distance) % ranks;
          REQUIRE(!knows[to]);
          knows[to] = true;
          steps[to] = steps[rank] + 1;
          ++count;
          next.push_back(to);
        }
      }
      REQUIRE(count == ranks);
      REQUIRE(*std::max_element(steps.begin(), steps.end()) <= log2_of(ranks));
    }
}

TEST_CASE("an accusation of any rank reaches all others in log2 rounds of messages") {
  for(const unsigned ranks : {2U, 3U, 8U, 37U, 64U}) {
    const auto accuser = static_cast<unsigned>(meshes::mix(1, ranks) % ranks);
    // The one before it in the ring: the last to hear if it went round.
    const unsigned accused = (accuser + ranks - 1) % ranks;
    CAPTURE(ranks, accuser);
    world w(ranks);
    for(const bool is_answered : {false, true}) {
      const unsigned from = is_answered ? accused : accuser;
      w.hear(from, of(accuser, accused, is_answered));
      unsigned rounds = 0;
      while(w.round())
        ++rounds;
      CHECK(rounds <= log2_of(ranks));
      for(unsigned r = 0; r != ranks; ++r) {
        REQUIRE(w.heard[r].size() == (is_answered ? 2 : 1));
        CHECK(w.heard[r].back().is_answered == is_answered);
        CHECK(w.heard[r].back().launch == 7);
      }
    }
  }
}

TEST_CASE("what has not been sent yet gives way to what is told later") {
  world w(2);
  w.hear(0, of(0, 1, false));
  w.hear(0, of(0, 1, false)); // the first one may still be under way
  accusation last = of(0, 1, false);
  last.launch = 9;
  w.hear(0, last);
  for(int i = 0; i != 6; ++i)
    w.round();
  REQUIRE(!w.heard[1].empty());
  CHECK(w.heard[1].size() <= 3);
  CHECK(w.heard[1].back().launch == 9);
}
