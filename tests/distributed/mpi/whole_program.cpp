// Heat that is fed and kept below a limit, on a plate: implicit time steps, whose length follows from the hottest point. Each
// is solved by red-black sweeps, with corrections on a coarser mesh while these pay. Nothing in the loops waits. Beside them
// every rank computes square roots, with a flow, a graph and a coroutine. All states are written to files; the last one is
// read back on a mesh that is cut otherwise. At the end all is calculated again, in plain loops, and compared.
//
//   whole_program [DIRECTORY]     files are written there; else to a temporary directory, which is removed
//
// All parts of Rondo in one program, written by somebody who knew the documentation only.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <numeric>
#include <rondo/core.hpp>
#include <rondo/rondo.hpp>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;
using integer = std::int64_t;
using count_type = std::uint64_t;
using filling = numbers::accessor<wo>;
using reading = numbers::accessor<ro>;
using looking = numbers::accessor<ro, ro>;
using changing = numbers::accessor<rw>;

constexpr integer width = 49, height = 41, coarse_width = 25, coarse_height = 21;
constexpr double end_time = 9, limit = 0.6, tolerance = 1e-9, worth_correcting = 1e-5;
constexpr count_type sweeps = 2, coarse_sweeps = 4, most_passes = 60, rounds = 20;

// ---- the numerics, of tasks and of plain loops
double source(integer i, integer j) {
  const double x = double(i) / (width - 1), y = double(j) / (height - 1);
  return 2 * x * (1 - x) * y * (1 - y);
}
double step_length(double hottest) { return 2 / (1 + hottest); }
double coarse_coefficient(double a) { return a / 4; }
double around(const auto& u, integer i, integer j) {
  return u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}
double relaxed(const auto& u, const auto& f, integer i, integer j, double a) {
  return (f(i, j) + a * around(u, i, j)) / (1 + 4 * a);
}
double defect_at(const auto& u, const auto& f, integer i, integer j, double a) {
  return f(i, j) + a * around(u, i, j) - (1 + 4 * a) * u(i, j);
}
double restricted(const auto& r, integer i, integer j) {
  return (4 * r(2 * i, 2 * j) + around(r, 2 * i, 2 * j)) / 8;
}
double interpolated(const auto& e, integer i, integer j) {
  const integer x = i / 2, y = j / 2, right = x + i % 2, above = y + j % 2;
  return (e(x, y) + e(right, y) + e(x, above) + e(right, above)) / 4;
}
void each(const index_range& columns, const index_range& rows, auto body) {
  for(auto j : rows)
    for(auto i : columns)
      body(i, j);
}

// ---- on the ranks
namespace task {
void each_inner(const grid::view& m, auto body) { each(m.interior(0), m.interior(1), body); }
void prepare(grid::view m, reading u, filling f, double dt) {
  const auto lo = m.owned().lo;
  for_each_index(extents(m.owned(1).size(), m.owned(0).size()), [&](auto row, auto column) {
    const integer i = lo[0] + integer(column), j = lo[1] + integer(row);
    f(i, j) = u(i, j) + dt * source(i, j);
  });
}
double hottest(grid::view m, reading u) {
  const index_range rows = m.owned(1);
  const auto of = [&](integer first, integer last) {
    double most = 0;
    each(m.owned(0), {first, last}, [&](auto i, auto j) { most = std::max(most, u(i, j)); });
    return most;
  };
  const integer low = rows.first(), high = rows.last(), middle = (low + high) / 2;
  const auto [a, b] = join([&] { return of(low, middle); }, [&] { return of(middle, high); });
  return std::max(a, b);
}
void sweep(grid::view m, numbers::accessor<rw, still> u, reading f, double a, bool is_red) {
  for(auto j : m.interior(1))
    for(auto i : is_red ? m.red(j) : m.black(j))
      u(i, j) = relaxed(u, f, i, j, a);
}
double defect(grid::view m, looking u, reading f, changing r, double a) {
  each_inner(m, [&](auto i, auto j) { r(i, j) = defect_at(u, f, i, j, a); });
  double worst = 0;
  each_inner(m, [&](auto i, auto j) { worst = std::max(worst, std::abs(r(i, j))); });
  return worst;
}
void collect(grid::view, grid::view coarse, looking r, changing rc, filling e) {
  each(coarse.owned(0), coarse.owned(1), [&](auto i, auto j) { e(i, j) = 0; });
  each_inner(coarse, [&](auto i, auto j) { rc(i, j) = restricted(r, i, j); });
}
void correct(grid::view m, changing u, looking e) {
  each_inner(m, [&](auto i, auto j) { u(i, j) += interpolated(e, i, j); });
}
void clip(grid::view m, changing u) {
  each_inner(m, [&](auto i, auto j) { u(i, j) = std::min(u(i, j), limit); });
}
double total(grid::view m, reading u) {
  const index_range x = m.owned(0), rows = m.owned(1);
  const auto sum_of = [&](integer j) {
    return std::accumulate(x.begin(), x.end(), 0.0, [&](double s, auto i) { return s + u(i, j); });
  };
  return rondo::transform_reduce(rows.begin(), rows.end(), 0.0, std::plus<>(), sum_of);
}
void note_passes(changing log, count_type n, double residual) { log() += double(n) + residual; }
double look(reading log) { return log(); }
count_type differences(grid::view m, reading u, const double* expected) {
  count_type n = 0;
  each(m.owned(0), m.owned(1), [&](auto i, auto j) {
    n += std::memcmp(&u(i, j), &expected[j * width + i], sizeof(double)) != 0;
  });
  return n;
}
count_type of_rank(topo::index::view, count_type n) { return n; }
int process() { return getpid(); }
} // namespace task

