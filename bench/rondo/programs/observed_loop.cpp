// What it costs to be observed: a loop of tasks that compute for so long, with a digest, with a timeline or without.
//
//   rondo_observed_loop --ns 1000 --mode trace --digest

#include "harness/arguments.hpp"
#include "harness/clock.hpp"
#include "harness/line.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <rondo/digest.hpp>
#include <rondo/flow.hpp>
#include <rondo/timeline.hpp>

namespace {

struct block {
  double x = 1;
  std::uint64_t tasks = 0;
};

/// So many steps, each of which needs the one before.
double compute(double x, int steps) {
  for(int i = 0; i != steps; ++i)
    x = x * 0.999999 + 1e-6;
  return x;
}

/// Steps that take so long.
int steps_for(double ns) {
  if(ns <= 0)
    return 0;
  constexpr int many = 2'000'000;
  double best = 1e30;
  volatile double x = 1;
  for(int i = 0; i != 5; ++i) {
    best = std::min(best, bench::time_of([&] { x = compute(x, many); }));
  }
  return static_cast<int>(ns * many / best);
}

} // namespace

int main(int argc, char** argv) {
  double ns = 1000;
  int tasks = 200'000;
  int reps = 5;
  bool has_digest = false;
  std::string timeline;
  std::string mode = "plain";
  bench::arguments args;
  args.add("--ns", ns, "nanoseconds that a task computes");
  args.add("--tasks", tasks, "so many").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add("--mode", mode, "plain (repeats are found), trace, repeat")
    .one_of({"plain", "trace", "repeat"});
  args.add_flag("--digest", has_digest, "with a digest");
  args.add("--timeline", timeline, "with a timeline, in this file");
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  constexpr std::size_t regions = 16;
  const std::uint64_t passes = static_cast<std::uint64_t>(tasks) / regions;
  const int steps = steps_for(ns);
  std::vector<block> blocks(regions);
  std::vector<double> times;
  rondo::executor ex;
  std::optional<rondo::digest> seen;
  if(has_digest)
    seen.emplace(ex);
  std::optional<rondo::timeline> events;
  if(!timeline.empty())
    events.emplace(ex, timeline);
  {
    rondo::flow flow(ex);
    std::deque<rondo::region<block>> handles;
    for(block& b : blocks)
      handles.emplace_back(flow, b, "block");
    rondo::trace step("step");
    const auto body = [&] {
      for(auto& r : handles)
        flow.submit(rondo::named("compute",
                      [steps](block& b) {
                        b.x = compute(b.x, steps);
                        ++b.tasks;
                      }),
          write(r));
    };
    for(int repetition = 0; repetition != reps; ++repetition) {
      const double all = bench::time_of([&] {
        if(mode == "repeat")
          flow.repeat(passes, body);
        else
          for(std::uint64_t i = 0; i != passes; ++i) {
            std::optional<rondo::trace::guard> guard;
            if(mode == "trace")
              guard.emplace(step, flow);
            body();
          }
        flow.wait();
      });
      times.push_back(all / static_cast<double>(passes * regions));
    }
  }
  std::uint64_t ran = 0;
  for(const block& b : blocks)
    ran += b.tasks;
  std::string program = has_digest ? "Rondo, digest" : "Rondo";
  program += timeline.empty() ? "" : ", timeline";
  const bench::line line = {{"program", program}, {"ns_per_task", bench::median(times)}};
  std::printf("%s\n", line.text().c_str());
  return ran == static_cast<std::uint64_t>(reps) * passes * regions ? EXIT_SUCCESS : EXIT_FAILURE;
}
