// Which worker runs what of a closed loop: the choice, and what must hold whatever happens to the workers.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/tracing/loop_lanes.hpp>

#include "clerk.hpp"
#include "ring.hpp"

using namespace rondo;
using namespace ring_program;
using detail::loop_lanes;

namespace {

/// A pass over so many of the points, as a closed loop has it.
std::unique_ptr<detail::trace_template> compiled(ring& points, std::size_t n) {
  detail::recording pass;
  points.record(pass, n);
  auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  return made;
}

} // namespace

TEST_CASE("a point stays in its lane, next to its neighbours") {
  ring points(16);
  const auto made = compiled(points, 16);
  for(const unsigned workers : {2U, 4U}) {
    const loop_lanes found = loop_lanes::find(*made, workers);
    CHECK(found.count == workers);
    for(std::uint32_t i = 0; i != 32; ++i)
      CHECK(found.lane_of[i] == i % 16 * workers / 16);
  }
  CHECK(loop_lanes::find(*made, 1).count == 1);
  CHECK(loop_lanes::find(*made, 100).count == 16);
}

TEST_CASE("a point stays in its lane wherever in the step the pass begins") {
  const std::size_t width = GENERATE(2U, 5U, 16U);
  ring points(width);
  detail::recording step;
  points.record(step, width);
  for(std::size_t begin = 0; begin != step.size(); ++begin) {
    CAPTURE(width, begin);
    detail::recording pass;
    for(std::size_t k = 0; k != step.size(); ++k)
      pass.add(step[(begin + k) % step.size()]);
    pass.repeat(64 / step.size() + 1);
    const auto made = detail::trace_template::compile(pass);
    REQUIRE(made != nullptr);
    const loop_lanes found = loop_lanes::find(*made, 2);
    REQUIRE(found.count == 2);
    if(width % 2 == 0)
      CHECK(found.keeps_all_busy(*made));
    // The number of the lane is nobody's affair, nor which half the point in the middle belongs to.
    std::vector<std::uint32_t> lane_of(width);
    for(std::uint32_t k = 0; k != step.size(); ++k)
      lane_of[(begin + k) % width] = found.lane_of[k];
    std::size_t on_both_sides = 0;
    for(std::uint32_t k = 0; k != pass.size(); ++k)
      CHECK(found.lane_of[k] == lane_of[(begin + k) % width]);
    for(std::size_t i = 0; i != width; ++i)
      on_both_sides += lane_of[i] != lane_of[(i + 1) % width] ? 1 : 0;
    CHECK(on_both_sides == 2);
  }
}

TEST_CASE("launches look first for what is missing of their own lane") {
  ring points(16);
  const auto made = compiled(points, 16);
  const std::uint64_t edges = made->edges_kept();
  const loop_lanes found = loop_lanes::find(*made, 4);
  made->look_in_own_lane_first(found.lane_of);
  CHECK(made->edges_kept() == edges);
  std::map<const detail::progress*, std::uint32_t> lane_of;
  for(std::uint32_t i = 0; i != made->size(); ++i)
    lane_of[(*made)[i].done] = found.lane_of[i];
  unsigned foreign = 0;
  for(std::uint32_t i = 0; i != made->size(); ++i) {
    const detail::template_node& n = (*made)[i];
    bool was_foreign = false;
    for(const detail::edge* e = n.edges; e != n.edges + n.edge_count; ++e) {
      const bool is_foreign = lane_of.at(&e->from()) != found.lane_of[i];
      CHECK((is_foreign || !was_foreign));
      was_foreign = is_foreign;
      foreign += is_foreign ? 1 : 0;
    }
  }
  CHECK(foreign != 0);
}

TEST_CASE("there are no lanes where launches come one after the other, or can't be shared evenly") {
  ring points(16);
  const auto chain = compiled(points, 1);
  CHECK(loop_lanes::find(*chain, 2).count == 1);
  CHECK(loop_lanes::find(*chain, 2).fair_share == detail::batch::most);
  const auto uneven_by_one = compiled(points, 3);
  CHECK(loop_lanes::find(*uneven_by_one, 2).count == 2); // two and one
  CHECK(loop_lanes::find(*uneven_by_one, 3).count == 3);
  detail::recording busy;
  points.record_one_busy_point(busy, 6);
  const auto lopsided = detail::trace_template::compile(busy, true);
  CHECK(loop_lanes::find(*lopsided, 2).count == 1);
  CHECK(loop_lanes::find(*lopsided, 2).fair_share == 2);
}

