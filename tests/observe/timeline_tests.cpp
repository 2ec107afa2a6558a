// What a timeline says of flows on one process, through a file.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>
#include <rondo/digest.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/observe/timeline/event_lane.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/timeline.hpp>

using namespace rondo;
using namespace rondo::detail;
using std::chrono::milliseconds;

namespace {

/// The file of one timeline, gone at the end.
struct file_of_test {
  std::string name =
    std::filesystem::temp_directory_path() /
    ("rondo_timeline_" + std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id())) +
      "_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  ~file_of_test() { std::remove(name.c_str()); }
  [[nodiscard]] detail::timeline read() const { return read_timeline(name); }
};

/// Of all lanes.
template<class T>
std::vector<T> told_in(const detail::timeline& t, std::vector<T> timeline_lane::*what) {
  std::vector<T> all;
  for(const timeline_rank& r : t.ranks)
    for(const timeline_lane& l : r.lanes)
      all.insert(all.end(), (l.*what).begin(), (l.*what).end());
  return all;
}

std::vector<task_piece> pieces_named(const detail::timeline& t, const std::string& name) {
  std::vector<task_piece> found;
  for(const timeline_lane& l : t.ranks.at(0).lanes)
    for(const task_piece& p : l.tasks)
      if(l.sites[p.site].name == name)
        found.push_back(p);
  std::ranges::sort(found, {}, &task_piece::begin);
  return found;
}

} // namespace

TEST_CASE("a timeline has each task of a flow, with the launch it comes from") {
  const file_of_test file;
  executor ex(2);
  {
    rondo::timeline seen(ex, file.name);
    flow f(ex);
    double x = 0;
    double y = 0;
    region to_x(f, x, "x");
    region to_y(f, y, "y");
    for(int i = 0; i != 50; ++i) {
      f.submit(named("first", [](double& a) { ++a; }), write(to_x));
      f.submit(
        named("second", [](const double& a, double& b) { b += a; }), read(to_x), write(to_y));
    }
    f.wait();
  }
  const detail::timeline t = file.read();
  REQUIRE(t.ranks.size() == 1);
  CHECK(t.failure.empty());
  CHECK_THAT(t.program, Catch::Contains("observe_tests"));
  const auto launches = told_in(t, &timeline_lane::launches);
  CHECK(launches.size() == 100);
  const auto first = pieces_named(t, "first");
  const auto second = pieces_named(t, "second");
  REQUIRE(first.size() == 50);
  REQUIRE(second.size() == 50);
  for(int i = 0; i != 50; ++i) {
    CHECK(first[i].begin <= first[i].end);
    CHECK(first[i].end <= second[i].begin); // since the one reads what the other writes
    CHECK(second[i].end <= t.ranks[0].ended);
    CHECK((first[i].is_first && first[i].is_last));
    const auto launched = std::ranges::find(launches, first[i].number, &told_launch::number);
    REQUIRE(launched != launches.end());
    CHECK(launched->at <= first[i].begin);
  }
}

TEST_CASE("launches that differ in the time alone are of one shape") {
  const file_of_test file;
  executor ex(1);
  {
    rondo::timeline seen(ex, file.name);
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    for(int i = 0; i != 200; ++i) {
      f.submit(named("writes", [](double& a) { ++a; }), write(r));
      f.submit(named("reads", [](const double&) {}), read(r));
    }
    f.wait();
  }
  const detail::timeline t = file.read();
  std::vector<launch_shape> shapes = told_in(t, &timeline_lane::shapes);
  std::erase_if(shapes, [](const launch_shape& s) { return s.accesses.empty(); });
  REQUIRE(
    shapes.size() <= 4); // analysed, and once the flow has noticed that they come again, found
  for(const launch_shape& s : shapes) {
    CHECK(s.accesses.size() == 1);
    CHECK(s.knows_accesses);
    CHECK(s.has_task);
  }
}

TEST_CASE("tasks of repeat know their pass and their step, and their loop is told once") {
  const file_of_test file;
  executor ex(2);
  {
    rondo::timeline seen(ex, file.name);
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    for(int loop = 0; loop != 2; ++loop)
      f.repeat(30, [&] {
        f.submit(named("a", [](double& to) { ++to; }), write(r));
        f.submit(named("b", [](double& to) { ++to; }), write(r));
      });
    f.wait();
  }
  const detail::timeline t = file.read();
  const auto a = pieces_named(t, "a");
  const auto b = pieces_named(t, "b");
  REQUIRE(a.size() == 60);
  REQUIRE(b.size() == 60);
  std::set<std::uint64_t> loops;
  for(int i = 0; i != 60; ++i) {
    CHECK(a[i].pass == static_cast<std::uint64_t>(i % 30));
    CHECK(b[i].pass == a[i].pass);
    CHECK(a[i].number == b[i].number);
    CHECK(a[i].step < b[i].step);
    CHECK(a[i].step != 0);
    loops.insert(a[i].number);
  }
  CHECK(loops.size() == 2);
  const auto launches = told_in(t, &timeline_lane::launches);
  REQUIRE(launches.size() == 4);
  for(const told_launch& l : launches) {
    CHECK(l.passes == 30);
    CHECK(loops.contains(l.number));
  }
  const auto passes = told_in(t, &timeline_lane::passes);
  CHECK(std::ranges::count(passes, told_pass::what_type::begun, &told_pass::what) == 2);
  CHECK(std::ranges::count(passes, told_pass::what_type::ended, &told_pass::what) == 2);
  for(const told_pass& p : passes)
    CHECK(p.count == 30);
}

