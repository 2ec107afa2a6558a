// Variables that nobody knows.

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "environment.hpp"

using rondo::detail::unheard_wish;
using rondo::detail::unknown_variables;

TEST_CASE("variables that are known, or not ours, are not mentioned") {
  const std::array<const char*, 6> set{
    "PATH=/bin", "RONDO_WORKERS=4", "RONDO_DELAY=", "RONDOX=1", "XRONDO_=1", nullptr};
  CHECK(unknown_variables(set.data()).empty());
}

TEST_CASE("a variable that is misspelled is told with the one that was meant") {
  const std::array<const char*, 6> set{"RONDO_WORKER=4", "RONDO_WORKERS=4", "RONDO_transport=mpi",
    "RONDO_SPINUS=7", "RONDO_STACK_KB", nullptr};
  const auto lines = unknown_variables(set.data());
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "rondo: there is no variable RONDO_WORKER, so it has no effect; did you mean "
                    "RONDO_WORKERS? (docs/configuration.md)");
  CHECK_THAT(lines[1], Catch::Contains("RONDO_transport,") && Catch::Contains("RONDO_TRANSPORT?"));
  CHECK_THAT(lines[2], Catch::Contains("RONDO_SPIN_US?"));
  CHECK_THAT(lines[3], Catch::Contains("RONDO_STACK_KIB?"));
}

TEST_CASE("the option of a checked build is told to be none of the environment") {
  const std::array<const char*, 3> set{"RONDO_CHECKS=1", "RONDO_CHECK=1", nullptr};
  const auto lines = unknown_variables(set.data());
  REQUIRE(lines.size() == 2);
  for(const auto& line : lines)
    CHECK_THAT(line, Catch::Contains(" has no effect: checks are compiled in") &&
                       Catch::Contains("-DRONDO_CHECKS=ON"));
}

TEST_CASE("a variable that resembles none is told without a guess") {
  const std::array<const char*, 3> set{"RONDO_QQQQQQQQQQQQQQQQ=4", "RONDO_", nullptr};
  const auto lines = unknown_variables(set.data());
  REQUIRE(lines.size() == 2);
  for(const auto& line : lines)
    CHECK_THAT(line, !Catch::Contains("did you mean"));
}

TEST_CASE("that nobody observes is told where somebody wants it, and nobody could") {
  CHECK(unheard_wish(nullptr, false).empty());
  CHECK(unheard_wish("", false).empty());
  CHECK(unheard_wish("digest", true).empty());
  CHECK_THAT(unheard_wish("digest", false),
    Catch::Contains("RONDO_OBSERVE has no effect") && Catch::Contains("rondo::observe"));
}

TEST_CASE("every variable of the page about configuration is known") {
  std::ifstream page(RONDO_SOURCE_DIR "/docs/configuration.md");
  REQUIRE(page);
  std::string line;
  std::string sections;
  int found = 0;
  while(std::getline(page, line)) {
    if(line.starts_with("## "))
      sections = line;
    if(sections.find("built") != std::string::npos || !line.starts_with("| `RONDO_"))
      continue;
    // All of the first column.
    std::istringstream column(line.substr(0, line.find(" |")));
    for(std::string word; std::getline(column, word, '`');)
      if(word.starts_with("RONDO_")) {
        const std::string set = word + "=1";
        const std::array<const char*, 2> environment{set.c_str(), nullptr};
        INFO(word);
        CHECK(unknown_variables(environment.data()).empty());
        ++found;
      }
  }
  CHECK(found >= 10);
}
