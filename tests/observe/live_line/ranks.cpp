// A program for ranks with loops of some kind, and no word about lines in it, but for `own`.

#include <cstdint>
#include <string>

#include <rondo/rondo.hpp>

#include "hurry.hpp"

namespace {

using namespace rondo;
using live_line::take_a_while;
using line = structured<1>;

constexpr std::uint64_t passes = 20'000;

void fill(line::view m, field<double>::accessor<rw> u) {
  take_a_while();
  for(const auto i : m.owned(0))
    ++u(i);
}
double sum(line::view m, field<double>::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}

void on_ranks(scheduler& s, const std::string& kind) {
  const line m{s, {.extents = {8}, .colors = {2}}};
  const field<double> u{m, "u"};
  if(kind == "own") {
    progress_line own{s, {.what = "own"}};
    s.repeat(passes, [&] {
      s.execute<fill>(m, u);
      own.show(u);
    });
  }
  else if(kind == "repeat")
    s.repeat(passes, [&] { s.execute<fill>(m, u); });
  else // a loop in a loop
    s.iterate({.max = passes}, [&] {
      s.execute<fill>(m, u);
      s.iterate({.max = 2}, [&] {
        s.execute<fill>(m, u);
        return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
      });
      return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
    });
}

} // namespace

int main(int argc, char** argv) {
  live_line::listen();
  return run(argc, argv, [&](scheduler& s) {
    on_ranks(s, argc > 1 ? argv[1] : "");
    return 0;
  });
}