TEST_CASE("a task that waits is told in pieces, and what runs meanwhile is not in them") {
  const file_of_test file;
  executor ex(2);
  {
    rondo::timeline seen(ex, file.name);
    flow f(ex);
    double x = 0;
    double y = 0;
    region to_x(f, x, "x");
    region to_y(f, y, "y");
    promise<int> later;
    future<int> value = later.get_future();
    f.submit(named("waits", [value](double& a) { a = value.get(); }), write(to_x));
    f.submit(named("fills",
               [&later](double& b) {
                 std::this_thread::sleep_for(milliseconds(5));
                 b = 1;
                 later.set_value(7);
               }),
      write(to_y));
    f.wait();
    CHECK(x == 7);
  }
  const detail::timeline t = file.read();
  const auto waits = pieces_named(t, "waits");
  REQUIRE(!waits.empty());
  CHECK(waits.front().is_first);
  CHECK(waits.back().is_last);
  for(std::size_t i = 1; i < waits.size(); ++i) {
    CHECK_FALSE(waits[i].is_first);
    CHECK_FALSE(waits[i - 1].is_last);
    CHECK(waits[i - 1].end <= waits[i].begin);
    CHECK(waits[i].number == waits[0].number);
  }
}

TEST_CASE("waits of the main thread and phases are told with their places") {
  const file_of_test file;
  executor ex(2);
  {
    rondo::timeline seen(ex, file.name);
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    const phase here("assembly");
    f.submit(
      [](double& a) {
        std::this_thread::sleep_for(milliseconds(3));
        ++a;
      },
      write(r));
    f.wait();
  }
  // `here` ended before `seen`, since it was made later.
  const detail::timeline t = file.read();
  bool has_wait = false;
  bool has_phase = false;
  for(const timeline_lane& l : t.ranks.at(0).lanes)
    for(const told_time& x : l.times) {
      CHECK(x.begin <= x.end);
      if(x.what == told_time::what_type::waited_launches) {
        has_wait = true;
        CHECK_THAT(l.sites[x.site].place, Catch::StartsWith("timeline_tests.cpp:"));
      }
      if(x.what == told_time::what_type::phase) {
        has_phase = true;
        CHECK(l.sites[x.site].name == "assembly");
        CHECK(x.end - x.begin >= 3'000'000);
      }
    }
  CHECK(has_wait);
  CHECK(has_phase);
}

TEST_CASE("the oldest events are dropped where there is no room, and counted") {
  const file_of_test file;
  executor ex(1);
  constexpr int many = 100'000;
  {
    rondo::timeline seen(ex, file.name, 1); // each lane has two chunks of its own
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    f.repeat(many, [&] { f.submit(named("adds", [](double& a) { ++a; }), write(r)); });
    f.wait();
  }
  const detail::timeline t = file.read();
  const auto kept = pieces_named(t, "adds");
  std::uint64_t dropped = 0;
  for(const timeline_lane& l : t.ranks[0].lanes)
    dropped += l.dropped;
  CHECK(dropped > 0);
  CHECK(kept.size() >= event_lane::chunk_size);
  CHECK(kept.size() <= 2 * event_lane::chunk_size);
  CHECK(kept.size() + dropped >= many);
  // The loop is known of those that are left, and none is missing in between.
  for(std::size_t i = 0; i != kept.size(); ++i) {
    REQUIRE(kept[i].pass == many - kept.size() + i);
    REQUIRE(kept[i].number == kept[0].number);
    REQUIRE(kept[i].step == kept[0].step);
  }
}

TEST_CASE("a file that can't be written is refused at once") {
  executor ex(1);
  CHECK_THROWS_WITH(rondo::timeline(ex, "/nowhere/at/all"),
    Catch::Contains("/nowhere/at/all") && Catch::Contains("No such file"));
}

TEST_CASE("a timeline can be written before its end, and is written once") {
  const file_of_test file;
  executor ex(1);
  rondo::timeline seen(ex, file.name);
  flow f(ex);
  double x = 0;
  region r(f, x, "x");
  f.submit(named("before", [](double& a) { ++a; }), write(r));
  f.wait();
  seen.write();
  f.submit(named("behind", [](double& a) { ++a; }), write(r));
  f.wait();
  seen.write();
  const detail::timeline t = file.read();
  CHECK(pieces_named(t, "before").size() == 1);
  CHECK(pieces_named(t, "behind").empty());
}
