// Plans as they are read: what a rank does, which ranks do the same, and where its loop is.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "plan/loop_of_role.hpp"
#include "plan/plan_reader.hpp"
#include "report/made_runs.hpp"

using namespace rondo::simulate;
using made::mode;
using made::run;

namespace {

using distances = std::vector<std::uint32_t>;

distances before(const role& r, std::size_t i) {
  const auto all = r.before_of(r.launches.at(i));
  return {all.begin(), all.end()};
}

plan read(run& r) {
  plan_reader reader;
  for(const auto& one : r.made().ranks)
    reader.add(one);
  return reader.take(r.made().ranks_of_run);
}

/// A launch whose task takes no time, as in plans.
void add(run& r, std::uint64_t n, const std::string& name, std::vector<made::use> uses,
  unsigned rank = 0) {
  r.launch(static_cast<double>(n), n, name, std::move(uses), {.rank = rank});
  r.task(100.0 + static_cast<double>(n), 100.0 + static_cast<double>(n), n, name, {.rank = rank});
}

/// Passes of two launches, of which the second one waits for the first, and the first one for the second of the pass before; then
/// a launch that waits for the last one.
run passes(unsigned count) {
  run r;
  for(unsigned p = 0; p != count; ++p) {
    add(r, 2 * p, "a", {{1, mode::write}});
    add(r, 2 * p + 1, "b", {{1, mode::write}});
  }
  add(r, 2 * count, "end", {{1, mode::read}});
  return r;
}

} // namespace

TEST_CASE("launches of a plan wait for those that they share regions with") {
  run r;
  add(r, 0, "a", {{1, mode::write}});
  add(r, 1, "b", {{2, mode::write}});
  add(r, 2, "c", {{1, mode::read}, {2, mode::read}});
  add(r, 3, "d", {{1, mode::write}});
  const plan p = read(r);
  REQUIRE(p.ranks.size() == 1);
  REQUIRE(p.roles.size() == 1);
  const role& does = p.roles[0];
  REQUIRE(does.launches.size() == 4);
  CHECK(p.sites.at(does.launches[2].site).name == "c");
  CHECK(before(does, 0).empty());
  CHECK(before(does, 1).empty());
  CHECK(before(does, 2) == distances{1, 2});
  CHECK(before(does, 3) == distances{1}); // the one that reads waits for the one before
  CHECK(does.loop_begin == does.loop_end);
}

TEST_CASE("launches of a plan wait for the futures that they take, and so does the main thread") {
  run r;
  add(r, 0, "reduce", {{1, mode::write}});
  add(r, 1, "other", {{2, mode::write}});
  add(r, 2, "takes", {{3, mode::write}});
  r.wait(2.5, 3, "made.cpp:9");
  add(r, 3, "behind", {{4, mode::write}});
  auto& shapes = r.made().ranks[0].lanes[0].shapes;
  shapes[0].has_result = true;
  shapes[2].futures = 1;
  const plan p = read(r);
  const role& does = p.roles.at(0);
  REQUIRE(does.launches.size() == 5);
  CHECK(does.launches[0].has_result);
  CHECK(before(does, 2) == distances{2});
  CHECK(does.launches[3].is_wait);
  CHECK_FALSE(does.launches[3].waits_for_all);
  CHECK(before(does, 3) == distances{3});
  CHECK_FALSE(does.launches[4].is_wait);
}

TEST_CASE("messages of a plan belong to launches, in their order") {
  run r(2);
  add(r, 0, "send", {{1, mode::write}}, 0);
  add(r, 0, "take", {{1, mode::write}}, 1);
  r.message({0, 0}, 101, {1, 0}, 102, 64);
  r.message({1, 0}, 103, {0, 0}, 104, 16);
  const plan p = read(r);
  REQUIRE(p.roles.size() == 2);
  const role& first = p.roles[p.ranks[0].role];
  REQUIRE(first.launches.at(0).actions == 2);
  CHECK(first.actions[0] == action{true, 0, 64});
  CHECK(first.actions[1] == action{false, 0, 16});
  CHECK(p.ranks[0].out == std::vector<stream>{{1, 1}});
  CHECK(p.ranks[0].in == std::vector<stream>{{1, 2}});
  CHECK(p.ranks[1].in == std::vector<stream>{{0, 1}});
}

TEST_CASE("ranks that do the same with other neighbours have one role") {
  run r(4);
  for(unsigned rank = 0; rank != 4; ++rank)
    add(r, 0, "send", {{1, mode::write}}, rank);
  for(unsigned rank = 0; rank != 4; ++rank)
    r.message({rank, 0}, 101, {(rank + 1) % 4, 0}, 102, 64);
  const plan p = read(r);
  // The order in which a rank sends and takes differs on rank 0, where the message of rank 3 was told last.
  CHECK(p.roles.size() <= 2);
  CHECK(p.ranks[1].role == p.ranks[2].role);
  CHECK(p.ranks[1].out.at(0).peer == 2);
  CHECK(p.ranks[2].out.at(0).peer == 3);
}

TEST_CASE("a plan that lacks ranks, or has them in another order, is refused") {
  run r(2);
  plan_reader reader;
  CHECK_THROWS_WITH(reader.add(r.made().ranks[1]), Catch::Contains("lacks rank 0"));
  reader.add(r.made().ranks[0]);
  CHECK_THROWS_WITH(reader.take(2), Catch::Contains("1 of 2 ranks"));
  r.made().ranks[1].lanes[0].dropped = 1;
  CHECK_THROWS_WITH(reader.add(r.made().ranks[1]), Catch::Contains("plan fewer passes"));
}

TEST_CASE("the loop of a role is what repeats, from where it waits for the same as before") {
  run r = passes(6);
  const plan p = read(r);
  const role& does = p.roles.at(0);
  CHECK(does.loop_end - does.loop_begin == 2);
  CHECK(does.loop_begin + 2 * does.repetitions + (does.launches.size() - does.loop_end) == 13);
  CHECK(does.repetitions >= 5);
  for(std::uint32_t i = does.loop_begin; i != does.loop_end; ++i)
    CHECK(before(does, i) == distances{1});
}

TEST_CASE("what comes twice is no loop") {
  run r = passes(2);
  CHECK(read(r).roles.at(0).repetitions == 0);
  CHECK(read(r).roles.at(0).launches.size() == 5);
}

TEST_CASE("a longer loop has as many passes more as the program") {
  run r = passes(8);
  plan p = read(r);
  const std::uint32_t planned = p.roles[0].repetitions;
  lengthen(p, 8, 100);
  CHECK(p.roles[0].repetitions == planned + 92);
  lengthen(p, 100, 8);
  CHECK(p.roles[0].repetitions == planned);

  // A pass of the program is two of the repetitions, or half of one.
  lengthen(p, 4, 14);
  CHECK(p.roles[0].repetitions == planned + 20);
  p = read(r);
  lengthen(p, 16, 26);
  CHECK(p.roles[0].repetitions == planned + 5);
  CHECK_THROWS_WITH(lengthen(p, 26, 27), Catch::Contains("do not come out even"));

  run without = passes(2);
  p = read(without);
  CHECK_THROWS_WITH(lengthen(p, 2, 100), Catch::Contains("plan more passes"));
}
