// A solver that is slow in as many ways as are named on its command line, all in one loop: the digest of its run has to name each of
// them. Without any it is healthy. What takes long rests, so that what is measured is the program, and not the machine; only what is
// slow by many launches or many tasks needs a core.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include <rondo/rondo.hpp>

using namespace rondo;
using namespace std::chrono_literals;

namespace {

using line = structured<1>;
using pieces = topo::index;
using numbers = field<double>;
using std::chrono::microseconds;

void rest_for(microseconds time) { std::this_thread::sleep_for(time); }

/// Each member is a way to be slow; "network" is one for the environment.
struct ways {
  bool blocked = false;   ///< The main thread asks for a value in each pass.
  bool trace = false;     ///< No pass of a trace is as the one before.
  bool imbalance = false; ///< The last rank has most of the work.
  bool long_body = false; ///< The initial values are one task of each rank.
  bool few = false;       ///< One color for each rank.
  bool small = false;     ///< Thousands of tasks of a few operations.
  bool computing = false; ///< The main thread computes between launches.
  bool memory = false;    ///< What each pass keeps is kept for good.
  bool network = false;   ///< Messages take long, and nothing is done meanwhile.
};

namespace task {

double read(pieces::view, numbers::accessor<wo> all, microseconds time) {
  rest_for(time);
  return all() = 1;
}

void begin(line::view m, numbers::accessor<wo> u, double value) {
  for(const auto i : m.owned(0))
    u(i) = value + static_cast<double>(i % 7);
}

void smooth(line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from, double source,
  microseconds time, microseconds of_last_rank) {
  rest_for(2 * m.color() >= m.colors() ? of_last_rank : time);
  for(const auto i : m.owned(0))
    to(i) = (from(i - 1) + from(i) + from(i + 1)) / 3 + source;
}

double sum(line::view m, numbers::accessor<ro> u) {
  double s = 0;
  for(const auto i : m.owned(0))
    s += u(i);
  return s;
}

void scatter(pieces::view c, numbers::accessor<wo> x, double heat) {
  x() = heat / static_cast<double>(c.colors());
}
void halve(pieces::view, numbers::accessor<rw> x) { x() /= 2; }
double gather(pieces::view, numbers::accessor<ro> x) { return x(); }

/// Many accesses: it costs more to launch than to run.
void mix(pieces::view, numbers::accessor<rw> a, numbers::accessor<ro> b, numbers::accessor<ro> c,
  numbers::accessor<ro> d, numbers::accessor<ro> e, numbers::accessor<ro> f,
  numbers::accessor<ro> g, numbers::accessor<ro> h) {
  a() += b() + c() + d() + e() + f() + g() + h();
}

/// On each rank one at a time.
void keep(pieces::view, numbers::accessor<rw> all, double heat) {
  static std::vector<std::vector<double>> history;
  constexpr std::size_t size = 400'000;
  history.emplace_back(size, heat);
  all() = history.back().front();
}

} // namespace task

class solver {
public:
  solver(scheduler& s, const ways& slow) : s_(s), slow_(slow) {}

  int run() {
    // A part of the run that is worth a word, and no more: other ways have to be.
    const microseconds reading = slow_.network ? 2000ms : 1300ms;
    s_.execute<task::begin>(
      m_, u_, s_.reduce<task::read, fold::max>(whole_, all_, slow_.long_body ? reading : 0ms));
    future<double> heat = s_.reduce<task::sum, fold::sum>(m_, u_);
    if(slow_.trace || slow_.blocked)
      for(int k = 0; k != passes; ++k) {
        heat = slow_.trace ? traced_pass(heat) : pass(heat);
        if(slow_.blocked && heat.get() < 0)
          return EXIT_FAILURE;
      }
    else
      s_.iterate(
        {.max = passes}, [&] { return (heat = pass(heat)).then([](double h) { return h < 0; }); });
    return heat.get() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }

private:
  static constexpr int passes = 40;

  future<double> traced_pass(const future<double>& heat) {
    const auto guard = trace_.make_guard();
    for(int i = 0; i != 36'000; ++i) {
      std::ranges::shuffle(mixed_, order_);
      s_.execute<task::mix>(whole_, *mixed_[0], *mixed_[1], *mixed_[2], *mixed_[3], *mixed_[4],
        *mixed_[5], *mixed_[6], *mixed_[7]);
    }
    return pass(heat);
  }

  /// Each line needs what the one before it gives, so nothing hides what another one costs.
  future<double> pass(future<double> heat) {
    if(slow_.computing)
      rest_for(24ms);
    if(slow_.small)
      heat = crumble(heat);
    const microseconds time = (slow_.imbalance ? 24ms : 12ms) / colors_of_rank_;
    const microseconds less = slow_.imbalance ? time / 10 : time;
    const future<double> source = heat.then([](double h) { return 1e-9 * h; });
    s_.execute<task::smooth>(m_, v_, u_, source, less, time);
    s_.execute<task::smooth>(m_, u_, v_, source, less, time);
    heat = s_.reduce<task::sum, fold::sum>(m_, u_);
    if(slow_.memory)
      s_.execute<task::keep>(whole_, all_, heat);
    return heat;
  }

  future<double> crumble(const future<double>& heat) {
    s_.execute<task::scatter>(crumbs_, x_, heat);
    s_.repeat(10'000, [&] { s_.execute<task::halve>(crumbs_, x_); });
    return s_.reduce<task::gather, fold::sum>(crumbs_, x_);
  }

  scheduler& s_;
  const ways slow_;
  const std::int64_t colors_of_rank_ = slow_.few || slow_.network ? 1 : 4;
  const line m_{s_,
    {.extents = {64 * s_.ranks()}, .colors = {colors_of_rank_ * s_.ranks()}, .periodic = {true}}};
  const pieces whole_{s_, {.colors = s_.ranks()}};
  const pieces crumbs_{s_, {.colors = 16 * s_.ranks()}};
  numbers u_{m_, "u"}, v_{m_, "v"}, all_{whole_, "all"}, x_{crumbs_, "x"};
  numbers a_{whole_, "a"}, b_{whole_, "b"}, c_{whole_, "c"}, d_{whole_, "d"}, e_{whole_, "e"},
    f_{whole_, "f"}, g_{whole_, "g"}, h_{whole_, "h"};
  std::array<numbers*, 8> mixed_{&a_, &b_, &c_, &d_, &e_, &f_, &g_, &h_};
  std::minstd_rand order_; ///< The same on all ranks.
  trace trace_{"pass"};
};

} // namespace

int main(int argc, char** argv) {
  ways slow;
  for(const std::string_view name : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    bool is_known = false;
    for(const auto& [known, member] : {std::pair{"blocked", &ways::blocked},
          {"trace", &ways::trace}, {"imbalance", &ways::imbalance}, {"long_body", &ways::long_body},
          {"few", &ways::few}, {"small", &ways::small}, {"computing", &ways::computing},
          {"memory", &ways::memory}, {"network", &ways::network}})
      if(name == known)
        is_known = slow.*member = true;
    if(!is_known) {
      std::fprintf(stderr, "slow_in_ways: no way '%s'\n", name.data());
      return EXIT_FAILURE;
    }
  }
  return run(argc, argv, [&](scheduler& s) { return solver(s, slow).run(); });
}