/// All of it is launched, and nothing waited for.
struct simulation {
  scheduler& s;
  std::string directory;
  grid m{s, {.extents = {width, height}, .colors = {2, 4}, .diagonals = true}};
  grid coarse = m.coarsened(2);
  topo::global everywhere{s};
  numbers u{m, "u"}, f{m, "f"}, r{m, "r"}, rc{coarse, "rc"}, e{coarse, "e"}, log{everywhere, "log"};
  trace steps{"steps"}, passes{"passes"};
  file_series frames{s, directory + "/heat.pvd"};

  void smooth(const grid& on, numbers& x, numbers& b, const future<double>& a, count_type times) {
    s.repeat(times, [&] {
      s.execute<task::sweep>(on, x, b, a, true);
      s.execute<task::sweep>(on, x, b, a, false);
    });
  }
  void correct(const future<double>& a) {
    s.execute<task::collect>(m, coarse, r, rc, e);
    smooth(coarse, e, rc, a.then(coarse_coefficient), coarse_sweeps);
    s.execute<task::correct>(m, u, e);
  }
  void solve(const future<double>& dt) {
    const auto [n, residual] = s.iterate(passes, {.max = most_passes}, [&] {
      smooth(m, u, f, dt, sweeps);
      const auto before = s.reduce<task::defect, fold::max>(m, u, f, r, dt);
      s.either(
        before.then([](double x) { return x > worth_correcting; }), [&] { correct(dt); },
        [&] { smooth(m, u, f, dt, sweeps); });
      const auto after = s.reduce<task::defect, fold::max>(m, u, f, r, dt);
      return leave_if(after.then([](double x) { return x < tolerance; }), after);
    });
    s.execute<task::note_passes>(log, n, residual);
  }
  void step(const future<double>& dt) {
    s.execute<task::prepare>(m, u, f, dt);
    solve(dt);
    const auto most = s.reduce<task::hottest, fold::max>(m, u);
    s.when(most.then([](double x) { return x > limit; }), [&] { s.execute<task::clip>(m, u); });
  }
  /// Returns futures of the number of steps, the time and the sum of all values.
  auto run() {
    future<double> time = make_ready(0.0);
    return s.iterate(steps, {}, [&] {
      const auto dt = s.reduce<task::hottest, fold::max>(m, u).then(step_length);
      step(dt);
      time = when_all(time, dt).then([](const auto& t) { return std::get<0>(t) + std::get<1>(t); });
      frames.write(time, m, u);
      const auto mass = s.reduce<task::total, fold::sum>(m, u);
      return leave_if(time.then([](double t) { return t > end_time; }), time, mass);
    });
  }
};

