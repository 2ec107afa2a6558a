// Cycles of sweeps and corrections until the residual is small, then time steps, each with calls of `repeat` whose body comes again. All of it
// is compared bit for bit with the same computed by one thread.
//
//   mpirun -np 2 cycles_in_steps [LAG]
//
// Written by somebody who knew the documentation only.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;
using values = numbers::accessor<ro>;
using seen = numbers::accessor<ro, ro>;
using changed = numbers::accessor<rw>;
constexpr std::int64_t nx = 48, ny = 40, slices = 4;
constexpr double eps = 1e-9, large = 1e-3;

/// Handed to tasks as one value.
struct push {
  double by, at;
};

double around(const auto& u, std::int64_t i, std::int64_t j) {
  return u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}
double omega(std::uint64_t pass) { return 1.2 + 0.5 / double(pass + 1); }
double damping(std::uint64_t pass) { return 0.5 + 0.01 * double(pass % 5); }
double start(std::int64_t i, std::int64_t j) { return double((7 * i + 3 * j) % 11) / 10; }

namespace task {
void begin(grid::view m, numbers::accessor<wo> u, numbers::accessor<wo> f) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      u(i, j) = start(i, j);
      f(i, j) = 0.01 * start(j, i);
    }
}
void relax(grid::view m, numbers::accessor<rw, still> u, values f, double w, bool black) {
  for(auto j : m.interior(1))
    for(auto i : black ? m.black(j) : m.red(j))
      u(i, j) += w * ((f(i, j) + around(u, i, j)) / 4 - u(i, j));
}
void off(grid::view m, changed r, changed e, seen u, values f) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      r(i, j) = f(i, j) + around(u, i, j) - 4 * u(i, j);
      e(i, j) = 0;
    }
}
void jacobi(grid::view m, changed to, seen e, values r, double w, std::size_t sweep) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      to(i, j) = e(i, j) + w / double(sweep + 1) * ((r(i, j) + around(e, i, j)) / 4 - e(i, j));
}
void add(grid::view m, changed u, values e) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      u(i, j) += e(i, j);
}
double residual(grid::view m, seen u, values f) {
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      const double r = f(i, j) + around(u, i, j) - 4 * u(i, j);
      sum += r * r;
    }
  return sum;
}
void heat(grid::view m, changed to, seen u, double dt, push p, double level, std::size_t k) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      to(i, j) = u(i, j) + dt * (around(u, i, j) - 4 * u(i, j)) + p.by * (i == p.at) +
                 1e-3 * level * double(k + 1);
}
double unlike(grid::view m, values u, const double* right) {
  double n = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      n += u(i, j) != right[j * nx + i];
  return n;
}
std::vector<double> noted; // by rank 0
void note(double r2, double probe) {
  noted.push_back(r2);
  noted.push_back(probe);
}
bool as_noted(const std::vector<double>* right) { return noted == *right; }
} // namespace task

struct plain { // the serial version
  std::vector<double> v = std::vector<double>(nx * ny);
  double& operator()(std::int64_t i, std::int64_t j) { return v[j * nx + i]; }
  double operator()(std::int64_t i, std::int64_t j) const { return v[j * nx + i]; }
};
void inside(auto f) {
  for(std::int64_t j = 1; j != ny - 1; ++j)
    for(std::int64_t i = 1; i != nx - 1; ++i)
      f(i, j);
}
struct serial_result {
  plain u, solved;
  std::vector<double> noted;
  std::uint64_t passes;
  double r2;
};
serial_result serially(std::uint64_t lag) {
  plain u, v, f, r, e, d;
  serial_result out;
  for(int j = 0; j != ny; ++j)
    for(int i = 0; i != nx; ++i) {
      u(i, j) = start(i, j);
      f(i, j) = 0.01 * start(j, i);
    }
  const auto sum_of = [&] {
    double part[slices] = {};
    inside([&](auto i, auto j) {
      const double x = f(i, j) + around(u, i, j) - 4 * u(i, j);
      part[j / (ny / slices)] += x * x;
    });
    return (part[0] + part[1]) + (part[2] + part[3]);
  };
  const auto sweeps = [&](int n, double w) {
    for(int k = 0; k != 2 * n; ++k)
      inside([&](auto i, auto j) {
        if((i + j) % 2 == k % 2)
          u(i, j) += w * ((f(i, j) + around(u, i, j)) / 4 - u(i, j));
      });
  };
  const auto jacobi = [&](plain& to, plain& from, double w, int k) {
    inside([&](auto i, auto j) {
      to(i, j) = from(i, j) + w / double(k + 1) * ((r(i, j) + around(from, i, j)) / 4 - from(i, j));
    });
  };
  std::uint64_t pass = 0;
  for(int more = -1; more != 0; ++pass) {
    sweeps(3, omega(pass));
    inside([&](auto i, auto j) {
      r(i, j) = f(i, j) + around(u, i, j) - 4 * u(i, j);
      e(i, j) = 0;
    });
    for(int k = 0; k != 4; ++k) {
      jacobi(d, e, damping(pass), k);
      jacobi(e, d, damping(pass), k);
    }
    inside([&](auto i, auto j) { u(i, j) += e(i, j); });
    out.r2 = sum_of();
    if(out.r2 > large)
      sweeps(2, 1.0);
    out.noted.push_back(out.r2);
    out.noted.push_back(u(17, 4));
    more = more > 0 ? more - 1 : out.r2 < eps ? int(lag) : -1;
  }
  out.passes = pass;
  out.solved = u;
  double level = out.r2, scale = 1;
  for(int step = 0; step != 200; ++step) {
    const double dt = 0.1 * scale + 1e-4 * (step % 7);
    const auto go = [&](plain& to, plain& from, int k) {
      inside([&](auto i, auto j) {
        to(i, j) = from(i, j) + dt * (around(from, i, j) - 4 * from(i, j)) +
                   0.1 * step * (i == step % 48) + 1e-3 * level * double(k + 1);
      });
    };
    for(int k = 0; k != 1 + (step / 50) % 2; ++k) {
      go(v, u, k);
      go(u, v, k);
    }
    if(step % 25 == 24) {
      level = sum_of() / (1 + sum_of());
      if(step % 50 == 49)
        scale = 1 / (1 + level);
    }
  }
  out.u = u;
  return out;
}

} // namespace

