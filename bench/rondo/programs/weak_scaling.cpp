// What a step takes besides the work, for as many ranks as there are: peers/mpi/weak_scaling.cpp as a
// program of tasks. Each rank has a task that sleeps, and needs halos of the two neighbours in a ring; what
// the tasks return is added up over all ranks, and a task of the next step looks at the sum.
//
//   mpirun -np 16 --oversubscribe --mca mpi_yield_when_idle 1 rondo_weak_scaling --mode trace
//
// `us_per_step` is what is added to the sleep; `us_overslept` is how much of this is the sleep itself.

#include "rondo/programs/program.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

using namespace rondo;

namespace {

using ring = structured<1>;
using numbers = field<double>;

// Of step k all points of a color hold its number + k.
void begin(ring::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = static_cast<double>(m.color());
}

double step(
  ring::view m, numbers::accessor<rw, ro> u, std::int64_t k, int sleep, double* overslept) {
  const auto own = m.owned(0);
  const auto n = m.colors();
  const auto expect = [&](std::int64_t at, std::uint64_t color) {
    if(u(at) != static_cast<double>(color % n) + static_cast<double>(k - 1))
      throw std::runtime_error("a halo of another step");
  };
  expect(own.first() - 1, m.color() + n - 1);
  expect(own.last(), m.color() + 1);
  *overslept += 1e-3 * bench::time_of([&] {
    if(sleep > 0)
      std::this_thread::sleep_for(std::chrono::microseconds(sleep));
  }) - static_cast<double>(sleep);
  // What the neighbours look at; they get it all.
  u(own.first()) = u(own.last() - 1) = static_cast<double>(m.color()) + static_cast<double>(k);
  return static_cast<double>(k);
}

// On all ranks, as with MPI.
void check(ring::view m, double sum, std::int64_t k) {
  if(sum != static_cast<double>(k) * static_cast<double>(m.colors()))
    throw std::runtime_error("a wrong sum");
}

} // namespace

int main(int argc, char** argv) {
  int steps = 50;
  int sleep = 10'000;
  std::int64_t bytes = 8192;
  int reps = 5;
  std::string mode = "trace";
  bench::arguments args;
  args.add("--steps", steps, "of a repetition").positive();
  args.add("--sleep", sleep, "microseconds a task takes").non_negative();
  args.add("--bytes", bytes, "of a halo; a multiple of 8").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args
    .add("--mode", mode,
      "trace; untraced: each launch is analysed; blocking: get() in the loop, and nothing traced")
    .one_of({"trace", "untraced", "blocking"});
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  const auto program = [&](scheduler& s) {
    if(bytes % 8 != 0)
      throw std::invalid_argument("--bytes: a multiple of 8, for values of double");
    const std::int64_t n = bytes / 8;
    ring m{s, {.extents = {n * s.ranks()}, .colors = {s.ranks()}, .halo = n, .periodic = {true}}};
    numbers u{m, "u"};
    trace t;
    double overslept = 0;
    const auto pass = [&](std::int64_t k) {
      const future<double> sum = s.reduce<step, fold::sum>(m, u, k, sleep, &overslept);
      if(mode == "blocking") {
        if(sum.get() != static_cast<double>(k) * s.ranks())
          throw std::runtime_error("a wrong sum");
      }
      else
        s.execute<check>(m, sum, k);
    };
    const auto run = [&](int count) {
      for(std::int64_t k = 1; k <= count; ++k)
        if(mode == "trace") {
          const auto g = t.make_guard();
          pass(k);
        }
        else
          pass(k);
    };

    bench::programs::stopwatch time(s);
    std::vector<double> too_long;
    for(int rep = -1; rep < reps; ++rep) {
      const int count = rep < 0 ? std::max(steps / 10, 2) : steps;
      s.execute<begin>(m, u);
      overslept = 0;
      time.measure([&] { run(count); });
      if(rep < 0)
        time.forget();
      else
        too_long.push_back(overslept / steps);
    }
    bench::line line = {{"program", "Rondo, " + mode}, {"ranks", s.ranks()}, {"sleep_us", sleep},
      {"halo_bytes", bytes}, {"steps", steps}};
    time.report(line, "step", steps, sleep);
    line["us_overslept"] = time.sum(bench::median(too_long)) / s.ranks();
    bench::programs::print(s, line);
  };
  return rondo::run(argc, argv, program, {.find_repeats = false});
}
