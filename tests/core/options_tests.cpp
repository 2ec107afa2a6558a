// Options of a program: what is read, and what is said of what makes no sense.

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <rondo/options.hpp>

#include "../process_that.hpp"

using rondo::options;

namespace {

std::optional<options::end> given(options& o, std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "build/heat");
  return o.try_parse(static_cast<int>(arguments.size()), arguments.data());
}

/// What is said of these arguments, without the name of the program and the hint.
std::string complaint(options& o, std::vector<const char*> arguments) {
  const auto end = given(o, std::move(arguments));
  if(!end)
    return "nothing";
  CHECK(end->code == 2);
  const std::string& text = end->text;
  const std::string before = "heat: ", after = " (see --help)\n";
  REQUIRE(text.starts_with(before));
  REQUIRE(text.ends_with(after));
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

} // namespace

TEST_CASE("options that are not given have the values of the program") {
  options o("Heat.");
  const auto size = o.add("size", 512, "points");
  const auto dt = o.add("dt", 0.25, "time step");
  const auto file = o.add("file", "u.png", "picture");
  const auto hot = o.flag("hot", "hot edge");
  const auto input = o.argument("INPUT", "none", "where to begin");
  CHECK_FALSE(given(o, {}));
  CHECK(*size == 512);
  CHECK(*dt == 0.25);
  CHECK(*file == "u.png");
  CHECK_FALSE(*hot);
  CHECK(*input == "none");
  CHECK(file->size() == 5);
  CHECK_FALSE(size.given());
}

TEST_CASE("values are read in both spellings, and the last one counts") {
  options o("Heat.");
  const auto size = o.add("size", 512, "points");
  const auto shift = o.add("shift", 0.5f, "of the source");
  const auto seed = o.add("seed", std::uint64_t{1}, "of random numbers");
  const auto hot = o.flag("hot", "hot edge");
  const auto input = o.argument("INPUT", "none", "where to begin");
  const auto steps = o.argument("STEPS", 10, "how many");
  CHECK_FALSE(given(o, {"--size", "3", "in.vti", "--shift=-1.5", "--hot", "--seed",
                         "18446744073709551615", "7", "--size=4"}));
  CHECK(size == 4);
  CHECK(shift == -1.5f);
  CHECK(*seed == 18446744073709551615u);
  CHECK(*hot);
  CHECK(*input == "in.vti");
  CHECK(*steps == 7);
  CHECK(size.given());
}

TEST_CASE("a negative value needs no other spelling") {
  options o("Heat.");
  const auto shift = o.add("shift", 0, "of the source");
  const auto first = o.argument("FIRST", 0, "where to begin");
  CHECK_FALSE(given(o, {"--shift", "-3", "-7"}));
  CHECK(*shift == -3);
  CHECK(*first == -7);
  CHECK_FALSE(given(o, {"--", "-8"}));
  CHECK(*first == -8);
}

TEST_CASE("arrays and vectors are numbers with commas between") {
  options o("Heat.");
  const auto size = o.add("size", std::array{512, 256}, "points").at_least(3);
  const auto levels = o.add("levels", std::vector<double>{1}, "of the mesh");
  const auto names = o.add("names", std::vector<std::string>{}, "of fields");
  SECTION("with commas") {
    CHECK_FALSE(given(o, {"--size", "7,9", "--levels", "0.5,1e-3,2", "--names", "ux,v"}));
    CHECK(*size == std::array{7, 9});
    CHECK(*levels == std::vector{0.5, 1e-3, 2.0});
    CHECK(*names == std::vector<std::string>{"ux", "v"});
  }
  SECTION("as one writes extents") {
    CHECK_FALSE(given(o, {"--size", "7x9"}));
    CHECK(*size == std::array{7, 9});
  }
  SECTION("one number is for all of an array") {
    CHECK_FALSE(given(o, {"--size", "8"}));
    CHECK(*size == std::array{8, 8});
  }
  SECTION("another number of them") {
    CHECK(complaint(o, {"--size", "8,9,10"}) ==
          "--size: should be 2 whole numbers with commas between, each at least 3, not \"8,9,10\"");
  }
  SECTION("one that is too small") {
    CHECK(complaint(o, {"--size", "8,2"}) ==
          "--size: should be 2 whole numbers with commas between, each at least 3, not \"8,2\"");
  }
}

TEST_CASE("an option may be a variable of the program") {
  struct {
    std::int64_t points = 40;
    bool full = false;
  } p;
  options o("Heat.");
  o.add("points", &p.points, "along each side").between(3, 100);
  o.flag("full", &p.full, "all levels");
  CHECK_THAT(given(o, {"--help"})->text, Catch::Contains("(40; from 3 to 100)"));
  CHECK_FALSE(given(o, {"--points", "64", "--full"}));
  CHECK(p.points == 64);
  CHECK(p.full);
}

