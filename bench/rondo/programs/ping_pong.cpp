// The time from a task on one rank to a task on the other one that needs its result, as a ghost: what a
// message takes in peers/mpi/ping_pong.cpp, and all that a runtime adds to it.
//
//   mpirun -np 2 rondo_ping_pong --round-trips 1000 --bytes 8,65536
//
// Both ranks have a color, and in each pass the task of either reads the other's values and writes its
// own: so a pass is half of a round trip, in both directions at the same time.

#include "rondo/programs/program.hpp"

#include <stdexcept>

using namespace rondo;

namespace {

using line_of_points = structured<1>;
using numbers = field<double>;

void begin(line_of_points::view m, numbers::accessor<wo> v) {
  for(const auto i : m.owned(0))
    v(i) = static_cast<double>(7 * i + 1);
}

// The first of the own points counts the messages; the other one's must have counted as many.
void bounce(line_of_points::view m, numbers::accessor<rw, ro> v) {
  const std::int64_t n = m.owned(0).size();
  const std::int64_t own = m.owned(0).first();
  const std::int64_t other = own == 0 ? n : 0;
  const double before = v(own) - static_cast<double>(7 * own);
  if(v(other) - static_cast<double>(7 * other) != before)
    throw std::runtime_error("a message of another pass");
  v(own) += 1;
}

// How many points of the message are not what was sent.
double wrong(line_of_points::view m, numbers::accessor<ro, ro> v) {
  const std::int64_t n = m.owned(0).size();
  const std::int64_t other = m.owned(0).first() == 0 ? n : 0;
  double sum = 0;
  for(std::int64_t i = other + 1; i < other + n; ++i)
    sum += v(i) == static_cast<double>(7 * i + 1) ? 0 : 1;
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  int reps = 7;
  int round_trips = 1000;
  std::vector<std::int64_t> sizes = {8, 64, 512, 1024, 4096, 8192, 16384, 65536};
  std::string mode = "repeat";
  bench::arguments args;
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add("--round-trips", round_trips, "in each repetition").positive();
  args.add("--bytes", sizes, "of the messages, e.g. 8,65536; multiples of 8")
    .delimiter(',')
    .positive();
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    if(s.ranks() != 2)
      throw std::runtime_error("ping-pong is for two ranks: mpirun -np 2");
    bench::line line = {
      {"program", "Rondo, " + mode}, {"ranks", s.ranks()}, {"round_trips", round_trips}};
    for(const std::int64_t bytes : sizes) {
      if(bytes % 8 != 0)
        throw std::invalid_argument("--bytes: multiples of 8, for values of double");
      const std::int64_t n = bytes / 8;
      line_of_points m{s, {.extents = {2 * n}, .colors = {2}, .halo = n}};
      numbers v{m, "v"};
      trace t;
      const auto halves = [&](std::uint64_t count) {
        bench::programs::run_passes(s, mode, t, count, [&] { s.execute<bounce>(m, v); });
      };
      bench::programs::stopwatch time(s);
      s.execute<begin>(m, v);
      halves(static_cast<std::uint64_t>(round_trips / 5 + 2));
      for(int rep = 0; rep < reps; ++rep)
        time.measure([&] { halves(2 * static_cast<std::uint64_t>(round_trips)); });
      if(s.reduce<wrong, fold::sum>(m, v).get() != 0)
        throw std::runtime_error("what came is not what was sent");
      time.report(line, std::to_string(bytes) + "_bytes", 2.0 * round_trips);
    }
    bench::programs::print(s, line);
  });
}
