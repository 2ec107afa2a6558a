// What is found out about runs whose answers are known.

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis.hpp"
#include "compare.hpp"
#include "loop_graph.hpp"
#include "report/made_runs.hpp"

using namespace rondo::report;
using made::mode;
using made::run;

namespace {

/// The numbers of the launches that a launch waits for, those that stand between looked through.
std::set<std::uint64_t> waits_for(const analysis& a, std::uint64_t number) {
  std::set<std::uint64_t> found;
  for(std::uint32_t n = 0; n != a.graph.nodes.size(); ++n) {
    const node& x = a.graph.nodes[n];
    if(!x.has_run() || a.spans.all[x.first].number != number)
      continue;
    std::vector<std::uint32_t> left(a.graph.before(n).begin(), a.graph.before(n).end());
    while(!left.empty()) {
      const std::uint32_t m = left.back();
      left.pop_back();
      if(a.graph.nodes[m].has_run())
        found.insert(a.spans.all[a.graph.nodes[m].first].number);
      else
        left.insert(left.end(), a.graph.before(m).begin(), a.graph.before(m).end());
    }
  }
  return found;
}
using numbers = std::set<std::uint64_t>;

double us(std::int64_t ns) { return 1e-3 * static_cast<double>(ns); }

const part_row* part(const analysis& a, const std::string& what) {
  const auto at = std::ranges::find(a.parts, what, &part_row::what);
  return at == a.parts.end() ? nullptr : &*at;
}

/// Launches and tasks one after the other, ten microseconds each.
void line_of(run& r, const std::vector<std::vector<made::use>>& all) {
  for(std::uint64_t i = 0; i != all.size(); ++i) {
    r.launch(0, i, "t" + std::to_string(i), all[i]);
    r.task(10.0 * double(i), 10.0 * double(i) + 9, i, "t" + std::to_string(i));
  }
}

} // namespace

TEST_CASE("who waits for whom follows from what launches do with regions") {
  run r;
  line_of(r, {{{1, mode::write}}, {{1, mode::read}}, {{1, mode::read}}, {{1, mode::write}},
               {{2, mode::write}}, {{1, mode::read}, {2, mode::read}}, {{2, mode::write}},
               {{2, mode::write}}});
  const analysis a(r.made());
  CHECK(waits_for(a, 0) == numbers{});
  CHECK(waits_for(a, 1) == numbers{0});
  CHECK(waits_for(a, 2) == numbers{0});
  CHECK(waits_for(a, 3) == numbers{1, 2});
  CHECK(waits_for(a, 4) == numbers{});
  CHECK(waits_for(a, 5) == numbers{3, 4});
  CHECK(waits_for(a, 6) == numbers{5});
  CHECK(waits_for(a, 7) == numbers{6});
}

TEST_CASE("parts, commuting launches and contributions don't wait for each other") {
  for(const mode how : {mode::write_part, mode::commute, mode::reduce}) {
    run r;
    line_of(r, {{{1, mode::write}}, {{1, how}}, {{1, how}}, {{1, how}}, {{1, mode::read}},
                 {{1, mode::read}}, {{1, mode::none}}, {{1, mode::write}}});
    const analysis a(r.made());
    for(const std::uint64_t i : {1U, 2U, 3U})
      CHECK(waits_for(a, i) == numbers{0});
    for(const std::uint64_t i : {4U, 5U})
      CHECK(waits_for(a, i) == numbers{1, 2, 3});
    CHECK(waits_for(a, 6) == numbers{});
    CHECK(waits_for(a, 7) == numbers{4, 5});
  }
}

TEST_CASE("many that wait for many have few edges") {
  run r;
  std::vector<std::vector<made::use>> all(500, {{1, mode::write_part}});
  all.resize(1000, {{1, mode::read}});
  line_of(r, all);
  const analysis a(r.made());
  CHECK(a.graph.edges.size() < 3000);
  CHECK(waits_for(a, 999).size() == 500);
}