namespace {

constexpr detail::access_mode write_and_read[] = {
  detail::access_mode::write, detail::access_mode::read, detail::access_mode::read};
constexpr detail::launch_kind of_color = {
  .modes = write_and_read, .accesses = 2, .is_plain = true, .ends_by_itself = true};
constexpr detail::launch_kind sum_of_color = of_color;
constexpr detail::launch_kind from_neighbours = {
  .modes = write_and_read, .accesses = 3, .is_plain = true, .ends_by_itself = true};
constexpr detail::launch_kind sum_of_all = {
  .modes = write_and_read, .accesses = 3, .is_plain = true, .ends_by_itself = true};
constexpr detail::launch_kind look_at_sum = {
  .modes = write_and_read, .accesses = 1, .is_plain = true, .ends_by_itself = true};
constexpr detail::launch_kind count_passes = look_at_sum;
constexpr detail::launch_kind change = look_at_sum;
constexpr detail::launch_kind make_from = of_color;
constexpr detail::access_mode reduce_and_read[] = {
  detail::access_mode::reduce, detail::access_mode::read};
constexpr detail::launch_kind sum_up = {
  .modes = reduce_and_read, .accesses = 2, .is_plain = true, .ends_by_itself = true};

template<class... R>
void add(detail::recording& pass, const detail::launch_kind& kind, R*... used) {
  detail::region_base* const regions[] = {used...};
  pass.add({&kind, regions, {}, "task"});
}

/// So many sweeps over two points, to and fro between two copies of each, and then a task that takes up the sum of both, and one
/// that looks at that, or at how often it was called.
void record_sweeps(ring& points, detail::recording& pass, int sweeps) {
  const auto point = [&points](std::size_t i) { return &points.point(i); };
  for(int sweep = 0; sweep != sweeps; ++sweep) {
    for(std::size_t i : {0, 1})
      add(pass, from_neighbours, point(6 + i), point(i), point(1 - i));
    for(std::size_t i : {0, 1})
      add(pass, from_neighbours, point(i), point(6 + i), point(7 - i));
  }
  add(pass, sum_of_color, point(2), point(0));
  add(pass, sum_of_color, point(3), point(1));
  add(pass, sum_of_all, point(4), point(2), point(3));
  add(pass, look_at_sum, point(4));
  add(pass, count_passes, point(5));
}

} // namespace

TEST_CASE("tasks that take up a sum, or look at it, don't keep two colors from having lanes") {
  ring points(8);
  // Such loops are found to repeat with any launch first.
  const int sweeps = GENERATE(1, 2, 10);
  detail::recording step;
  record_sweeps(points, step, sweeps);
  for(std::size_t begin = 0; begin != step.size(); ++begin) {
    CAPTURE(sweeps, begin);
    detail::recording pass;
    for(std::size_t k = 0; k != step.size(); ++k)
      pass.add(step[(begin + k) % step.size()]);
    pass.repeat(3);
    const auto made = detail::trace_template::compile(pass);
    REQUIRE(made != nullptr);
    const loop_lanes found = loop_lanes::find(*made, 2);
    REQUIRE(found.count == 2);
    std::map<const detail::region_base*, std::uint32_t> lane_of;
    for(std::uint32_t k = 0; k != pass.size(); ++k)
      if(pass[k].kind == &from_neighbours || pass[k].kind == &sum_of_color) {
        CHECK(lane_of.try_emplace(pass[k].regions[0], found.lane_of[k]).first->second ==
              found.lane_of[k]);
        CHECK(found.length_of[k] > 1);
      }
      else
        CHECK(found.length_of[k] == 1);
    CHECK(lane_of[&points.point(0)] != lane_of[&points.point(1)]);
    CHECK(lane_of[&points.point(0)] == lane_of[&points.point(2)]);
    CHECK(lane_of[&points.point(1)] == lane_of[&points.point(3)]);
    CHECK(found.keeps_all_busy(*made));
  }
}