int main(int argc, char** argv) {
  const std::uint64_t lag = argc > 1 ? std::uint64_t(std::atoi(argv[1])) : 2;
  const serial_result right = serially(lag);
  return rondo::run(argc, argv, [&](scheduler& s) {
    grid m{s, {.extents = {nx, ny}, .colors = {1, slices}}};
    numbers u{m, "u"}, v{m, "v"}, f{m, "f"}, r{m, "r"}, e{m, "e"}, d{m, "d"};
    s.execute<task::begin>(m, u, f);
    const auto sweeps = [&](std::uint64_t n, double w) {
      s.repeat(n, [&] {
        s.execute<task::relax>(m, u, f, w, false);
        s.execute<task::relax>(m, u, f, w, true);
      });
    };
    const auto [passes, r2] = s.iterate({.max = 1000, .lag = lag}, [&](std::uint64_t pass) {
      sweeps(3, omega(pass));
      s.execute<task::off>(m, r, e, u, f);
      s.repeat(4, [&, w = damping(pass)](pass_number k) {
        s.execute<task::jacobi>(m, d, e, r, w, k);
        s.execute<task::jacobi>(m, e, d, r, w, k);
      });
      s.execute<task::add>(m, u, e);
      const future<double> left = s.reduce<task::residual, fold::sum>(m, u, f);
      s.when(left.then([](double x) { return x > large; }), [&] { sweeps(2, 1.0); });
      s.execute<task::note>(left, s.from({17, 4}, u));
      return leave_if(left.then([](double x) { return !(x >= eps); }), left);
    });
    const future<double> wrong = s.reduce<task::unlike, fold::sum>(m, u, right.solved.v.data());
    future<double> level = r2;
    double scale = 1;
    for(int step = 0; step != 200; ++step) {
      const double dt = 0.1 * scale + 1e-4 * (step % 7);
      s.repeat(1 + (step / 50) % 2, [&](pass_number k) {
        s.execute<task::heat>(m, v, u, dt, push{0.1 * step, double(step % 48)}, level, k);
        s.execute<task::heat>(m, u, v, dt, push{0.1 * step, double(step % 48)}, level, k);
      });
      if(step % 25 == 24)
        level =
          s.reduce<task::residual, fold::sum>(m, u, f).then([](double x) { return x / (1 + x); });
      if(step % 50 == 49)
        scale = 1 / (1 + level.get());
    }
    const double wrong_end = s.reduce<task::unlike, fold::sum>(m, u, right.u.v.data()).get();
    const bool log = s.execute<task::as_noted>(&right.noted).get();
    const bool good = wrong.get() == 0 && wrong_end == 0 && log && passes.get() == right.passes &&
                      r2.get() == right.r2;
    if(s.rank() == 0)
      std::printf("%s: %g and %g points differ, log %s, passes %d of %d, r2 %.17g of %.17g; bodies "
                  "begun with what was known %d\n",
        good ? "right" : "WRONG", wrong.get(), wrong_end, log ? "the same" : "differs",
        int(passes.get()), int(right.passes), r2.get(), right.r2,
        int(s.launches().repeats_again()));
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
  });
}
