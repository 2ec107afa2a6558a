// A chain of exchanges between two ranks beside long tasks that have nothing to do with it: when does the chain come
// to its end, and how long does all of it take?
//
//   mpirun -np 2 rondo_progress --links 40 --tasks 40 --task-us 1000 --mode repeat
//
// In each pass a field goes through --links exchanges of a ghost, and each rank runs --tasks tasks; then the
// field gets what the tasks have made, so that the next chain comes after all of them.

#include "progress/chain.hpp"
#include "rondo/programs/program.hpp"

#include <deque>
#include <stdexcept>

using namespace rondo;

namespace {

using line_of_points = structured<1>;
using numbers = field<double>;

bench::progress::chain_times
  chains; // each rank has one color, whose tasks come one after the other

void fill(line_of_points::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = static_cast<double>(i);
}
void begin_chain(line_of_points::view, numbers::accessor<rw>) { chains.begin(); }
void end_chain(line_of_points::view, numbers::accessor<rw>) { chains.end(); }
void exchange(line_of_points::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.owned(0))
    to(i) = bench::progress::link(
      i > 0 ? from(i - 1) : 0, from(i), i + 1 < bench::progress::points ? from(i + 1) : 0);
}
void work(line_of_points::view m, numbers::accessor<rw> w, int us) {
  bench::nap(us);
  for(const auto i : m.owned(0))
    w(i) += 1;
}
void gather(line_of_points::view m, numbers::accessor<rw> u, numbers::accessor<ro> w) {
  for(const auto i : m.owned(0))
    u(i) += w(i);
}
double total(line_of_points::view m, numbers::accessor<ro> u) {
  double sum = 0;
  for(const auto i : m.owned(0))
    sum += u(i);
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  bench::progress::options o;
  std::string mode = "repeat";
  bench::arguments args;
  o.add_to(args);
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    if(s.ranks() != 2)
      throw std::runtime_error("the chain is one of two ranks: mpirun -np 2");
    line_of_points m{s, {.extents = {bench::progress::points}, .colors = {2}}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    std::deque<numbers> made;
    for(int k = 0; k != o.tasks; ++k)
      s.execute<fill>(m, made.emplace_back(m, "made " + std::to_string(k)));
    const auto pass = [&] {
      s.execute<begin_chain>(m, u);
      for(int k = 0; k != o.links; k += 2) {
        s.execute<exchange>(m, v, u);
        s.execute<exchange>(m, u, v);
      }
      s.execute<end_chain>(m, u);
      for(auto& w : made)
        s.execute<work>(m, w, o.task_us);
      for(auto& w : made)
        s.execute<gather>(m, u, w);
    };
    trace t;
    const auto run_passes = [&](int n) {
      bench::programs::run_passes(s, mode, t, static_cast<std::uint64_t>(n), pass);
    };
    s.execute<fill>(m, u);
    run_passes(2);
    bench::programs::stopwatch time(s);
    s.wait();
    chains = {};
    time.measure([&] { run_passes(o.passes); });
    for(double& us : chains.us())
      us = time.smallest(us);
    const double sum = s.reduce<total, fold::sum>(m, u).get();
    bench::programs::print(
      s, bench::progress::line_of("Rondo, " + mode, o, chains.us(), time.last(), sum));
  });
}
