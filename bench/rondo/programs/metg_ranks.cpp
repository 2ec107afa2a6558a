// Steps of tasks that need what some of those of the step before have left, on several ranks: points are
// colors of a mesh, and what they have left are its fields. Colors of a mesh see those next to them: so
// there are `stencil`, and `no_comm`.
//
//   mpirun -np 2 rondo_metg_ranks --pattern stencil --width 16

#include <algorithm>

#include "metg/options.hpp"
#include "metg/task.hpp"
#include "rondo/programs/program.hpp"

using namespace rondo;
using bench::metg::value;

namespace {

using points = structured<1>;
using values = field<value>;

void begin(points::view m, values::accessor<wo> even, values::accessor<wo> odd) {
  for(const auto i : m.owned(0)) {
    even(i) = {-2, i};
    odd(i) = {-1, i};
  }
}

// Which step it is, a task knows from what it has left two steps before.
void stencil(points::view m, values::accessor<rw> own, values::accessor<ro, ro> inputs,
  std::int64_t iterations) {
  const std::int64_t i = m.owned(0).first();
  const std::int64_t step = own(i).step + 2;
  for(std::int64_t k = std::max<std::int64_t>(i - 1, 0); k <= std::min(i + 1, m.mesh().hi[0] - 1);
      ++k)
    bench::metg::check(inputs(k), step - 1, k);
  bench::metg::compute(iterations);
  own(i) = {step, i};
}
void alone(
  points::view m, values::accessor<rw> own, values::accessor<ro> input, std::int64_t iterations) {
  const std::int64_t i = m.owned(0).first();
  const std::int64_t step = own(i).step + 2;
  bench::metg::check(input(i), step - 1, i);
  bench::metg::compute(iterations);
  own(i) = {step, i};
}

void look(points::view m, values::accessor<ro> odd, std::int64_t last) {
  bench::metg::check(odd(m.owned(0).first()), last, m.owned(0).first());
}

} // namespace

int main(int argc, char** argv) {
  bench::metg::options o;
  std::string mode = "repeat";
  bench::arguments args;
  o.add_to(args);
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    if(o.name != "stencil" && o.name != "no_comm")
      throw std::invalid_argument("--pattern: on several ranks stencil or no_comm");
    if(s.workers() != 1)
      throw std::runtime_error("one worker for each rank: RONDO_WORKERS=1");
    const std::int64_t width = o.search.width;
    points m{s, {.extents = {width}, .colors = {width}}};
    values even{m, "even"}, odd{m, "odd"};
    trace t;
    const auto steps = [&](values& own, values& inputs, std::int64_t iterations) {
      if(o.name == "stencil")
        s.execute<stencil>(m, own, inputs, iterations);
      else
        s.execute<alone>(m, own, inputs, iterations);
    };
    const auto pass = [&](std::int64_t iterations) {
      steps(even, odd, iterations);
      steps(odd, even, iterations);
    };
    bench::programs::stopwatch time(s);
    o.search.cores = static_cast<int>(s.ranks());
    o.search.period = 2;
    const auto run = [&](long count, std::int64_t iterations) {
      s.execute<begin>(m, even, odd);
      time.forget();
      time.measure([&] {
        bench::programs::run_passes(
          s, mode, t, static_cast<std::uint64_t>(count / 2), [&] { pass(iterations); });
      });
      s.execute<look>(m, odd, count - 1);
      return 1e-6 * time.last();
    };
    const auto r = bench::metg::find(o.search, run, [&](std::int64_t iterations) {
      time.forget();
      time.measure([&] { bench::metg::compute(iterations); });
      return 1e-6 * time.last();
    });
    bench::programs::print(
      s, bench::metg::describe("Rondo, " + mode, o, s.ranks(), s.home().workers(), r));
  });
}
