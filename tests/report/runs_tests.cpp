// Files on the command line: parts of one run, or two runs that are compared.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/timeline/recorder.hpp>
#include <rondo/timeline.hpp>
#include <unistd.h>

#include "runs.hpp"

using rondo::report::read_runs;
using rondo::report::runs;

namespace {

using namespace rondo::detail;

struct folder_of_test {
  std::filesystem::path name =
    std::filesystem::temp_directory_path() / ("rondo_runs_" + std::to_string(getpid()));
  folder_of_test() { std::filesystem::create_directory(name); }
  ~folder_of_test() { std::filesystem::remove_all(name); }
  [[nodiscard]] std::string file(const std::string& of) const { return name / of; }
};

/// A run of one rank.
void record(const std::string& file, int tasks) {
  rondo::executor ex(1);
  const rondo::timeline seen(ex, file);
  for(int i = 0; i != tasks; ++i)
    ex.submit([] {});
  ex.wait();
}

/// What one of two ranks leaves when the program fails.
void record_part(const std::string& file, std::uint32_t rank) {
  rondo::executor ex(1);
  timeline_recorder r(ex);
  r.stop();
  rank_of_timeline of;
  of.rank = rank;
  of.run = 7;
  of.run_began = r.began();
  timeline words = words_of_this_run();
  words.failure = "it has failed";
  words.ranks_of_run = 2;
  std::ofstream out(file, std::ios::binary);
  for(const std::vector<std::byte>& block : {block_of_run(words), r.bytes(of)})
    out.write(
      reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size()));
}

std::size_t tasks_of(const timeline& t) {
  std::size_t all = 0;
  for(const timeline_rank& r : t.ranks)
    for(const timeline_lane& l : r.lanes)
      all += l.tasks.size();
  return all;
}

} // namespace

TEST_CASE("of two files with a whole run each the first one is the run before") {
  const folder_of_test folder;
  const std::string before = folder.file("before.rondo"), after = folder.file("after.rondo");
  record(before, 3);
  record(after, 5);
  const runs both = read_runs({before, after}, "");
  REQUIRE(both.before);
  CHECK(tasks_of(*both.before) == 3);
  CHECK(tasks_of(both.run) == 5);
  CHECK(both.files == std::vector<std::string>{after});
  CHECK_THAT(both.said, Catch::Contains("after.rondo is compared with ") &&
                          Catch::Contains("before.rondo") && !Catch::Contains("\n"));

  SECTION("which is what --before says") {
    const runs named = read_runs({after}, before);
    REQUIRE(named.before);
    CHECK(tasks_of(*named.before) == 3);
    CHECK(tasks_of(named.run) == 5);
    CHECK(named.said.empty());
  }
  SECTION("three are too many, and so are two with --before") {
    CHECK_THROWS_AS(read_runs({before, after, after}, ""), std::runtime_error);
    CHECK_THROWS_AS(read_runs({before, after}, after), std::runtime_error);
  }
}

TEST_CASE("files that have some ranks of a run are parts of it") {
  const folder_of_test folder;
  const std::string first = folder.file("run.rondo.rank-0"),
                    second = folder.file("run.rondo.rank-1");
  record_part(first, 0);
  record_part(second, 1);
  const runs one = read_runs({first, second}, "");
  CHECK(!one.before);
  CHECK(one.run.ranks.size() == 2);
  CHECK(one.files.size() == 2);
  CHECK(one.said.empty());
  SECTION("also next to one with a whole run") {
    record(folder.file("whole.rondo"), 1);
    CHECK_THROWS_AS(read_runs({folder.file("whole.rondo"), first}, ""), std::runtime_error);
  }
  SECTION("one that can't be read is told of") {
    CHECK_THROWS_WITH(
      read_runs({first, folder.file("none.rondo")}, ""), Catch::Contains("none.rondo"));
  }
}