// ---- beside the mesh
struct roots {
  double change = 0, golden = 1, product = 0;
  count_type passes = 0;
  bool operator==(const roots&) const = default;
};
void improve(double& x, double& change, double square) {
  change += std::abs(x - square / x);
  x = (x + square / x) / 2;
}
bool is_small(double change) { return change < 1e-6; }
double next_golden(double x) { return std::sqrt(1 + x); }
coroutine<double> product_of(future<double> a, future<double> b) {
  const double x = co_await a;
  co_return x*(co_await b);
}
double golden_ratio(executor& ex) {
  double x = 1;
  count_type done = 0;
  graph g;
  auto round = g.add([&] { x = next_golden(x); });
  auto again = g.add_condition([&] { return ++done == rounds ? 1 : 0; });
  g.add([&] { x = 1; }).precede(round);
  round.precede(again);
  again.precede(round);
  ex.run(g);
  return x;
}
roots compute_roots(executor& ex) {
  std::array<double, 20> x{};
  x.fill(1);
  double change = 0;
  flow work(ex);
  region all(work, change, "change");
  std::deque<region<double>> parts;
  for(double& each : x)
    parts.emplace_back(work, each, "root");
  const auto [passes, last] = work.iterate([&] {
    work.submit([](double& c) { c = 0; }, write(all));
    for(std::size_t k = 0; k != x.size(); ++k)
      work.submit(improve, write(parts[k]), reduce(all), double(k));
    const auto c = work.submit([](double sum) { return sum; }, read(all));
    return leave_if(c.then(is_small), c);
  });
  const auto golden = async(ex, golden_ratio, std::ref(ex));
  const auto product = async(ex, product_of, last, golden);
  work.wait();
  return {last.get(), golden.get(), product.get(), passes.get()};
}
roots serial_roots() {
  roots r;
  std::array<double, 20> x{};
  x.fill(1);
  do {
    r.change = 0;
    for(std::size_t k = 0; k != x.size(); ++k)
      improve(x[k], r.change, double(k));
    ++r.passes;
  } while(!is_small(r.change));
  for(count_type k = 0; k != rounds; ++k)
    r.golden = next_golden(r.golden);
  r.product = r.change * r.golden;
  return r;
}

/// Counts what the executor of this rank is told of.
struct counter : observer {
  std::atomic<count_type> launches{0}, begun{0}, ended{0}, sweeps{0}, passes{0};
  void launched(const launch_info&) noexcept override { ++launches; }
  void task_begin(unsigned, const task_info& t) noexcept override {
    ++begun;
    sweeps += std::strcmp(t.name, "task::sweep") == 0;
  }
  void task_end(unsigned, const task_info&) noexcept override { ++ended; }
  void pass_ended(const pass_info& p) noexcept override {
    passes += p.kind == pass_info::kind_type::iterate ? p.count : 0;
  }
};

// ---- the same in plain loops
struct plate {
  integer nx, ny;
  std::vector<double> all = std::vector<double>(std::size_t(nx * ny));
  double operator()(integer i, integer j) const { return all[std::size_t(j * nx + i)]; }
  double& operator()(integer i, integer j) { return all[std::size_t(j * nx + i)]; }
  void each_inner(auto body) const { each({1, nx - 1}, {1, ny - 1}, body); }
};
struct serial_run {
  plate u{width, height}, f = u, r = u, rc{coarse_width, coarse_height};
  double time = 0, mass = 0, log = 0;
  count_type steps = 0, passes = 0, sweep_tasks = 0;

  void smooth(plate& x, const plate& b, double a, count_type times) {
    for(count_type k = 0; k != 2 * times; ++k, ++sweep_tasks)
      x.each_inner([&](auto i, auto j) {
        if((i + j) % 2 == integer(k % 2))
          x(i, j) = relaxed(x, b, i, j, a);
      });
  }
  double defect(double a) {
    r.each_inner([&](auto i, auto j) { r(i, j) = defect_at(u, f, i, j, a); });
    return std::abs(*std::ranges::max_element(r.all, {}, [](double x) { return std::abs(x); }));
  }
  void correct(double a) {
    plate e{coarse_width, coarse_height};
    rc.each_inner([&](auto i, auto j) { rc(i, j) = restricted(r, i, j); });
    smooth(e, rc, coarse_coefficient(a), coarse_sweeps);
    u.each_inner([&](auto i, auto j) { u(i, j) += interpolated(e, i, j); });
  }
  void solve(double dt) {
    count_type n = 0;
    do {
      smooth(u, f, dt, sweeps);
      defect(dt) > worth_correcting ? correct(dt) : smooth(u, f, dt, sweeps);
    } while(++n != most_passes && defect(dt) >= tolerance);
    passes += n;
    log += double(n) + defect(dt);
  }
  serial_run() {
    for(; time <= end_time; ++steps) {
      const double dt = step_length(std::ranges::max(u.all));
      u.each_inner([&](auto i, auto j) { f(i, j) = u(i, j) + dt * source(i, j); });
      solve(dt);
      u.each_inner([&](auto i, auto j) { u(i, j) = std::min(u(i, j), limit); });
      time += dt;
    }
    mass = std::accumulate(u.all.begin(), u.all.end(), 0.0);
  }
};

