#include "advice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using doctor::examine_build;
using doctor::examine_machine;
using doctor::severity;

namespace {

constexpr rondo::build_info good_build{"0.1.0", "g++", "Release", true, false, ""};

rondo::machine plain_machine(unsigned cores) {
  rondo::machine m;
  for(unsigned i = 0; i < cores; ++i)
    m.cores.push_back({i, 0, 0, 0, i, 1});
  m.numa_nodes = {{0, cores, 0}};
  m.usable = cores;
  return m;
}

/// Whether there is a finding of that weight that contains `words`.
bool says(const std::vector<doctor::finding>& findings, severity weight, const std::string& words) {
  return std::any_of(findings.begin(), findings.end(), [&](const doctor::finding& f) {
    return f.weight == weight &&
           (f.text.find(words) != std::string::npos || f.remedy.find(words) != std::string::npos);
  });
}

bool is_silent_about(const std::vector<doctor::finding>& findings, severity weight) {
  return !says(findings, weight, "");
}

} // namespace

TEST_CASE("an optimized build is fine") {
  const auto findings = examine_build(good_build);
  CHECK(is_silent_about(findings, severity::warning));
  CHECK(says(findings, severity::good, "optimized"));
}

TEST_CASE("a build without optimization, or with a sanitizer, is shouted about") {
  auto build = good_build;
  build.optimized = false;
  CHECK(says(examine_build(build), severity::warning, "WITHOUT OPTIMIZATION"));
  build = good_build;
  build.sanitizer = "thread";
  CHECK(says(examine_build(build), severity::warning, "thread SANITIZER"));
}

TEST_CASE("an ordinary machine gives no warnings") {
  CHECK(is_silent_about(examine_machine(plain_machine(4), {}), severity::warning));
  CHECK(is_silent_about(examine_machine(plain_machine(4), {}), severity::hint));
}

TEST_CASE("a quota below the number of cores is a warning that names both") {
  auto m = plain_machine(8);
  m.quota = 2;
  m.usable = 2;
  CHECK(says(examine_machine(m, {}), severity::warning, "grants 2 of the 8 cores"));
}

TEST_CASE("cores on several NUMA nodes are a warning for a rank, a hint for a lone process") {
  auto m = plain_machine(4);
  m.numa_nodes = {{0, 2, 0}, {1, 2, 0}};
  doctor::system_settings alone, rank;
  rank.managed_by_mpi = true;
  CHECK(says(examine_machine(m, rank), severity::warning, "--bind-to numa"));
  CHECK(says(examine_machine(m, alone), severity::hint, "2 NUMA nodes"));

  SECTION("but not when all our cores are on one of them") {
    m.numa_nodes = {{0, 4, 0}, {1, 0, 0}};
    CHECK(is_silent_about(examine_machine(m, rank), severity::warning));
  }
}

TEST_CASE("huge pages that are off, and a governor that saves power, are hints") {
  doctor::system_settings s;
  s.huge_pages = "never";
  s.governor = "powersave";
  CHECK(says(examine_machine(plain_machine(2), s), severity::hint, "huge pages are off"));
  CHECK(says(examine_machine(plain_machine(2), s), severity::hint, "powersave"));
}

TEST_CASE("the chosen word of a kernel setting is the one in brackets") {
  CHECK(doctor::chosen_word("always [madvise] never\n") == "madvise");
  CHECK(doctor::chosen_word("always madvise").empty());
  CHECK(doctor::chosen_word("").empty());
}
