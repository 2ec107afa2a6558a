// What tasks cost, and costs as a whole: of timelines made by hand.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "costs/costs.hpp"
#include "report/made_runs.hpp"

using namespace rondo::simulate;
using made::run;

namespace {

/// Sites of tasks made by hand are all at this place.
std::string at(const std::string& name) { return key_of(name, "made.cpp:1"); }

/// Makes the task told last a piece of one.
void make_piece(run& r, unsigned worker, bool is_first, bool is_last) {
  auto& p = r.made().ranks[0].lanes[1 + worker].tasks.back();
  p.is_first = is_first;
  p.is_last = is_last;
}

/// Ranks of one host.
double shared_by(unsigned ranks, unsigned workers, unsigned cores) {
  run r(ranks, workers);
  for(auto& rank : r.made().ranks)
    rank.cores = cores;
  return costs_of(r.made()).shared;
}

task_times times_of(std::vector<double> levels) {
  return {.levels = std::move(levels), .spread = {0.5, 1, 1.25}, .count = 3};
}

} // namespace

TEST_CASE("a site's key is its name and its place, as far as they are known") {
  CHECK(key_of("task::average", "solver.cpp:40") == "task::average solver.cpp:40");
  CHECK(key_of("", "solver.cpp:40") == "solver.cpp:40");
  CHECK(key_of("(others)", "") == "(others)");
}

TEST_CASE("tasks of Rondo's own have a colon and a space in their name") {
  CHECK(is_of_runtime("halo: send"));
  CHECK_FALSE(is_of_runtime("task::average"));
  CHECK_FALSE(is_of_runtime(""));
}

