// Launches and loops that are given a future of nothing are refused where they are, with what to do.

#include <rondo/flow.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

using namespace rondo;

namespace {

std::string here(unsigned line) { return std::string(__FILE__) + ':' + std::to_string(line); }

template<class F>
std::string thrown_by(F&& f) {
  try {
    f();
  }
  catch(const std::exception& e) {
    return e.what();
  }
  return {};
}

/// What is said of it, and what to do.
std::string empty(const std::string& example) {
  return " an empty future, one that was default-constructed or moved from, so its value will "
         "never come; give it a value first, such as rondo::make_ready(" +
         example + ')';
}

} // namespace

TEST_CASE("a launch that is given an empty future is refused there, by its name and the argument") {
  executor ex(1);
  flow f(ex);
  double value = 0;
  region r(f, value);
  const future<double> none;
  unsigned line = __LINE__ + 2;
  std::string said =
    thrown_by([&] { f.submit(named("add", [](double& x, double y) { x += y; }), write(r), none); });
  CHECK(said == here(line) + ": add: argument 2 is" + empty("0.0"));
  line = __LINE__ + 1;
  said = thrown_by([&] { f.submit([](double& x) { x += 1; }, future<void>(), write(r)); });
  CHECK(said == here(line) + ": submit: argument 1 is" + empty(""));
  // A launch without accesses and a name does not know where it is.
  said = thrown_by([&] { f.submit([](float) {}, future<float>()); });
  CHECK(said == "rondo::flow: submit: argument 1 is" + empty("value"));
  // Nothing was launched, and the flow goes on.
  f.submit([](double& x, double y) { x += y; }, write(r), make_ready(2.0));
  f.wait();
  CHECK(value == 2);
}

TEST_CASE("launches in the body of repeat are given no empty futures either") {
  executor ex(1);
  flow f(ex);
  double value = 0;
  region r(f, value);
  const future<int> none;
  unsigned line = 0;
  const std::string said = thrown_by([&] {
    f.repeat(3, [&] {
      line = __LINE__ + 1;
      f.submit([](double& x, int y) { x += y; }, write(r), none);
    });
  });
  CHECK(said == here(line) + ": submit: argument 2 is" + empty("0"));
  f.wait();
  CHECK(value == 0);
}

TEST_CASE("a body of iterate that returns an empty future is told so, and where the loop is") {
  executor ex(1);
  flow f(ex);
  unsigned line = __LINE__ + 1;
  std::string said = thrown_by([&] { f.iterate([] { return future<bool>(); }); });
  CHECK(said == here(line) + ": iterate: its body has returned" + empty("false"));
  line = __LINE__ + 2;
  said = thrown_by(
    [&] { f.iterate([] { return leave_if(make_ready(true), make_ready(1), future<double>()); }); });
  CHECK(said == here(line) +
                  ": iterate: its body has returned leave_if(...), of which argument 3 is" +
                  empty("0.0"));
  f.wait();
}

TEST_CASE("a condition that is an empty future is told so") {
  executor ex(1);
  flow f(ex);
  const unsigned line = __LINE__ + 1;
  const std::string said = thrown_by([&] { f.when(future<bool>(), [] {}); });
  CHECK(said == here(line) + ": when: its condition is" + empty("false"));
  f.wait();
}

TEST_CASE("a negative number of passes is refused where the loop is") {
  executor ex(1);
  flow f(ex);
  const int passes = -1;
  const unsigned line = __LINE__ + 1;
  const std::string said = thrown_by([&] { f.repeat(static_cast<std::uint64_t>(passes), [] {}); });
  CHECK(said == here(line) +
                  ": repeat: 18446744073709551615 passes, which is what -1 becomes where a "
                  "number without a sign is taken; say 0 for no pass");
  f.wait();
}
