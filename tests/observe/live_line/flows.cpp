// A program without ranks with loops of some kind, and no word about lines in it.

#include <cstdint>
#include <string>

#include <rondo/flow.hpp>

#include "hurry.hpp"

namespace {

using namespace rondo;
using live_line::take_a_while;

constexpr std::uint64_t passes = 20'000;

void grow(double& x) {
  take_a_while();
  ++x;
}
bool is_large(const double& x) { return x == double(passes); }

void in_flow(executor& ex, const std::string& kind) {
  flow f(ex, {.window = 64});
  double x = 0;
  region r(f, x, "x");
  trace t("step");
  if(kind == "launches")
    for(std::uint64_t i = 0; i != passes; ++i)
      f.submit(grow, write(r));
  else if(kind == "guards")
    for(std::uint64_t i = 0; i != passes; ++i) {
      const auto guard = t.make_guard(f);
      f.submit(grow, write(r));
    }
  else if(kind == "repeat")
    f.repeat(passes, [&] { f.submit(grow, write(r)); });
  else if(kind == "iterate")
    f.iterate([&] {
      f.submit(grow, write(r));
      return f.submit(is_large, read(r));
    });
  else // several loops, one after the other
    for(std::uint64_t i = 0; i != passes; i += 10)
      f.repeat(10, [&] { f.submit(grow, write(r)); });
  f.wait();
}

} // namespace

int main(int argc, char** argv) {
  live_line::listen();
  executor ex(2);
  in_flow(ex, argc > 1 ? argv[1] : "");
  return 0;
}