TEST_CASE("tasks of a site have a level on each rank, and spread around it") {
  run r(2);
  r.task(0, 30, 0, "a");
  r.task(30, 40, 1, "a");
  r.task(40, 60, 2, "a");
  r.task(0, 80, 0, "a", {.rank = 1});
  r.task(80, 120, 1, "a", {.rank = 1});
  r.task(120, 160, 2, "a", {.rank = 1});
  r.task(160, 161, 3, "b", {.rank = 1});
  r.task(161, 164, 4, "b", {.rank = 1});
  const costs c = costs_of(r.made());
  CHECK(c.ranks == 2);
  CHECK(c.workers == 1);
  REQUIRE(c.tasks.size() == 2);
  const task_times& a = c.tasks.at(at("a"));
  CHECK(a.levels == std::vector<double>{20'000, 40'000});
  CHECK(a.spread == std::vector<double>{0.5, 1, 1, 1, 1.5, 2});
  CHECK(a.count == 6);
  CHECK(c.tasks.at(at("b")).levels == std::vector<double>{2'000});
}

TEST_CASE("a task is not counted to the one on whose stack it runs") {
  run r;
  r.task(20, 25, 2, "innermost");
  r.task(10, 40, 1, "inner");
  r.task(50, 60, 3, "inner");
  r.task(0, 100, 0, "outer");
  const costs c = costs_of(r.made());
  CHECK(c.tasks.at(at("outer")).levels == std::vector<double>{60'000});
  CHECK(c.tasks.at(at("inner")).levels == std::vector<double>{17'500});
  CHECK(c.tasks.at(at("innermost")).levels == std::vector<double>{5'000});
}

TEST_CASE("a task that came to rest has taken as long as its pieces together") {
  run r(1, 2);
  r.task(0, 10, 0, "a");
  make_piece(r, 0, true, false);
  r.task(20, 25, 0, "a", {.worker = 1});
  make_piece(r, 1, false, false);
  r.task(30, 31, 0, "a");
  make_piece(r, 0, false, true);
  r.task(40, 45, 1, "a"); // its begin was dropped
  make_piece(r, 0, false, true);
  r.task(50, 55, 2, "a"); // it never ended
  make_piece(r, 0, true, false);
  const costs c = costs_of(r.made());
  CHECK(c.tasks.at(at("a")).levels == std::vector<double>{16'000});
  CHECK(c.tasks.at(at("a")).count == 1);
}

TEST_CASE("of tasks that rest together on one stack, the inner one has run") {
  run r;
  r.task(2, 5, 1, "inner");
  make_piece(r, 0, true, false);
  r.task(0, 5, 0, "outer");
  make_piece(r, 0, true, false);
  r.task(10, 14, 1, "inner"); // both go on, and rest again: the inner one is told first
  make_piece(r, 0, false, false);
  r.task(10, 14, 0, "outer");
  make_piece(r, 0, false, false);
  r.task(20, 21, 1, "inner");
  make_piece(r, 0, false, true);
  r.task(20, 30, 0, "outer");
  make_piece(r, 0, false, true);
  const costs c = costs_of(r.made());
  CHECK(c.tasks.at(at("inner")).levels == std::vector<double>{8'000});
  CHECK(c.tasks.at(at("outer")).levels == std::vector<double>{11'000});
}

TEST_CASE("the first tasks of a site are left out if there are many") {
  run r(2);
  for(unsigned i = 0; i != 10; ++i) // not many
    r.task(100 * i, 100 * i + (i < 3 ? 90 : 10), i, "a");
  for(unsigned i = 11; i-- != 0;) // told in some other order
    r.task(100 * i, 100 * i + (i < 3 ? 90 : 2 + i), i, "a", {.rank = 1});
  const task_times a = costs_of(r.made()).tasks.at(at("a"));
  CHECK(a.count == 18);
  CHECK(a.levels == std::vector<double>{8'500, 10'000}); // of 5 to 12, and of 10 and 90
  CHECK(a.spread.back() == 9);
}

TEST_CASE("of many times some are kept, evenly picked") {
  run r;
  double now = 0;
  for(unsigned i = 0; i != 1027; ++i) {
    const double takes = i < 3 ? 5000 : i - 2; // 1 to 1024
    r.task(now, now + takes, i, "a");
    now += takes;
  }
  const task_times a = costs_of(r.made()).tasks.at(at("a"));
  CHECK(a.count == 1024);
  CHECK(a.levels == std::vector<double>{512'500});
  REQUIRE(a.spread.size() == 512);
  CHECK(a.spread[0] == Approx(2 / 512.5));
  CHECK(a.spread[1] == Approx(4 / 512.5));
  CHECK(a.spread[511] == Approx(1024 / 512.5));
}

TEST_CASE("parts of tasks are no tasks, and tasks that take no time have a spread") {
  run r;
  r.task(10, 30, 1, "fork");
  r.made().ranks[0].lanes[1].sites.back().kind = rondo::task_info::kind_type::fork;
  r.task(40, 40, 2, "nothing");
  const costs c = costs_of(r.made());
  CHECK(c.tasks.size() == 1);
  CHECK(c.tasks.at(at("nothing")).levels == std::vector<double>{0});
  CHECK(c.tasks.at(at("nothing")).spread == std::vector<double>{1});
}

TEST_CASE("workers share cores if there are more of them than a host has cores") {
  CHECK(shared_by(1, 1, 2) == 0.5);
  CHECK(shared_by(2, 2, 4) == 1);
  CHECK(shared_by(4, 1, 2) == 2);
  CHECK(shared_by(1, 4, 2) == 2);
  // Each is bound to cores of its own.
  CHECK(shared_by(4, 1, 1) == 1);
  CHECK(shared_by(2, 8, 8) == 1);
}

TEST_CASE("the host whose cores are shared most counts") {
  run r(5);
  for(auto& rank : r.made().ranks) {
    rank.cores = 2;
    rank.host = rank.rank < 3 ? "three" : "two";
  }
  CHECK(costs_of(r.made()).shared == 1.5);
}

TEST_CASE("a timeline without anything costs nothing") {
  const costs c = costs_of({});
  CHECK(c.tasks.empty());
  CHECK(c.launches.empty());
  CHECK(c.any_launch.analysed == 0);
  CHECK(c.between_tasks == 0);
  CHECK(c.within_node.count == 0);
  CHECK(c.shared == 0);
}

TEST_CASE("costs of several runs: tasks of the most ranks, launches as they were in most") {
  costs two;
  two.ranks = 2;
  two.workers = 1;
  two.tasks["a"] = times_of({1});
  two.tasks["only here"] = times_of({2});
  two.launches["a"] = {.analysed = 0, .replayed = 10};
  two.any_launch = {.analysed = 0, .replayed = 11};
  two.within_node = {.latency = 100, .per_byte = 1, .count = 50};
  two.shared = 1;
  costs four;
  four.ranks = 4;
  four.workers = 2;
  four.tasks["a"] = times_of({3});
  four.tasks["b"] = times_of({4});
  four.launches["a"] = {.analysed = 20, .replayed = 30};
  four.any_launch = {.analysed = 21, .replayed = 31};
  four.between_tasks = 7;
  four.within_node = {.latency = 200, .per_byte = 2, .count = 40};
  four.between_nodes = {.latency = 300, .per_byte = 3, .count = 4};
  four.shared = 0.5;
  costs eight;
  eight.ranks = 8;
  eight.workers = 3;
  eight.tasks["a"] = times_of({5});
  eight.launches["a"] = {.analysed = 40, .replayed = 50};
  eight.launches["c"] = {.analysed = 60, .replayed = 0};
  eight.between_tasks = 8;
  eight.between_nodes = {.latency = 400, .per_byte = 4, .count = 8};

  const costs c = together({four, eight, two});
  CHECK(c.ranks == 8);
  CHECK(c.workers == 3);
  REQUIRE(c.tasks.size() == 3);
  CHECK(c.tasks.at("a").levels == std::vector<double>{5});
  CHECK(c.tasks.at("b").levels == std::vector<double>{4});
  CHECK(c.tasks.at("only here").levels == std::vector<double>{2});
  CHECK(c.launches.at("a").analysed == 30); // of 20 and 40
  CHECK(c.launches.at("a").replayed == 30);
  CHECK(c.launches.at("c").analysed == 60);
  CHECK(c.launches.at("c").replayed == 0);
  CHECK(c.any_launch.analysed == 21);
  CHECK(c.any_launch.replayed == 21);
  CHECK(c.between_tasks == 7.5);
  CHECK(c.within_node.latency == 200);
  CHECK(c.between_nodes.latency == 400);
  CHECK(c.shared == 1);

  CHECK(together({}).ranks == 0);

  eight.shared = 2; // so its tasks had to wait for cores
  const costs d = together({four, eight, two});
  CHECK(d.ranks == 8);
  CHECK(d.shared == 2);
  CHECK(d.tasks.at("a").levels == std::vector<double>{3});
  CHECK(d.between_nodes.latency == 300);

  eight.shared = 1;
  CHECK(together({four, eight, two}, 8).tasks.at("a").levels == std::vector<double>{5});
  CHECK(together({four, eight, two}, 7).tasks.at("a").levels == std::vector<double>{3});
  CHECK(together({four, eight, two}, 2).tasks.at("a").levels == std::vector<double>{1});
  CHECK(together({four, eight, two}, 2).tasks.at("b").levels ==
        std::vector<double>{4}); // there is no other one
  CHECK(together({four, eight, two}, 1).within_node.latency == 100);
}

TEST_CASE("costs come back from JSON as they were") {
  costs c;
  c.ranks = 4;
  c.workers = 2;
  c.tasks["a made.cpp:1"] = times_of({1.5, 1.0 / 3});
  c.launches["a made.cpp:1"] = {.analysed = 500.5, .replayed = 100};
  c.any_launch = {.analysed = 400, .replayed = 90};
  c.between_tasks = 250;
  c.within_node = {.latency = 2000, .per_byte = 0.1, .count = 1'000'000'000'000};
  c.between_nodes = {.latency = 3000, .per_byte = 0.2, .count = 5};
  c.shared = 0.75;
  const nlohmann::json j = c;
  const auto back = nlohmann::json::parse(j.dump()).get<costs>();
  CHECK(nlohmann::json(back) == nlohmann::json::parse(R"({"ranks": 4, "workers": 2,
    "tasks": {"a made.cpp:1": {"levels": [0.3333333333333333, 1.5], "spread": [0.5, 1.0, 1.25], "count": 3}},
    "launches": {"a made.cpp:1": {"analysed": 500.5, "replayed": 100.0}},
    "any_launch": {"analysed": 400.0, "replayed": 90.0}, "between_tasks": 250.0,
    "within_node": {"latency": 2000.0, "per_byte": 0.1, "count": 1000000000000},
    "between_nodes": {"latency": 3000.0, "per_byte": 0.2, "count": 5}, "shared": 0.75})"));
  CHECK(back.tasks.at("a made.cpp:1").levels == std::vector<double>{1.0 / 3, 1.5});
  CHECK(back.within_node.count == 1'000'000'000'000);
}

TEST_CASE("costs that nobody can have measured are refused") {
  costs c;
  c.tasks["a"] = times_of({1});
  const nlohmann::json good = c;
  const auto read = [](const nlohmann::json& j) { return j.get<costs>(); };
  CHECK_NOTHROW(read(good));
  nlohmann::json j = good;
  j["between_tasks"] = -1;
  CHECK_THROWS_WITH(read(j), Catch::Contains("between_tasks"));
  j = good;
  j["tasks"]["a"]["spread"] = nlohmann::json::array();
  CHECK_THROWS_WITH(read(j), Catch::Contains("spread"));
  j = good;
  j.erase("any_launch");
  CHECK_THROWS_WITH(read(j), Catch::Contains("any_launch"));
}
