// Steps of tasks that need what some of those of the step before have left, in one process: see
// metg/pattern.hpp. A point has two values by turns, each a region; the flow finds out what needs what.
//
//   rondo_metg --pattern nearest --width 16

#include "metg/options.hpp"
#include "metg/task.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <thread>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/flow.hpp>

namespace {

using bench::metg::most_inputs;
using bench::metg::value;

// Which step it is, a task knows from what it has left two steps before.
struct task {
  int point;
  std::array<int, most_inputs> from;
  std::int64_t iterations;

  template<class... V>
  void operator()(value& own, const V&... inputs) const {
    const std::int64_t step = own.step + 2;
    const int* of = from.data();
    (bench::metg::check(inputs, step - 1, *of++), ...);
    bench::metg::compute(iterations);
    own = {step, point};
  }
};

// Values of different workers don't share a cache line, as those of different ranks don't.
struct alignas(rondo::cache_line) padded_value {
  value is;
};

class steps {
public:
  steps(const bench::metg::options& o, const std::string& mode, unsigned workers)
      : o_(o), mode_(mode), ex_(workers), flow_(ex_, {.find_repeats = mode == "plain"}) {
    for(auto& values : values_)
      values.resize(static_cast<std::size_t>(o.search.width));
    for(std::size_t k : {0, 1})
      for(padded_value& v : values_[k])
        regions_[k].emplace_back(flow_, v.is);
    for(int step = 0; step != o.steps_of_pass(); ++step)
      for(int i = 0; i != o.search.width; ++i)
        plan(step, i);
  }

  void run(long count, std::int64_t iterations) {
    for(std::size_t i = 0; i != values_[0].size(); ++i) {
      const auto point = static_cast<std::int64_t>(i);
      values_[0][i] = {{-2, point}};
      values_[1][i] = {{-1, point}};
    }
    const int pass = o_.steps_of_pass();
    const auto launch_pass = [&] {
      for(const planned& p : pass_)
        launch(p, iterations, std::make_index_sequence<most_inputs>());
    };
    const long passes = count / pass;
    if(mode_ == "repeat")
      flow_.repeat(static_cast<std::uint64_t>(passes), launch_pass);
    else
      for(long k = 0; k != passes; ++k)
        if(mode_ == "trace") {
          const rondo::trace::guard guard(trace_, flow_);
          launch_pass();
        }
        else
          launch_pass();
    flow_.wait();
    for(const padded_value& v : values_[1])
      bench::metg::check(v.is, count - 1, &v - values_[1].data());
  }

  [[nodiscard]] unsigned workers() const { return ex_.workers(); }
  // What the flow has made of its launches.
  [[nodiscard]] std::string text() const {
    if(mode_ == "trace")
      return trace_.text();
    const rondo::repeat_statistics& r = flow_.repeats();
    return "repeats: " + std::to_string(r.found) + " found, " + std::to_string(r.given_up) +
           " given up, " + std::to_string(r.launches) + " launches of " +
           std::to_string(flow_.launched()) + " replayed, " + std::to_string(r.diverged) +
           " not as expected; " + std::to_string(r.period) + " launches a pass, in " +
           std::to_string(r.lanes) + " lanes\n";
  }

private:
  using region = rondo::region<value>;
  struct planned {
    int point;
    std::size_t count; // of inputs
    region* own;
    std::array<int, most_inputs> from;
    std::array<region*, most_inputs> inputs;
  };

  // As in MPI's program, who needs what is known before the clock runs.
  void plan(int step, int point) {
    planned p{point, 0, &regions_[step % 2][static_cast<std::size_t>(point)], {}, {}};
    for(const int i : bench::metg::inputs(o_.which(), o_.search.width, step, point)) {
      p.from[p.count] = i;
      p.inputs[p.count++] = &regions_[(step + 1) % 2][static_cast<std::size_t>(i)];
    }
    pass_.push_back(p);
  }

  // Accesses are types: a call for each number of them.
  template<std::size_t... N>
  void launch(const planned& p, std::int64_t iterations, std::index_sequence<N...>) {
    const auto with = [&]<std::size_t... K>(std::index_sequence<K...>) {
      flow_.submit(task{p.point, {p.from[K]...}, iterations}, rondo::read_write(*p.own),
        rondo::read(*p.inputs[K])...);
    };
    ((p.count == N + 1 ? with(std::make_index_sequence<N + 1>()) : void()), ...);
  }

  const bench::metg::options& o_;
  std::string mode_;
  rondo::executor ex_;
  rondo::flow flow_;
  std::vector<padded_value> values_[2]; // of even and of odd steps
  std::deque<region> regions_[2];
  std::vector<planned> pass_;
  rondo::trace trace_;
};

// Seconds; by threads that have nothing to do with Rondo's. All begin at the same time: one that had to be
// woken up would leave the others a core, or a half of one, that they don't have otherwise.
double compute_on_all(unsigned threads, std::int64_t iterations) {
  std::atomic<unsigned> missing{threads};
  std::vector<double> seconds(threads);
  std::vector<std::thread> others;
  const auto compute = [&](unsigned i) {
    missing.fetch_sub(1);
    while(missing.load() != 0) {
    }
    seconds[i] = 1e-9 * bench::time_of([&] { bench::metg::compute(iterations); });
  };
  for(unsigned i = 1; i < threads; ++i)
    others.emplace_back(compute, i);
  compute(0);
  for(std::thread& t : others)
    t.join();
  return *std::max_element(seconds.begin(), seconds.end());
}

} // namespace

int main(int argc, char** argv) {
  bench::metg::options o;
  std::string mode = "repeat";
  unsigned workers = 2;
  bool explains = false;
  bench::arguments args;
  o.add_to(args);
  args.add("--workers", workers, "threads that work").positive();
  args.add("--mode", mode, "repeat: launched once; trace; plain: repeats are found; untraced")
    .one_of({"repeat", "trace", "plain", "untraced"});
  args.add_flag("--explain", explains, "says what was found out about repeating launches");
  if(const auto status = args.try_parse(argc, argv))
    return *status;
  o.search.cores = static_cast<int>(workers);
  o.search.period = o.steps_of_pass();

  steps s(o, mode, workers);
  const auto r = bench::metg::find(
    o.search,
    [&](long count, std::int64_t iterations) {
      return 1e-9 * bench::time_of([&] { s.run(count, iterations); });
    },
    [&](std::int64_t iterations) { return compute_on_all(workers, iterations); });
  if(explains)
    std::fputs(s.text().c_str(), stdout);
  std::printf("%s\n", bench::metg::describe("Rondo, " + mode, o, 1, s.workers(), r).text().c_str());
}
