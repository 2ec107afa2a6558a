#include "usable.hpp"

#include <algorithm>
#include <rondo/core/cpus.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/machine.hpp>

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <vector>

using namespace rondo::detail;

namespace {

/// The files of a machine, and which of them were read.
struct files {
  std::map<std::string, std::string> all;
  std::vector<std::string> read;

  void set(const std::string& name, std::string text) {
    all["/sys/devices/system/cpu/" + name] = std::move(text);
  }
  file_reader reader() {
    return [this](const std::string& path) -> std::optional<std::string> {
      read.push_back(path);
      const auto found = all.find(path);
      return found == all.end() ? std::nullopt : std::optional(found->second);
    };
  }
};

std::vector<unsigned> first(unsigned count) {
  std::vector<unsigned> threads(count);
  std::iota(threads.begin(), threads.end(), 0U);
  return threads;
}

} // namespace

TEST_CASE("without several threads per core each hardware thread is a core, and one file tells") {
  files machine;
  machine.set("smt/active", "0\n");
  CHECK(count_cores(first(128), machine.reader()) == 128U);
  CHECK(machine.read.size() == 1);
}

TEST_CASE("hardware threads of the same core count once") {
  files machine;
  machine.set("smt/active", "1\n");
  // Siblings half of the machine apart, as on most; the fifth core has a single thread.
  for(const unsigned i : {0U, 1U, 2U, 3U})
    for(const unsigned twin : {i, i + 4})
      machine.set("cpu" + std::to_string(twin) + "/topology/core_cpus_list",
        std::to_string(i) + "," + std::to_string(i + 4) + "\n");
  machine.set("cpu8/topology/core_cpus_list", "8\n");
  CHECK(count_cores(first(9), machine.reader()) == 5U);
  CHECK(count_cores(std::vector<unsigned>{1, 2, 5}, machine.reader()) == 2U);
  CHECK(count_cores(std::vector<unsigned>{6}, machine.reader()) == 1U);
}

TEST_CASE("an older kernel's name for siblings is understood") {
  files machine;
  for(const char* const thread : {"cpu0", "cpu1"})
    machine.set(std::string(thread) + "/topology/thread_siblings_list", "0-1\n");
  CHECK(count_cores(first(2), machine.reader()) == 1U);
}

TEST_CASE("a machine that doesn't tell its cores is left to hwloc") {
  files machine;
  CHECK(count_cores(first(2), machine.reader()) == std::nullopt);
  machine.set("cpu0/topology/core_cpus_list", "0\n");
  CHECK(count_cores(first(2), machine.reader()) == std::nullopt);
  machine.set("cpu1/topology/core_cpus_list", "what\n");
  CHECK(count_cores(first(2), machine.reader()) == std::nullopt);
  machine.set("smt/active", "0\n");
  CHECK(count_cores({}, machine.reader()) == std::nullopt);
}

TEST_CASE("an executor's quick look and hwloc's long one agree") {
  CHECK(usable_here() == rondo::this_machine().usable);
  CHECK(rondo::executor(rondo::executor_options{}).workers() == rondo::this_machine().usable);
}

TEST_CASE("a core has the same number whichever of its hardware threads one looks at") {
  files machine;
  machine.set("smt/active", "1\n");
  for(const unsigned i : {70U, 71U})
    for(const unsigned twin : {i, i + 100})
      machine.set("cpu" + std::to_string(twin) + "/topology/core_cpus_list",
        std::to_string(i) + "," + std::to_string(i + 100) + "\n");
  const std::vector<unsigned> threads{171, 70, 170, 71};
  CHECK(find_cores(threads, machine.reader()) == std::vector<unsigned>{71, 70, 70, 71});
}

TEST_CASE("lists of CPUs are read as the kernel writes them") {
  using numbers = std::vector<unsigned>;
  CHECK(parse_cpu_list("0-3,8,10-11\n") == numbers{0, 1, 2, 3, 8, 10, 11});
  CHECK(parse_cpu_list("1029") == numbers{1029});
  for(const char* const none : {"", "\n", "x", "1-", "1,", "3-4000000000"})
    CHECK(parse_cpu_list(none).empty());
}

TEST_CASE("the cores of this process are among those of the machine, each once") {
  const std::vector<unsigned> here = cores_here();
  REQUIRE(!here.empty());
  CHECK(std::ranges::is_sorted(here));
  CHECK(std::ranges::adjacent_find(here) == here.end());
  CHECK(here.size() <= cores_of_machine());
  CHECK(here.size() >= usable_here());
  std::vector<unsigned> threads;
  for(const auto& core : rondo::this_machine().cores)
    threads.push_back(core.os_index);
  std::vector<unsigned> cores = cores_of(threads);
  std::ranges::sort(cores);
  CHECK(cores == here);
}