// ---- the comparison
struct judge {
  simulation& x;
  scheduler& s = x.s;
  const serial_run right{};
  count_type mistakes = 0;

  void expect(bool is_right, const std::string& what) {
    if(!is_right)
      std::fprintf(stderr, "rank %u: wrong: %s\n", s.rank(), what.c_str());
    mistakes += !is_right;
  }
  void expect_right(const numbers& u, const std::string& what) {
    const double* const all = right.u.all.data();
    expect(s.reduce<task::differences, fold::sum>(x.m, u, all).get() == 0, what);
  }
  void read_back(const std::string& file) {
    const grid other{s, {.extents = {width, height}, .colors = {5, 1}}};
    numbers read{other, "u"}, back{x.m, "back"};
    expect(s.read(file, other, read).time.get() == right.time, "the time in " + file);
    s.copy(read, back);
    expect_right(back, "the values in " + file);
  }
  count_type of_all_ranks(count_type n) {
    const topo::index ranks{s, {.colors = s.ranks()}};
    return s.reduce<task::of_rank, fold::sum>(ranks, n).get();
  }
  void check_counts(const counter& c, count_type other_passes) {
    expect(of_all_ranks(c.sweeps) == x.m.colors() * right.sweep_tasks, "the number of sweeps");
    expect(c.passes == right.steps + right.passes + other_passes, "the number of passes");
    expect(c.begun == c.ended && c.begun >= c.sweeps, "the number of tasks");
    expect(c.launches > c.passes, "the number of launches");
  }
};

std::size_t checksum(const std::vector<double>& x) {
  return std::hash<std::string_view>{}(
    {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double)});
}
int whole(scheduler& s, const std::string& directory) {
  counter observed;
  s.home().attach(observed);
  simulation x{s, directory};
  const auto [steps, time, mass] = x.run();
  s.write(directory + "/last.vti", {.time = time}, x.m, x.u);
  const roots found = compute_roots(s.home()); // while the steps run
  s.wait();
  s.home().detach(observed);

  judge j{x};
  j.expect_right(x.u, "the values");
  j.expect(steps.get() == j.right.steps && time.get() == j.right.time, "steps or time");
  j.expect(std::abs(mass.get() / j.right.mass - 1) < 1e-12, "the sum of all values");
  j.expect(s.reduce<task::look, fold::sum>(x.log).get() == j.right.log, "the log");
  j.expect(found == serial_roots(), "the square roots");
  j.check_counts(observed, found.passes);
  j.read_back(directory + "/last.vti");
  const std::string number = std::to_string(10'000 + j.right.steps - 1).substr(1);
  j.read_back(directory + "/heat." + number + ".vti");

  const count_type mistakes = j.of_all_ranks(j.mistakes); // now all ranks have read all files
  std::vector<double> all = j.right.u.all;
  all.insert(all.end(), {mass.get(), time.get(), found.product});
  if(s.rank() == 0 && mistakes == 0)
    std::printf("ok: %d steps, %d passes, mass %.6f, checksum %016zx\n", int(j.right.steps),
      int(j.right.passes), mass.get(), checksum(all));
  return mistakes != 0;
}
int main(int argc, char** argv) {
  return rondo::run(argc, argv, [&](scheduler& s) {
    if(argc > 1)
      return whole(s, argv[1]);
    const auto number = std::to_string(s.execute<task::process>().get());
    const auto directory = std::filesystem::temp_directory_path() / ("rondo." + number);
    const int code = whole(s, directory);
    if(s.rank() == 0)
      std::filesystem::remove_all(directory);
    return code;
  });
}