TEST_CASE("a launch that is left out makes others wait all the same") {
  run r;
  r.launch(0, 0, "first", {{1, mode::write}});
  r.launch(0, 1, "left out", {{1, mode::read}, {2, mode::write}}, {.has_task = false});
  r.launch(0, 2, "last", {{2, mode::read}});
  r.task(0, 10, 0, "first");
  r.task(12, 20, 2, "last");
  const analysis a(r.made());
  CHECK(waits_for(a, 2) == numbers{0});
  CHECK(a.table.size() == 2);
}

TEST_CASE("passes of repeat wait for those before") {
  run r;
  const auto how = rondo::launch_info::how_type::repeated;
  r.launch(0, 7, "a", {{1, mode::write}, {2, mode::read}}, {.how = how, .step = 1, .passes = 3});
  r.launch(0, 7, "b", {{1, mode::read}, {2, mode::write}}, {.how = how, .step = 2, .passes = 3});
  for(std::uint64_t pass = 0; pass != 3; ++pass) {
    r.task(20.0 * double(pass), 20.0 * double(pass) + 8, 7, "a", {.step = 1, .pass = pass});
    r.task(20.0 * double(pass) + 10, 20.0 * double(pass) + 18, 7, "b", {.step = 2, .pass = pass});
  }
  const analysis a(r.made());
  REQUIRE(a.graph.nodes.size() == 6);
  for(std::uint32_t n = 0; n != 6; ++n) {
    REQUIRE(a.graph.nodes[n].has_run());
    CHECK(a.graph.before(n).size() == (n == 0 ? 0 : 1));
    if(n != 0)
      CHECK(a.graph.before(n)[0] == n - 1);
  }
  REQUIRE(part(a, "waiting for a worker") != nullptr);
  CHECK(part(a, "waiting for a worker")->seconds == Approx(10e-6));
  CHECK(part(a, "a")->seconds == Approx(24e-6));
}

TEST_CASE("the critical path goes through what was waited for last") {
  run r(1, 2);
  r.launch(1, 0, "long", {{1, mode::write}});
  r.launch(2, 1, "short", {{2, mode::write}});
  r.launch(3, 2, "both", {{1, mode::read}, {2, mode::read}});
  r.task(5, 45, 0, "long");
  r.task(5, 15, 1, "short", {.worker = 1});
  r.task(47, 60, 2, "both");
  r.end(62);
  const analysis a(r.made());
  REQUIRE(a.path.size() == 6);
  CHECK(a.path[0].kind == path_part::kind_type::launching);
  CHECK(us(a.path[0].end) == 1);
  CHECK(a.path[1].kind == path_part::kind_type::waiting_for_worker); // from the launch on
  CHECK(us(a.path[2].length()) == 40);
  CHECK(a.path[3].kind == path_part::kind_type::waiting_for_worker);
  CHECK(us(a.path[4].length()) == 13);
  CHECK(us(a.path[5].length()) == 2); // the program's end
  CHECK(part(a, "short") == nullptr);
  CHECK(part(a, "long")->share == Approx(40.0 / 62));
  const auto both = std::ranges::find_if(
    a.table, [&](const table_row& row) { return a.spans.sites[row.site].name == "both"; });
  CHECK(both->delay_mean == Approx(2e-6));
}

TEST_CASE("a task that waited for a busy worker has the worker's task before it") {
  run r;
  r.launch(0, 0, "first", {{1, mode::write}});
  r.launch(0, 1, "second", {{2, mode::write}});
  r.task(1, 21, 0, "first");
  r.task(22, 30, 1, "second");
  const analysis a(r.made());
  REQUIRE(part(a, "first") != nullptr);
  CHECK(part(a, "first")->seconds == Approx(20e-6));
  CHECK(part(a, "second")->seconds == Approx(8e-6));
}