TEST_CASE("what is no number, or out of range, is told") {
  options o("Heat.");
  o.add("size", 512, "points").at_least(3);
  o.add("steps", 10, "how many").between(0, 1000);
  o.add("dt", 0.1, "time step").more_than(0);
  o.add("small", std::int8_t{0}, "few");
  o.add("count", 1u, "of them");
  CHECK(complaint(o, {"--size", "1e4"}) ==
        "--size: should be a whole number of at least 3, not \"1e4\"");
  CHECK(
    complaint(o, {"--size", "2"}) == "--size: should be a whole number of at least 3, not \"2\"");
  CHECK(complaint(o, {"--size", ""}) == "--size: should be a whole number of at least 3, not \"\"");
  CHECK(complaint(o, {"--size="}) == "--size: its value is missing");
  CHECK(complaint(o, {"--steps", "1001"}) ==
        "--steps: should be a whole number from 0 to 1000, not \"1001\"");
  CHECK(complaint(o, {"--dt", "0"}) == "--dt: should be a number more than 0, not \"0\"");
  CHECK(complaint(o, {"--dt", "nan"}) == "--dt: should be a number more than 0, not \"nan\"");
  CHECK(complaint(o, {"--dt", "inf"}) == "--dt: should be a number more than 0, not \"inf\"");
  CHECK(complaint(o, {"--small", "200"}) == "--small: should be a whole number, not \"200\"");
  CHECK(complaint(o, {"--count", "-1"}) == "--count: should be a whole number, not \"-1\"");
  CHECK(complaint(o, {"--count", "4294967296"}) ==
        "--count: should be a whole number, not \"4294967296\"");
}

TEST_CASE("values may be some words, and the nearest one is offered") {
  options o("Heat.");
  const auto scheme =
    o.add("scheme", "implicit", "how time goes on").one_of({"implicit", "explicit", "both"});
  CHECK(complaint(o, {"--scheme", "explict"}) == "--scheme: should be implicit, explicit or both, "
                                                 "not \"explict\"; did you mean explicit?");
  CHECK_FALSE(given(o, {"--scheme", "both"}));
  CHECK(*scheme == "both");
}

TEST_CASE("options that are not there are told, with the one that was meant") {
  options o("Heat.");
  o.add("size", 512, "points");
  o.add("steps", 10, "how many");
  CHECK(complaint(o, {"--sise", "4"}) == "there is no option --sise; did you mean --size?");
  CHECK(complaint(o, {"--sise=4"}) == "there is no option --sise; did you mean --size?");
  CHECK(complaint(o, {"-size", "4"}) == "there is no option -size; did you mean --size?");
  CHECK(complaint(o, {"--rondo-worker", "4"}) ==
        "there is no option --rondo-worker; did you mean --rondo-workers?");
  CHECK(complaint(o, {"--qqqqqqqqqqqqqq"}) == "there is no option --qqqqqqqqqqqqqq");
  CHECK(complaint(o, {"7"}) == "there is no use for \"7\"");
}

TEST_CASE("values that are missing are told") {
  options o("Heat.");
  o.add("size", 512, "points");
  o.add("file", "", "of the result");
  CHECK(complaint(o, {"--size"}) == "--size: its value is missing");
  CHECK(complaint(o, {"--file", "--size", "4"}) == "--file: its value is missing");
  options must("Heat.");
  const auto dt = must.add<double>("dt", "time step");
  CHECK(complaint(must, {}) == "--dt is missing: time step");
  CHECK_FALSE(given(must, {"--dt", "0.5"}));
  CHECK(*dt == 0.5);
}

