// A loop of tasks in the order of the program, run side by side.
//
//     04_flow [STEPS]
//
// Heat in a rod. The rod is cut into blocks, each a region, and each step launches a task for each
// block that reads this one and its neighbours. The loop says what depends on what, and no more:
// blocks far from each other may be several steps apart, and nothing waits for a whole step. Every
// 50 steps the change is summed up and printed, again without waiting.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <rondo/flow.hpp>
#include <rondo/options.hpp>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t blocks = 16, points = 4096; // of each block
constexpr int between_prints = 50;

using block = std::vector<double>;

/// One step of one block. The outermost points of its neighbours are all it needs of them.
void advance(const block& left, const block& middle, const block& right, block& next) {
  for(std::size_t i = 0; i != points; ++i) {
    const double before = i == 0 ? left.back() : middle[i - 1];
    const double after = i + 1 == points ? right.front() : middle[i + 1];
    next[i] = middle[i] + 0.25 * (before - 2 * middle[i] + after);
  }
}

double change(const block& older, const block& newer) {
  double sum = 0;
  for(std::size_t i = 0; i != points; ++i)
    sum += (newer[i] - older[i]) * (newer[i] - older[i]);
  return sum;
}

/// Two copies of the rod, old and new by turns. The cells beyond its ends stay the same for ever.
struct rod {
  rod() {
    for(auto& copy : at) {
      copy.assign(blocks + 2, block(points, 0.0)); // 0 and blocks + 1 are beyond the ends
      copy.front().assign(points, 100.0);
    }
  }
  std::vector<block> at[2];
};

/// The same without tasks.
std::vector<double> one_after_the_other(rod& r, int steps) {
  std::vector<double> changes;
  for(int step = 0; step != steps; ++step) {
    auto &u = r.at[step % 2], &v = r.at[(step + 1) % 2];
    for(std::size_t b = 1; b <= blocks; ++b)
      advance(u[b - 1], u[b], u[b + 1], v[b]);
    if((step + 1) % between_prints == 0) {
      double sum = 0;
      for(std::size_t b = 1; b <= blocks; ++b)
        sum += change(u[b], v[b]);
      changes.push_back(sum);
    }
  }
  return changes;
}

std::vector<double> side_by_side(rondo::executor& ex, rod& r, int steps) {
  std::vector<double> changes;
  double sum = 0;
  rondo::flow flow(ex);
  std::deque<rondo::region<block>> regions[2]; // regions stay where they are made
  for(int copy : {0, 1})
    for(block& b : r.at[copy])
      regions[copy].emplace_back(flow, b, "block");
  rondo::region total(flow, sum, "sum");
  rondo::region printed(flow, changes, "changes");

  for(int step = 0; step != steps; ++step) {
    auto &u = regions[step % 2], &v = regions[(step + 1) % 2];
    for(std::size_t b = 1; b <= blocks; ++b)
      flow.submit(advance, rondo::read(u[b - 1]), rondo::read(u[b]), rondo::read(u[b + 1]),
        rondo::write(v[b]));
    if((step + 1) % between_prints != 0)
      continue;
    // Each task adds to a sum of its own. These are added up in the order of the launches, so the
    // result has the same bits whichever was first.
    for(std::size_t b = 1; b <= blocks; ++b)
      flow.submit(
        [](const block& older, const block& newer, double& s) { s += change(older, newer); },
        rondo::read(u[b]), rondo::read(v[b]), rondo::reduce(total));
    rondo::future<double> squares =
      flow.submit([](double& s) { return std::exchange(s, 0.0); }, rondo::write(total));
    // Starts when the value is there; the loop is perhaps hundreds of steps ahead by then. It
    // writes `changes`, and so the lines come in the order of the steps.
    flow.submit(
      [step](double s, std::vector<double>& all) {
        std::printf("step %4d: change %.3e\n", step + 1, s);
        all.push_back(s);
      },
      squares, rondo::write(printed));
  }
  flow.wait(); // only here; and throws what a task has thrown
  return changes;
}

} // namespace

int main(int argc, char** argv) {
  int steps = 500;
  rondo::options o("Heat in a rod, by tasks in the order of the program.");
  o.argument("STEPS", &steps, "of the simulation").between(0, 1'000'000'000);
  o.parse(argc, argv);
  rondo::executor ex; // one worker for each core this process may use
  rod alone, together;
  const std::vector<double> expected = one_after_the_other(alone, steps);
  const std::vector<double> changes = side_by_side(ex, together, steps);
  // Not nearly the same: the same.
  if(changes != expected || !std::equal(std::begin(together.at), std::end(together.at), alone.at)) {
    std::fprintf(stderr, "the two results differ: please report this\n");
    return EXIT_FAILURE;
  }
  std::printf("%zu steps of blocks on %u worker%s, and the result of the loop to the last bit\n",
    static_cast<std::size_t>(steps) * blocks, ex.workers(), ex.workers() == 1 ? "" : "s");
}