TEST_CASE("a get() in the loop shows in the path") {
  run r;
  for(std::uint64_t i = 0; i != 5; ++i) {
    const double at = 20.0 * double(i);
    r.launch(at, i, "computes", {{1, mode::write}});
    r.task(at + 1, at + 11, i, "computes");
    r.wait(at + 0.5, at + 12, "made.cpp:9");
  }
  const analysis a(r.made());
  CHECK(part(a, "computes")->seconds == Approx(50e-6));
  REQUIRE(part(a, "launching") != nullptr);
  CHECK(part(a, "launching")->seconds > 30e-6); // from the end of each to the next launch
  CHECK_THAT(words_of(a)[2], Catch::Contains("waited 5 times at made.cpp:9"));
}

TEST_CASE("messages are on the path, and would take no time on an ideal network") {
  run r(2);
  r.launch(0, 0, "sends", {{1, mode::write}}, {.rank = 0});
  r.launch(0, 0, "receives", {{1, mode::write}}, {.rank = 1});
  r.task(0, 10, 0, "sends", {.rank = 0});
  r.task(60, 70, 0, "receives", {.rank = 1});
  r.message({0, 0}, 10, {1, 0}, 60);
  const analysis a(r.made());
  REQUIRE(a.graph.arrows.size() == 1);
  CHECK(part(a, "message")->seconds == Approx(50e-6));
  CHECK(part(a, "sends")->seconds == Approx(10e-6));
  CHECK(us(ideal_end(a.spans, a.graph)) == 20);
  CHECK(a.efficiencies.transfer == Approx(20.0 / 70));
  CHECK(a.efficiencies.serialization == Approx(10.0 / 20));
  CHECK(a.efficiencies.balance == Approx(1));
  CHECK(a.efficiencies.parallel == Approx(10.0 / 70));
}

TEST_CASE("what waits for a task also waits for the message that comes when that has ended") {
  run r(2);
  for(const unsigned rank : {0U, 1U}) {
    r.launch(0, 0, "first", {{1, mode::write}}, {.rank = rank});
    r.launch(0, 1, "exchanges", {{1, mode::write}}, {.rank = rank});
    r.launch(0, 2, "uses", {{1, mode::read}}, {.rank = rank});
    r.task(0, 8, 0, "first", {.rank = rank});
    r.task(10, 15, 1, "exchanges", {.rank = rank});
    r.task(51, 60, 2, "uses", {.rank = rank});
  }
  r.message({0, 1}, 14, {1, 1}, 50);
  r.message({1, 1}, 14, {0, 1}, 50);
  const analysis a(r.made());
  CHECK(part(a, "message")->seconds == Approx(36e-6));
  REQUIRE(part(a, "first") != nullptr);
  CHECK(part(a, "first")->seconds == Approx(8e-6));
  for(const table_row& row : a.table)
    if(a.spans.sites[row.site].name == "uses")
      CHECK(row.delay_mean == Approx(1e-6));
  CHECK(us(ideal_end(a.spans, a.graph)) == 25);
}

TEST_CASE("a reduction goes from message to message, also when its task has ended") {
  run r(2);
  r.launch(1, 0, "reduce", {{1, mode::write}}, {.rank = 0});
  r.launch(2, 1, "uses it", {{1, mode::read}}, {.rank = 0});
  r.launch(1, 0, "reduce", {{1, mode::write}}, {.rank = 1});
  r.task(4, 5, 0, "reduce", {.rank = 0});
  r.task(4, 5, 0, "reduce", {.rank = 1});
  r.message({0, 0}, 5, {1, 0}, 45);  // it was late,
  r.message({1, 0}, 47, {0, 0}, 77); // and so is its answer
  r.task(80, 90, 1, "uses it", {.rank = 0});
  r.end(90);
  const analysis a(r.made());
  using kind = path_part::kind_type;
  std::map<kind, double> lengths;
  for(const path_part& p : a.path)
    lengths[p.kind] += us(p.length());
  CHECK(lengths[kind::message] == Approx(70)); // 40 and 30
  CHECK(lengths[kind::task] == Approx(11));
  CHECK(us(ideal_end(a.spans, a.graph)) == Approx(20)); // 5, 2 in between, 3 behind, and 10
}

