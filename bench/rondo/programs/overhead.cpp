// What a launch costs: the tasks of Gauss-Seidel, but empty.
//
//   rondo_overhead --colors 2 2 --passes 20000 --mode trace
//   rondo_overhead --colors 2 2 --passes 20000 --mode trace --unstructured
//
// On several ranks each has so many colors, and those of the next rank are above them.

#include "harness/arguments.hpp"
#include "harness/clock.hpp"
#include "harness/line.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <rondo/rondo.hpp>
#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using triangles = unstructured<kind::cells>;
using numbers = field<double>;

template<class Mesh, privilege Ghosts>
void red(typename Mesh::view, numbers::accessor<rw, Ghosts>, numbers::accessor<ro>) {}
template<class Mesh, privilege Ghosts>
void black(typename Mesh::view, numbers::accessor<rw, Ghosts>, numbers::accessor<ro>) {}

/// What bench/overhead/instructions counts: not inlined, for it to be found.
template<class Pass>
[[gnu::noinline]] void launch_passes(int passes, trace* t, const Pass& pass) {
  for(int i = 0; i != passes; ++i)
    if(t != nullptr) {
      const auto g = t->make_guard();
      pass();
    }
    else
      pass();
}

struct options {
  int passes = 20'000;
  int reps = 5;
  std::string mode = "plain";
};

template<privilege Ghosts, class Mesh>
void measure(scheduler& s, const Mesh& m, const options& o) {
  numbers u{m, "u"};
  numbers f{m, "f"};
  trace t;
  std::vector<double> times;
  const auto pass = [&] {
    s.execute<red<Mesh, Ghosts>>(m, u, f);
    s.execute<black<Mesh, Ghosts>>(m, u, f);
  };
  for(int rep = -1; rep < o.reps; ++rep) {
    s.wait();
    const double ns = bench::time_of([&] {
      if(o.mode == "repeat")
        s.repeat(static_cast<std::uint64_t>(o.passes), pass);
      else
        launch_passes(o.passes, o.mode == "trace" ? &t : nullptr, pass);
      s.wait();
    });
    if(rep >= 0)
      times.push_back(1e-3 * ns / (2.0 * o.passes));
  }
  if(s.rank() == 0) {
    const bench::line line = {{"program", "Rondo, " + o.mode}, {"ranks", s.ranks()},
      {"threads", s.home().workers()}, {"colors", m.colors()},
      {"us_per_launch", bench::median(times)},
      {"us_per_launch_min", *std::min_element(times.begin(), times.end())}, {"reps", times.size()}};
    std::printf("%s\n", line.text().c_str());
  }
}

} // namespace

int main(int argc, char** argv) {
  options o;
  std::vector<std::int64_t> colors{2, 2};
  bool is_unstructured = false;
  bool has_own_alone = false;
  bench::arguments args;
  args.add("--passes", o.passes, "red and black, so often").positive();
  args.add("--reps", o.reps, "repetitions, of which the median is reported").positive();
  args.add("--mode", o.mode, "untraced, plain (repeats are found), trace, repeat")
    .one_of({"untraced", "plain", "trace", "repeat"});
  args.add("--colors", colors, "along x and y, on each rank").expected(2);
  args.add_flag("--unstructured", is_unstructured, "over a mesh of triangles with as many colors");
  args.add_flag(
    "--own", has_own_alone, "tasks look at no ghosts, which colors that lie apart copy");
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv,
    [&](scheduler& s) {
      const point<2> all{colors[0], colors[1] * s.ranks()};
      const point<2> extents{4 * all[0], 4 * all[1]};
      const auto run = [&](const auto& m) {
        if(has_own_alone)
          measure<na>(s, m, o);
        else
          measure<still>(s, m, o);
      };
      if(is_unstructured)
        run(triangles{s, box_of_triangles{extents[0], extents[1]},
          {.colors = static_cast<color_id>(all[0] * all[1])}});
      else
        run(grid{s, {.extents = extents, .colors = all}});
    },
    {.find_repeats = o.mode != "untraced"});
}
