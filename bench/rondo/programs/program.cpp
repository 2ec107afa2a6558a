#include "rondo/programs/program.hpp"

#include <cstdio>

namespace bench::programs {

void print(const rondo::scheduler& s, const bench::line& line) {
  if(s.rank() == 0)
    std::printf("%s\n", line.text().c_str());
}

bench::line describe(
  const rondo::scheduler& s, const rondo::structured<2>& m, const std::string& mode) {
  const auto& shape = m.coloring().shape();
  return {{"program", "Rondo, " + mode}, {"nx", shape.extents[0]}, {"ny", shape.extents[1]},
    {"ranks", s.ranks()}, {"threads", s.home().workers()},
    {"grid", std::to_string(shape.colors[0]) + "x" + std::to_string(shape.colors[1])}};
}

void solver_options::add_to(arguments& args) {
  args.add("--nx", nx, "vertices in x, with the boundary").range(3, 1 << 20);
  args.add("--ny", ny, "vertices in y").range(3, 1 << 20);
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add("--colors", colors, "along x and y; otherwise the best are chosen").expected(2);
}

rondo::structured_options<2> solver_options::mesh() const {
  return {.extents = {nx, ny},
    .colors = colors.empty() ? rondo::point<2>{} : rondo::point<2>{colors[0], colors[1]}};
}

void add_mode(arguments& args, std::string& mode) {
  args.add("--mode", mode, "repeat: launched once; trace; plain: repeats are found")
    .one_of({"repeat", "trace", "plain"});
}

namespace {

double same(rondo::structured<1>::view, double x) { return x; }

} // namespace

stopwatch::stopwatch(rondo::scheduler& s)
    : s_(s), ranks_{s, {.extents = {s.ranks()}, .colors = {s.ranks()}}} {}

double stopwatch::largest(double own) {
  return s_.reduce<same, rondo::fold::max>(ranks_, own).get();
}
double stopwatch::smallest(double own) {
  return s_.reduce<same, rondo::fold::min>(ranks_, own).get();
}
double stopwatch::sum(double own) { return s_.reduce<same, rondo::fold::sum>(ranks_, own).get(); }

} // namespace bench::programs