TEST_CASE(
  "what takes a future waits for the result that was launched last, if it can have been that one") {
  for(const bool is_older : {false, true}) {
    run r(1, 2);
    r.launch(1, 0, "result", {{1, mode::write}});
    r.launch(2, 1, "later result", {{2, mode::write}});
    r.launch(3, 2, "takes it", {{3, mode::write}});
    auto& shapes = r.made().ranks[0].lanes[0].shapes;
    shapes[0].has_result = shapes[1].has_result = true;
    shapes[2].futures = 1;
    r.task(5, 40, 0, "result");
    r.task(5, 50, 1, "later result", {.worker = 1});
    r.task(is_older ? 42 : 52, 60, 2, "takes it"); // the future was the older one's
    r.end(60);
    const analysis a(r.made());
    CHECK((part(a, "later result") != nullptr) == !is_older);
    for(const table_row& row : a.table)
      if(a.spans.sites[row.site].name == "takes it")
        CHECK(row.delay_mean == Approx(is_older ? 39e-6 : 2e-6));
  }
}

TEST_CASE("tasks whose launches are not known have no delays, and are in the table") {
  run r;
  r.task(0, 10, 0, "unknown");
  r.task(12, 20, 1, "unknown");
  const analysis a(r.made());
  REQUIRE(a.table.size() == 1);
  CHECK(a.table[0].count == 2);
  CHECK(a.table[0].delay_mean == not_known);
  CHECK(part(a, "unknown")->seconds == Approx(18e-6));
}

TEST_CASE("what runs within a task, while that waits, is not the task's") {
  run r;
  r.task(0, 100, 0, "outer");
  r.task(20, 50, 1, "inner");
  const analysis a(r.made());
  REQUIRE(a.table.size() == 2);
  CHECK(a.table[0].total == Approx(70e-6));
  CHECK(a.table[1].total == Approx(30e-6));
  CHECK(a.table[0].share == Approx(0.7));
  CHECK(a.spans.all[1].depth == 1);
}

TEST_CASE("a run without tasks has nothing on its path") {
  run r;
  r.end(10);
  const analysis a(r.made());
  CHECK(a.path.empty());
  CHECK(a.table.empty());
  CHECK_FALSE(text_of(a).empty());
}

TEST_CASE("what has changed from one run to the next") {
  run before;
  run after;
  before.task(0, 100, 0, "computes");
  after.task(0, 50, 0, "computes");
  const analysis a(before.made());
  const analysis b(after.made());
  const comparison c = compared(a, b);
  REQUIRE(c.rows.size() == 1);
  CHECK(c.rows[0].total[0] == Approx(100e-6));
  CHECK(c.rows[0].total[1] == Approx(50e-6));
  CHECK_THAT(c.words[0], Catch::Contains("50 us in place of 100 us: 50 % less"));
  CHECK_THAT(c.words[1], Catch::StartsWith("computes took 50 us in place of 100 us"));
}