TEST_CASE("launches of which few may run side by side stay together") {
  // What one task hands on to the next is most of the work, perhaps.
  ring points(6);
  detail::recording pass;
  detail::region_base* const state = &points.point(0);
  detail::region_base* const inboxes[] = {&points.point(1), &points.point(2)};
  for(auto* const inbox : inboxes)
    add(pass, look_at_sum, inbox);
  add(pass, sum_of_all, state, inboxes[0], inboxes[1]);
  for(auto* const inbox : inboxes)
    add(pass, of_color, inbox, state);
  add(pass, sum_of_all, state, inboxes[0], inboxes[1]);
  add(pass, sum_of_all, state, inboxes[0], inboxes[1]);
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  CHECK(loop_lanes::find(*made, 2).count == 1);
  CHECK(loop_lanes::find(*made, 2).fair_share == detail::batch::most);
}

TEST_CASE("each of several meshes is shared out, wherever its colors stand") {
  // Two meshes of two colors, and three tasks before them that have none.
  ring points(16);
  detail::recording pass;
  const auto add_at = [&](const detail::launch_kind& kind, std::size_t point) {
    add(pass, kind, &points.point(point), &points.point(point + 1));
  };
  for(const std::size_t alone : {8U, 10U, 12U})
    add_at(look_at_sum, alone);
  for(int times = 0; times != 4; ++times) {
    add_at(of_color, 0);
    add_at(of_color, 2);
    add_at(sum_of_color, 4);
    add_at(sum_of_color, 6);
  }
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  const loop_lanes found = loop_lanes::find(*made, 2);
  REQUIRE(found.count == 2);
  CHECK(found.lane_of[3] != found.lane_of[4]);
  CHECK(found.lane_of[5] != found.lane_of[6]);
}

TEST_CASE("launches at one place are shared out as a whole, though some have more accesses") {
  ring points(16);
  detail::recording pass;
  const std::source_location here = std::source_location::current();
  for(std::size_t i = 0; i != 16; ++i) {
    detail::region_base* const used[] = {
      &points.point(i), &points.point(15 - i), &points.point(i / 2)};
    pass.add({i % 4 == 0 ? &look_at_sum : &sum_of_color, used, here, ""});
  }
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  const loop_lanes found = loop_lanes::find(*made, 2);
  REQUIRE(found.count == 2);
  for(std::size_t i = 0; i != 16; ++i)
    CHECK(found.length_of[i] > 1);
}

TEST_CASE("regions that lie together are in one lane, at whatever ends a wave begins") {
  ring points(16);
  detail::recording pass;
  for(std::size_t i = 0; i != 8; ++i)
    for(const std::size_t k : {i, 15 - i})
      add(pass, change, &points.point(k));
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  const loop_lanes found = loop_lanes::find(*made, 2);
  REQUIRE(found.count == 2);
  for(std::uint32_t i = 0; i != 16; ++i)
    CHECK(found.lane_of[i] == i % 2);
}

TEST_CASE("lanes have as much work each, as far as regions say how much it is") {
  ring points(8);
  detail::recording pass;
  for(std::size_t i = 0; i != 8; ++i) {
    points.point(i).note_elements(i < 2 ? 30'000 : 10'000);
    add(pass, change, &points.point(i));
  }
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  const loop_lanes found = loop_lanes::find(*made, 2);
  REQUIRE(found.count == 2);
  for(std::uint32_t i = 0; i != 8; ++i)
    CHECK(found.lane_of[i] == (i < 2 ? 0 : 1));
  CHECK(found.keeps_all_busy(*made));
}

