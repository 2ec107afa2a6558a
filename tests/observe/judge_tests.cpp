// What is said of measures that are made up: each thing that can be wrong, and nothing.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <rondo/observe/whole_run.hpp>

using namespace rondo::detail;
using kind = verdict::kind_type;

namespace {

/// A rank with two workers that has been busy for ten seconds: a million tasks of 19 us.
measures rank_at_work(std::uint32_t number = 0) {
  measures m;
  m.host = "node" + std::to_string(number);
  m.rank = number;
  m.workers = 2;
  m.cores = 2;
  m.workers_of_node = 2;
  m.cores_of_node = 2;
  m.seconds = 10;
  m.working = 19;
  m.launching = 0.5;
  m.between = 0.1;
  m.cpu = 19.9;
  m.tasks.counts[durations::step_of(19'000)] = 1'000'000;
  m.gaps.counts[durations::step_of(100)] = 1'000'000;
  m.names = {{.name = "smooth", .count = 1'000'000, .seconds = 19, .longest = 30e-6}};
  m.launches = 1'000'000;
  m.replayed = 990'000;
  m.memory = m.memory_half = m.memory_end = 100'000'000;
  return m;
}

void work_less(measures& m, double part) {
  m.names[0].seconds -= part * m.working;
  m.working -= part * m.working;
  m.cpu = m.working + m.launching + m.between;
}

verdict verdict_of(measures m) { return judge(put_together({std::move(m)})).front(); }

} // namespace

TEST_CASE("a rank that works is healthy") {
  const verdict v = verdict_of(rank_at_work());
  CHECK(v.kind == kind::healthy);
  CHECK_THAT(v.why, Catch::Contains("95 %"));
}

TEST_CASE("efficiencies multiply to the share of time that went into tasks") {
  std::vector<measures> ranks;
  for(std::uint32_t i = 0; i != 5; ++i) {
    ranks.push_back(rank_at_work(i));
    work_less(ranks.back(), 0.1 * i);
    ranks.back().messages = 0.5 * i;
  }
  const whole_run j = put_together(ranks);
  const efficiencies& e = j.efficiency;
  CHECK(e.parallel == Approx(j.of_time.working.all));
  CHECK(e.parallel == Approx(e.balance * e.communication * e.parallelism * e.scheduling));
  CHECK(e.balance == Approx(0.8));
  CHECK(e.communication == Approx(1)); // of the rank with the most work
  CHECK(j.of_time.working.most == Approx(0.95));
  CHECK(j.of_time.working.least == Approx(0.57));
  CHECK(j.of_time.working.all + j.of_time.launching.all + j.of_time.between.all +
          j.of_time.messages.all + j.of_time.idle.all ==
        Approx(1));
}

TEST_CASE("a build without optimization comes before everything else") {
  measures m = rank_at_work();
  m.is_optimized = false;
  const std::vector<verdict> all = judge(put_together({m}));
  REQUIRE(all.size() == 1); // and not healthy as well
  CHECK(all.front().kind == kind::unoptimized);
}

TEST_CASE("more workers than cores") {
  measures m = rank_at_work();
  m.workers_of_node = 4;
  const verdict v = verdict_of(m);
  CHECK(v.kind == kind::cores_shared);
  CHECK_THAT(v.why, Catch::Contains("4 workers share 2 cores of node0"));
}

TEST_CASE("cores that other programs use") {
  measures m = rank_at_work();
  m.kept = 6;
  const verdict v = verdict_of(m);
  CHECK(v.kind == kind::cores_shared);
  CHECK_THAT(v.why, Catch::Contains("rank 0") && Catch::Contains("6.00 s"));
  SECTION("a little of that is always so") {
    m.kept = 1;
    CHECK(verdict_of(m).kind == kind::healthy);
  }
}

TEST_CASE("tasks that are too small") {
  measures m = rank_at_work();
  work_less(m, 0.5);
  m.between = 9;
  const verdict v = verdict_of(m);
  CHECK(v.kind == kind::tasks_too_small);
  CHECK_THAT(v.why, Catch::Contains("9.50 us") && Catch::Contains("9.00 us"));
  CHECK_THAT(v.advice, Catch::Contains("36.0 us"));
}

TEST_CASE("launching that takes all the time") {
  measures m = rank_at_work();
  work_less(m, 0.5);
  m.launching = 9.9;
  CHECK(verdict_of(m).kind == kind::launching);
  SECTION("since hardly anything is replayed") {
    m.replayed = 1000;
    const verdict v = verdict_of(m);
    CHECK(v.kind == kind::launching);
    CHECK_THAT(v.advice, Catch::Contains("repeat"));
  }
  SECTION("since the passes of a loop are not replayed") {
    m.replayed = 1000;
    m.in_loops = 900'000;
    const verdict v = verdict_of(m);
    CHECK(v.kind == kind::launching);
    CHECK_THAT(v.advice, Catch::StartsWith("the loop's passes are analysed one by one"));
    m.traces = {{.name = "step", .passes = 100, .replayed = 60, .diverged = 40}};
    CHECK_THAT(
      verdict_of(m).advice, Catch::StartsWith("passes that differ are analysed one by one"));
  }
  SECTION("since a trace is off") {
    m.traces = {{.name = "step",
      .passes = 100,
      .replayed = 0,
      .diverged = 99,
      .is_off = true,
      .misses = {{.why = "launch 3 was another one", .pass = 7}}}};
    const verdict v = verdict_of(m);
    CHECK(v.kind == kind::trace_off);
    CHECK_THAT(v.why, Catch::Contains("step is off: pass 7, launch 3 was another one"));
    // As long as it is needed: two launches with their places.
    const std::string launch =
      "task::" + std::string(60, 'n') + "(u read, v write) at " + std::string(60, 'f') + ".cpp:90";
    m.traces[0].misses[0].why = "launch 3: expected " + launch + ", got " + launch;
    CHECK_THAT(verdict_of(m).why, Catch::EndsWith(launch));
    m.traces[0].misses[0].why = std::string(3000, 'w');
    CHECK_THAT(verdict_of(m).why, Catch::EndsWith("www..."));
    CHECK(text_of(put_together({m})).size() <= 2048);
  }
}

TEST_CASE("values that the end of a program waits for, one after the other, block nobody") {
  measures m = rank_at_work();
  work_less(m, 0.4);
  // The first one comes when all that was launched has run; the others are there by then.
  m.waits = {{.where = "a.cpp:9",
    .what = "value",
    .count = 4,
    .seconds = 9,
    .idle = 7.61,
    .longest_idle = 7.6}};
  for(const verdict& v : judge(put_together({m})))
    CHECK(v.kind != kind::blocked);
}

TEST_CASE("a main thread that asks in each pass") {
  measures m = rank_at_work();
  work_less(m, 0.5);
  m.waits = {{.where = "cg.cpp:42", .what = "value", .count = 1000, .seconds = 9, .idle = 8.5},
    {.where = "cg.cpp:50", .what = "launches", .count = 1, .seconds = 1, .idle = 0.5}};
  const verdict v = verdict_of(m);
  CHECK(v.kind == kind::blocked);
  CHECK_THAT(v.why, Catch::Contains("1,000 times at cg.cpp:42"));
  SECTION("once is no loop") {
    m.waits[0].count = 1;
    CHECK(verdict_of(m).kind == kind::too_few_tasks);
  }
  SECTION("in several places, each of which costs less than half") {
    m.waits = {{.where = "cg.cpp:42", .what = "value", .count = 500, .seconds = 5, .idle = 4.5},
      {.where = "cg.cpp:44", .what = "value", .count = 500, .seconds = 4, .idle = 4}};
    const verdict both = verdict_of(m);
    CHECK(both.kind == kind::blocked);
    CHECK_THAT(both.why, Catch::Contains("1,000 times at cg.cpp:42 and elsewhere"));
  }
}

TEST_CASE("ranks with less to do wait for those with more") {
  std::vector<measures> ranks{rank_at_work(0), rank_at_work(1)};
  work_less(ranks[0], 0.6);
  ranks[0].messages = 11;
  const verdict v = judge(put_together(ranks)).front();
  CHECK(v.kind == kind::imbalance);
  CHECK_THAT(v.why, Catch::Contains("rank 1"));
}

TEST_CASE("one rank that all others wait for") {
  std::vector<measures> ranks;
  for(std::uint32_t i = 0; i != 8; ++i) {
    ranks.push_back(rank_at_work(i));
    if(i != 5) {
      work_less(ranks.back(), 0.5);
      ranks.back().messages = 9;
    }
  }
  const verdict v = judge(put_together(ranks)).front();
  CHECK(v.kind == kind::straggler);
  CHECK_THAT(v.why, Catch::Contains("rank 5 on node5"));
}

TEST_CASE("ranks that all wait for messages") {
  std::vector<measures> ranks{rank_at_work(0), rank_at_work(1)};
  for(measures& m : ranks) {
    work_less(m, 0.5);
    m.messages = 9;
    m.sent = 1000;
    m.bytes = 8'000'000;
  }
  const verdict v = judge(put_together(ranks)).front();
  CHECK(v.kind == kind::messages);
  CHECK_THAT(v.why, Catch::Contains("8.00 kB"));
}

TEST_CASE("one body that runs while all others have ended") {
  measures m = rank_at_work();
  work_less(m, 0.45);
  m.names.push_back({.name = "write", .count = 1, .seconds = 8, .longest = 8});
  const verdict v = verdict_of(m);
  CHECK(v.kind == kind::one_long_body);
  CHECK_THAT(v.why, Catch::Contains("write has run for 8.00 s"));
}

TEST_CASE("one body on each of many ranks costs as much as on one") {
  std::vector<measures> ranks;
  for(std::uint32_t i = 0; i != 20; ++i) {
    measures& m = ranks.emplace_back(rank_at_work(i));
    work_less(m, 0.45);
    // The second one folds what the first one gives.
    m.names.push_back({.name = "read", .count = 3, .seconds = 8.00001, .longest = 8});
  }
  const std::vector<verdict> found = judge(put_together(ranks));
  CHECK(found.front().kind == kind::one_long_body);
  CHECK(found.front().lost == Approx(0.4));
  SECTION("and too few tasks besides are named as well") {
    for(measures& m : ranks)
      m.working -= 4;
    const std::vector<verdict> both = judge(put_together(ranks));
    REQUIRE(both.size() == 2);
    CHECK(both[0].kind == kind::one_long_body);
    CHECK(both[1].kind == kind::too_few_tasks);
  }
}

TEST_CASE("too few tasks are told next to a blocked main thread if others work meanwhile") {
  measures m = rank_at_work();
  work_less(m, 0.5);
  m.waits = {{.where = "cg.cpp:42", .what = "value", .count = 1000, .seconds = 9, .idle = 8.5}};
  std::vector<verdict> found = judge(put_together({m}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == kind::blocked);
  CHECK(found[1].kind == kind::too_few_tasks);
  SECTION("but not if all stand still") {
    m.standstill = 9;
    found = judge(put_together({m}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == kind::blocked);
  }
}

TEST_CASE("too little that can run at the same time") {
  measures m = rank_at_work();
  work_less(m, 0.5);
  const verdict v = verdict_of(m);
  CHECK(v.kind == kind::too_few_tasks);
  CHECK_THAT(v.why, Catch::Contains("2 workers"));
  CHECK_THAT(v.advice, Catch::Contains("more colors than workers"));
  SECTION("but short tasks are not to be divided") {
    m.tasks = {};
    m.tasks.counts[durations::step_of(700)] = 1'000'000;
    const verdict of_short = verdict_of(m);
    CHECK(of_short.kind == kind::too_few_tasks);
    CHECK_THAT(of_short.advice, Catch::Contains("half of the tasks take no more than") &&
                                  Catch::Contains("take fewer and larger ones"));
  }
}

TEST_CASE("memory that grows") {
  measures m = rank_at_work();
  m.memory_half = 100'000'000;
  m.memory_end = m.memory = 200'000'000;
  CHECK(verdict_of(m).kind == kind::memory_grows);
}

TEST_CASE("tasks of one name are one row, with the rank that has the most of it") {
  std::vector<measures> ranks{rank_at_work(0), rank_at_work(1)};
  ranks[1].names[0].seconds = 9;
  ranks[1].names.push_back({.name = "sum", .count = 5, .seconds = 0.5, .longest = 0.4});
  const whole_run j = put_together(ranks);
  REQUIRE(j.names.size() == 2);
  CHECK(j.names[0].of.name == "smooth");
  CHECK(j.names[0].of.count == 2'000'000);
  CHECK(j.names[0].of.seconds == Approx(28));
  CHECK(j.names[0].imbalance == Approx(19 / 14.0));
  CHECK(j.names[1].imbalance == Approx(2));
}

TEST_CASE("measures travel as bytes") {
  measures m = rank_at_work(7);
  m.standstill = 3;
  m.in_loops = 5;
  m.waits = {{.where = "a.cpp:1", .what = "value", .count = 3, .seconds = 1, .idle = 2}};
  m.phases = {{.name = "assembly", .count = 2, .seconds = 1, .working = 2}};
  m.longest_gaps = {{.seconds = 0.5, .before = "smooth", .waited = idle_gap::waited_type::message},
    {.seconds = 0.4, .before = "rough"}};
  m.over_time = {0.5, {1, 2, 3}};
  m.traces = {{.name = "t",
    .passes = 4,
    .replayed = 3,
    .diverged = 1,
    .is_off = true,
    .misses = {{.why = "w", .pass = 3, .count = 2}}}};
  const std::vector<std::byte> bytes = to_bytes(m);
  const measures got = from_bytes(bytes.data(), bytes.size());
  CHECK(got.host == "node7");
  CHECK(got.tasks.counts == m.tasks.counts);
  CHECK(got.names.at(0).name == "smooth");
  CHECK(got.waits.at(0).idle == 2);
  CHECK(got.traces.at(0).misses.at(0).why == "w");
  CHECK(got.traces.at(0).misses.at(0).count == 2);
  CHECK(got.memory_end == m.memory_end);
  CHECK(got.standstill == 3);
  CHECK(got.in_loops == 5);
  CHECK(got.longest_gaps.at(0).waited == idle_gap::waited_type::message);
  CHECK(got.longest_gaps.at(1).before == "rough");
  CHECK(got.phases.at(0).name == "assembly");
  CHECK(got.over_time.seconds_each == 0.5);
  CHECK(got.over_time.worked == std::vector<double>{1, 2, 3});
  for(std::size_t size = 0; size < bytes.size(); size += 7)
    CHECK_THROWS(from_bytes(bytes.data(), size));
}

TEST_CASE("the text has two kilobytes at the most, and the verdict") {
  std::vector<measures> ranks;
  for(std::uint32_t i = 0; i != 200; ++i) {
    ranks.push_back(rank_at_work(i));
    measures& m = ranks.back();
    work_less(m, 0.5);
    m.longest_gaps.assign(3,
      {.seconds = 1.5, .before = std::string(80, 'g'), .waited = idle_gap::waited_type::message});
    for(std::size_t k = 0; k != durations::steps; ++k)
      m.tasks.counts[k] = 1;
    for(int k = 0; k != 50; ++k)
      m.names.push_back({.name = std::string(40, 'n') + std::to_string(k),
        .count = 123'456'789'012,
        .seconds = 0.001,
        .longest = 0.001});
    for(int k = 0; k != 20; ++k) {
      m.phases.push_back({.name = std::string(60, 'p') + std::to_string(k),
        .count = 1'000'000,
        .seconds = 5,
        .working = 1});
      m.waits.push_back({.where = std::string(60, 'f') + std::to_string(k),
        .what = "launches",
        .count = 1'234'567,
        .seconds = 1,
        .idle = 0.1});
      m.traces.push_back({.name = std::string(60, 't') + std::to_string(k),
        .passes = 1'000'000'000,
        .replayed = 3,
        .diverged = 999'999'999,
        .is_off = true,
        .misses = std::vector<missed>(8, {.why = std::string(300, 'w')})});
    }
  }
  const whole_run j = put_together(ranks);
  const std::string text = text_of(j);
  CHECK(text.size() <= 2048);
  CHECK_THAT(text, Catch::Contains("=> too few tasks") && Catch::Contains("200 ranks"));
  CHECK_THAT(json_of(j), Catch::StartsWith("{") && Catch::Contains("\"too few tasks\""));
  const std::string of_one = text_of(put_together({ranks.front()}), "of executor 2");
  CHECK(of_one.size() <= 2048);
  CHECK(of_one.starts_with("rondo digest of executor 2: "));
}

TEST_CASE("reasons of traces and long gaps are all in the JSON, and in the text if there is room") {
  std::vector<measures> ranks;
  for(std::uint32_t i = 0; i != 2; ++i) {
    ranks.push_back(rank_at_work(i));
    measures& m = ranks.back();
    m.traces = {{.name = "step", .passes = 100, .replayed = 60, .diverged = 40}};
    for(std::uint64_t k = 0; k != 8; ++k)
      m.traces[0].misses.push_back({.why = "launch " + std::to_string(k) + ": expected the end",
        .pass = 90 + k + i,
        .count = k == 2   ? 20U
                 : k == 5 ? 7U
                          : 1U});
    m.longest_gaps = {{.seconds = 0.4 + i, .before = "a", .waited = idle_gap::waited_type::message},
      {.seconds = 0.3 + i, .before = "b", .waited = idle_gap::waited_type::tasks},
      {.seconds = 0.2, .before = "c"}};
  }
  const whole_run j = put_together(ranks);
  const auto told = nlohmann::json::parse(json_of(j));
  const auto& misses = told["traces"][0]["misses"];
  REQUIRE(misses.size() == 8); // the same on both ranks
  CHECK(misses[0] ==
        nlohmann::json{{"why", "launch 2: expected the end"}, {"count", 40}, {"last_pass", 93}});
  CHECK(misses[1]["count"] == 14);
  const auto& gaps = told["longest_gaps"];
  REQUIRE(gaps.size() == 3);
  CHECK(gaps[0] ==
        nlohmann::json{{"seconds", 1.4}, {"rank", 1}, {"before", "a"}, {"waited_for", "message"}});
  CHECK(gaps[1]["waited_for"] == "tasks");
  CHECK(gaps[2]["rank"] == 0);
  CHECK(told["ranks"][1]["longest_gaps"][2]["waited_for"] == "launch");

  const std::string text = text_of(j);
  CHECK_THAT(text, Catch::Contains("; 40 passes, launch 2: expected the end\n") &&
                     Catch::Contains("\n             14 passes, launch 5: expected the end\n"));
  CHECK_THAT(
    text, Catch::Contains("  longest    gap: 1.40 s on rank 1, before a; a message came\n"
                          "             gap: 1.30 s on rank 1, before b; others had tasks\n"
                          "             gap: 400 ms on rank 0, before a; a message came\n"));
}

TEST_CASE("phases are told though there are many names of tasks; those left out are counted") {
  measures m = rank_at_work();
  for(int k = 0; k != 50; ++k)
    m.names.push_back({.name = "task_" + std::to_string(k), .count = 7, .seconds = 0.1});
  for(int k = 0; k != 6; ++k) {
    m.phases.push_back(
      {.name = "phase_" + std::to_string(k), .count = 1, .seconds = 1 - 0.1 * k, .working = 1});
    m.traces.push_back({.name = std::string(32, 't') + std::to_string(k),
      .passes = 1000,
      .replayed = 3,
      .diverged = 9,
      .misses = {{.why = std::string(100, 'w')}}});
    m.waits.push_back({.where = std::string(32, 'f') + std::to_string(k),
      .what = "launches",
      .count = 12,
      .idle = 0.1});
  }
  const std::string text = text_of(put_together({m}));
  CHECK(text.size() <= 2048);
  CHECK_THAT(text, Catch::Contains("phase_0: 1 time") && Catch::Contains("phase_3") &&
                     !Catch::Contains("phase_4") && Catch::Contains("and 2 phases more"));
}

TEST_CASE("a digit for each fiftieth of the time says how many workers had a task") {
  std::vector<measures> ranks{rank_at_work(0), rank_at_work(1)};
  ranks[0].over_time = {2.5, {5, 5, 5, 5}}; // both workers all the time
  ranks[1].over_time = {5, {0, 5}};         // none, then one of two
  const whole_run j = put_together(ranks);
  REQUIRE(j.busy.size() == 50);
  CHECK(j.busy[0] == Approx(0.5));
  CHECK(j.busy[49] == Approx(0.75));
  CHECK_THAT(
    text_of(j), Catch::Contains("  " + std::string(25, '5') + std::string(25, '7') + "  "));
}

TEST_CASE("what else costs much is told behind, the same thing once") {
  measures m = rank_at_work();
  work_less(m, 0.7);
  m.between = 3;
  m.kept = 8;
  m.standstill = 10;
  m.waits = {{.where = "cg.cpp:42", .what = "value", .count = 1000, .seconds = 9, .idle = 9}};
  const std::vector<verdict> found = judge(put_together({m}));
  REQUIRE(found.size() == 3);
  CHECK(found[0].kind == kind::blocked);
  CHECK(found[1].kind == kind::cores_shared);
  CHECK(found[1].lost < found[0].lost);
  CHECK(found[2].kind == kind::tasks_too_small);
  CHECK(found[2].lost == Approx(0.15));
}