TEST_CASE("one pass of a loop is drawn, each launch behind what it waits for") {
  run r;
  const auto how = rondo::launch_info::how_type::repeated;
  r.launch(0, 7, "a", {{1, mode::write}}, {.how = how, .step = 1, .passes = 4});
  r.launch(0, 7, "b", {{1, mode::read}, {2, mode::write}},
    {.how = how, .step = 2, .passes = 4, .details = ", color 1"});
  r.launch(0, 7, "c", {{1, mode::read}, {2, mode::read}}, {.how = how, .step = 3, .passes = 4});
  for(std::uint64_t pass = 0; pass != 4; ++pass)
    for(std::uint32_t step = 1; step != 4; ++step)
      r.task(30.0 * double(pass) + 10 * (step - 1), 30.0 * double(pass) + 10 * step - 1, 7,
        std::string(1, char('a' + step - 1)), {.step = step, .pass = pass});
  auto& main = r.made().ranks[0].lanes[0];
  main.sites.push_back({.name = {}, .place = "made.cpp:30", .flow = 1});
  main.passes.push_back({.at = 1,
    .what = made::told_pass::what_type::begun,
    .kind = rondo::pass_info::kind_type::repeat,
    .site = static_cast<std::uint32_t>(main.sites.size() - 1),
    .loop = 7,
    .count = 4});
  const analysis a(r.made());
  const auto graphs = loop_graphs(a);
  REQUIRE(graphs.size() == 1);
  CHECK(graphs[0].title == "repeat, made.cpp:30");
  CHECK(graphs[0].passes == 4);
  REQUIRE(graphs[0].nodes.size() == 3);
  CHECK(graphs[0].nodes[1].details == ", color 1");
  for(std::uint32_t i = 0; i != 3; ++i)
    CHECK(graphs[0].nodes[i].column == i);
  CHECK(graphs[0].edges.size() == 3);
}

TEST_CASE("random runs: the path is without gaps, delays are not negative, edges go back") {
  std::mt19937 random(11);
  const auto draw = [&random](unsigned n) { return random() % n; };
  for(int i = 0; i != 200; ++i) {
    const unsigned ranks = 1 + draw(3);
    const unsigned workers = 1 + draw(3);
    run r(ranks, workers);
    double time = 0;
    std::vector<std::vector<double>> free(ranks, std::vector<double>(workers));
    for(std::uint64_t n = 0; n != 60; ++n)
      for(unsigned rank = 0; rank != ranks; ++rank) {
        static constexpr mode modes[] = {
          mode::none, mode::read, mode::write, mode::commute, mode::reduce, mode::write_part};
        std::vector<made::use> uses;
        for(unsigned k = draw(3); k != 0; --k)
          uses.push_back({draw(4), modes[draw(6)]});
        time += 0.1 * draw(10);
        r.launch(time, n, "t", uses, {.rank = rank, .has_task = draw(8) != 0});
        const unsigned worker = draw(workers);
        const double begin = std::max(free[rank][worker], time) + 0.1 * draw(20);
        const double end = begin + draw(20);
        r.task(begin, end, n, "t" + std::to_string(draw(5)), {.rank = rank, .worker = worker});
        free[rank][worker] = end;
        if(draw(10) == 0)
          r.wait(time, time + draw(30), "made.cpp:" + std::to_string(draw(3)), rank);
        if(ranks > 1 && n != 0 && draw(3) == 0)
          r.message({rank, n}, begin, {(rank + 1) % ranks, n - draw(2)}, begin + draw(10));
      }
    const analysis a(r.made());
    REQUIRE_FALSE(a.path.empty());
    CHECK(a.path.front().begin == 0);
    CHECK(a.path.back().end == a.spans.end);
    for(std::size_t k = 1; k != a.path.size(); ++k)
      REQUIRE(a.path[k].begin == a.path[k - 1].end);
    double sum = 0;
    for(const part_row& p : a.parts)
      sum += p.share;
    CHECK(sum == Approx(1));
    for(std::uint32_t n = 0; n != a.graph.nodes.size(); ++n)
      for(const std::uint32_t m : a.graph.before(n))
        REQUIRE(m < n);
    for(std::uint32_t k = 0; k != a.spans.all.size(); ++k)
      CHECK(delay_of(k, a.spans, a.graph, a.ready) >= -1);
    const efficiencies& e = a.efficiencies;
    CHECK(e.parallel == Approx(e.balance * e.serialization * e.transfer));
    for(const double x : {e.parallel, e.balance, e.serialization, e.transfer})
      CHECK((x >= 0 && x <= 1.0000001));
    double busy = 0;
    for(const double x : parallelism_of(a.spans, 100))
      busy += x * a.seconds() / 100;
    double total = 0;
    for(const table_row& row : a.table)
      total += row.total;
    CHECK(busy == Approx(total));
  }
}