TEST_CASE("a task that sums up a region is as much work as one that changes it") {
  ring points(4);
  detail::recording pass;
  for(std::size_t i = 0; i != 3; ++i) {
    points.point(i).note_elements(10'000);
    add(pass, sum_up, &points.point(3), &points.point(i));
  }
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  const loop_lanes found = loop_lanes::find(*made, 2);
  for(std::uint32_t i = 0; i != 3; ++i)
    CHECK(found.length_of[i] == found.length_of[0]);
  CHECK(found.length_of[0] > 1000);
}

TEST_CASE("many short launches don't hide that the long ones would run one after the other") {
  ring points(66);
  const auto pass_with = [&points](std::uint64_t elements) {
    for(const std::size_t i : {0U, 1U})
      points.point(i).note_elements(elements);
    detail::recording pass;
    for(std::size_t k = 0; k != 2; ++k) // each needs what the other one has made
      add(pass, make_from, &points.point(k), &points.point(1 - k));
    for(std::size_t i = 2; i != 66; ++i)
      add(pass, change, &points.point(i));
    auto made = detail::trace_template::compile(pass);
    REQUIRE(made != nullptr);
    made->deal_out(2);
    return made->has_lanes();
  };
  CHECK(pass_with(0));
  CHECK_FALSE(pass_with(100'000));
}

TEST_CASE("lanes whose launches would wait in turn for each other are not worth having in a flow") {
  // Each point is made from the one before, of the same pass: at a time one launch for every second point may
  // run. Of lanes that take turns, point by point, only one would ever be busy.
  static constexpr detail::access_mode modes[] = {
    detail::access_mode::read, detail::access_mode::write};
  static constexpr detail::launch_kind kind = {
    .modes = modes, .accesses = 2, .is_plain = true, .ends_by_itself = true};
  ring points(9);
  detail::recording pass;
  for(int times = 0; times != 8; ++times)
    for(std::size_t i = 1; i != 9; ++i) {
      detail::region_base* const used[] = {&points.point(i - 1), &points.point(i)};
      pass.add({&kind, used, {}, "point"});
    }
  auto made = detail::trace_template::compile(pass);
  REQUIRE(made != nullptr);
  loop_lanes by_turns = loop_lanes::find(*made, 2);
  loop_lanes in_halves = by_turns;
  by_turns.count = in_halves.count = 2;
  for(std::uint32_t i = 0; i != made->size(); ++i) {
    by_turns.lane_of[i] = i % 2;
    in_halves.lane_of[i] = i % 8 / 4;
  }
  CHECK_FALSE(by_turns.keeps_all_busy(*made));
  CHECK(in_halves.keeps_all_busy(*made));
}

TEST_CASE("lanes wait for each other, however long one of them takes") {
  const unsigned workers = GENERATE(2U, 3U, 4U);
  const std::size_t width = GENERATE(2U, 5U, 16U);
  CAPTURE(workers, width);
  constexpr std::uint64_t passes = 400;
  ring points(width, workers);
  CHECK(points.repeat(passes, sleeping(256)) == by_hand(width, passes));
}

TEST_CASE("tasks of a lane may leave their stack, as may those of a worker that is alone") {
  const unsigned workers = GENERATE(1U, 2U, 3U);
  constexpr std::uint64_t passes = 100;
  ring points(8, workers);
  CHECK(points.repeat(passes, waiting(points.home())) == by_hand(8, passes));
}

TEST_CASE("tasks of a lane may end later, wherever that is told") {
  constexpr std::uint64_t passes = 200;
  constexpr std::size_t width = 6;
  clerk elsewhere;
  executor ex(2);
  flow f(ex);
  std::vector<long> values(width, 0), sums(width, 0);
  std::deque<region<long>> value, sum;
  for(std::size_t i = 0; i != width; ++i) {
    value.emplace_back(f, values[i]);
    sum.emplace_back(f, sums[i]);
  }
  f.repeat(passes, [&] {
    for(std::size_t i = 0; i != width; ++i)
      f.submit(ends_later("later",
                 [&elsewhere](completion done, long& x) {
                   ++x;
                   elsewhere.hand(done);
                 }),
        write(value[i]));
    for(std::size_t i = 0; i != width; ++i)
      f.submit([](const long& own, const long& next, long& to) { to += own + next; },
        read(value[i]), read(value[(i + 1) % width]), write(sum[i]));
  });
  f.wait();
  CHECK(values == std::vector<long>(width, passes));
  CHECK(sums == std::vector<long>(width, passes * (passes + 1)));
}