TEST_CASE("help has all options, and ends the program") {
  options o("Heat in a plate.");
  o.add("size", std::array{512, 512}, "points along each side").at_least(3);
  o.add("scheme", "implicit", "how time goes on").one_of({"implicit", "explicit"});
  o.flag("hot", "begin with a hot edge");
  o.argument("INPUT", "", "where to begin");
  o.argument("STEPS", 100, "how many").at_least(0);
  const auto end = given(o, {"--sise", "--help"});
  REQUIRE(end);
  CHECK(end->code == 0);
  CHECK_THAT(end->text, Catch::StartsWith(R"(Heat in a plate.

Usage: heat [options] [INPUT [STEPS]]

  INPUT          where to begin
  STEPS          how many (100; at least 0)
  --size N,N     points along each side (512,512; at least 3)
  --scheme TEXT  how time goes on (implicit or explicit; implicit if not given)
  --hot          begin with a hot edge
  --help         this

For Rondo, in place of environment variables:
  --rondo-workers N )"));
  CHECK_THAT(
    end->text, Catch::Contains("how messages travel between ranks: shm, mpi, ucx or solo"));
}

TEST_CASE("what is set for Rondo sets its variables, unless something is wrong") {
  options o("Heat.");
  o.add("size", 512, "points");
  REQUIRE(setenv("RONDO_SPIN_US", "5", 1) == 0);
  CHECK(complaint(o, {"--rondo-spin-us", "7", "--size", "x"}) ==
        "--size: should be a whole number, not \"x\"");
  CHECK(std::string(getenv("RONDO_SPIN_US")) == "5");
  CHECK(complaint(o, {"--rondo-spin-us", "-7"}) ==
        "--rondo-spin-us: should be a whole number from 0 to 1000000, not \"-7\"");
  CHECK(complaint(o, {"--rondo-transport", "ucs"}) ==
        "--rondo-transport: should be shm, mpi, ucx or solo, not \"ucs\"; did you mean ucx?");
  CHECK_FALSE(given(o, {"--rondo-spin-us", "7"}));
  CHECK(std::string(getenv("RONDO_SPIN_US")) == "7");
  unsetenv("RONDO_SPIN_US");
}

TEST_CASE("an option that is used before the command line was read says so") {
  options o("Heat.");
  const auto size = o.add("size", 512, "points");
  CHECK_THROWS_WITH(*size, Catch::Contains("size is used before options::parse"));
  CHECK(given(o, {"--size", "x"}));
  CHECK_THROWS_AS(*size, std::logic_error);
}

TEST_CASE("names of options that can't be are refused") {
  options o("Heat.");
  o.add("size", 512, "points");
  CHECK_THROWS_WITH(o.add("size", 1, "again"), Catch::Contains("of this name already"));
  CHECK_THROWS_WITH(o.add("--steps", 1, "how many"), Catch::Contains("without dashes"));
  CHECK_THROWS_WITH(o.add("rondo-x", 1, "ours"), Catch::Contains("is Rondo's"));
  CHECK_THROWS_WITH(o.flag("help", "ours"), Catch::Contains("is Rondo's"));
  CHECK_THROWS_WITH(o.add("a b", 1, "spaces"), Catch::Contains("without spaces"));
}

TEST_CASE("a flag may say yes or no, and nothing else") {
  options o("Heat.");
  const auto hot = o.flag("hot", "hot edge");
  const auto steps = o.add("steps", 3, "how many");
  for(const char* const no : {"--hot=no", "--hot=false", "--hot=0", "--hot=off"}) {
    CHECK_FALSE(given(o, {no}));
    CHECK_FALSE(*hot);
  }
  for(const char* const yes : {"--hot", "--hot=yes", "--hot=true", "--hot=1", "--hot=on"}) {
    CHECK_FALSE(given(o, {yes}));
    CHECK(*hot);
  }
  CHECK(complaint(o, {"--hot=banana"}) == "--hot: \"banana\" is neither yes nor no");
  CHECK(complaint(o, {"--hot=5"}) == "--hot: \"5\" is neither yes nor no");
  CHECK(complaint(o, {"--hot="}) == "--hot: \"\" is neither yes nor no");
  CHECK(complaint(o, {"--help=me"}) == "--help: \"me\" is neither yes nor no");
  CHECK_FALSE(given(o, {"--steps", "4"}));
  CHECK(*steps == 4);
}

TEST_CASE("the values of a run can be written down, and read again") {
  options o("Heat.");
  const auto size = o.add("size", std::array{512, 512}, "points");
  const auto dt = o.add("dt", 0.1, "time step");
  o.add("file", "", "of the result");
  const auto hot = o.flag("hot", "hot edge");
  o.flag("cold", "cold edge");
  o.argument("STEPS", 100, "how many");
  CHECK_FALSE(given(o, {"--size", "7", "--hot", "9"}));
  CHECK(o.text() == "--size 7,7 --dt 0.1 --hot 9");
}

TEST_CASE(
  "parse ends the program with a sentence, and without one on ranks that are not the first") {
  for(const bool first : {true, false}) {
    const death end = process_that([&] {
      if(!first)
        setenv("PMI_RANK", "1", 1);
      std::string program = "heat", wrong = "--sise=3";
      char* arguments[] = {program.data(), wrong.data(), nullptr};
      options o("Heat.");
      o.add("size", 512, "points");
      o.parse(2, arguments);
    });
    CHECK(end.code == 2);
    CHECK(end.text ==
          (first ? "heat: there is no option --sise; did you mean --size? (see --help)\n" : ""));
  }
}
