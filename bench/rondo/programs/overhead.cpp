// What a launch costs: the tasks of Gauss-Seidel, but empty.
//
//   rondo_overhead --colors 2 2 --passes 20000 --mode trace
//
// On several ranks each has so many colors, and those of the next rank are above them.

#include "harness/arguments.hpp"
#include "harness/clock.hpp"
#include "harness/line.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

void red(grid::view, numbers::accessor<rw, still>, numbers::accessor<ro>) {}
void black(grid::view, numbers::accessor<rw, still>, numbers::accessor<ro>) {}

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

} // namespace

int main(int argc, char** argv) {
  int passes = 20'000;
  int reps = 5;
  std::string mode = "plain";
  std::vector<std::int64_t> colors{2, 2};
  bench::arguments args;
  args.add("--passes", passes, "red and black, so often").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add("--mode", mode, "untraced, plain (repeats are found), trace, repeat")
    .one_of({"untraced", "plain", "trace", "repeat"});
  args.add("--colors", colors, "along x and y, on each rank").expected(2);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv,
    [&](scheduler& s) {
      const std::int64_t ranks = s.ranks();
      grid m{s, {.extents = {4 * colors[0], 4 * colors[1] * ranks},
                  .colors = {colors[0], colors[1] * ranks}}};
      numbers u{m, "u"};
      numbers f{m, "f"};
      trace t;
      std::vector<double> times;
      const auto pass = [&] {
        s.execute<red>(m, u, f);
        s.execute<black>(m, u, f);
      };
      for(int rep = -1; rep < reps; ++rep) {
        s.wait();
        const double ns = bench::time_of([&] {
          if(mode == "repeat")
            s.repeat(static_cast<std::uint64_t>(passes), pass);
          else
            launch_passes(passes, mode == "trace" ? &t : nullptr, pass);
          s.wait();
        });
        if(rep >= 0)
          times.push_back(1e-3 * ns / (2.0 * passes));
      }
      if(s.rank() == 0) {
        const bench::line line = {{"program", "Rondo, " + mode}, {"ranks", s.ranks()},
          {"threads", s.home().workers()}, {"colors", m.colors()},
          {"us_per_launch", bench::median(times)},
          {"us_per_launch_min", *std::min_element(times.begin(), times.end())},
          {"reps", times.size()}};
        std::printf("%s\n", line.text().c_str());
      }
    },
    {.find_repeats = mode != "untraced"});
}
