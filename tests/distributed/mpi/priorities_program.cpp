// Heat in a plate, implicit in time: red-black Gauss-Seidel in each step, and a source whose strength is what a small factorization
// says. Its tasks have priorities, in loops of all kinds and in flows of their own, inside of tasks. What comes out is that of the same
// program without Rondo.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include <rondo/options.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

constexpr double r = 0.8; // diffusivity * time step / distance^2
constexpr double tolerance = 1e-9;
constexpr std::size_t order = 6;
constexpr std::uint64_t most_sweeps = 200;
using column = std::array<double, order>;

// What the tasks and the serial program have in common.
double strength_at(std::int64_t i, std::int64_t j, std::size_t step) {
  return std::sin(0.1 * double(i + 2 * j) + 0.3 * double(step));
}
double relaxed(double old, double q, double w, double e, double s, double n) {
  return (old + q + r * (w + e + s + n)) / (1 + 4 * r);
}
column column_of(std::size_t j, double hot, std::size_t step) {
  column c{};
  for(std::size_t i = 0; i != order; ++i)
    c[i] = i == j ? 6 + 0.01 * hot : 1 / double(1 + i + j + step % 5);
  return c;
}
void factor(column& c, std::size_t k) {
  const double d = std::sqrt(c[k]);
  for(std::size_t i = k; i != order; ++i)
    c[i] /= d;
}
void update(const column& l, column& c, std::size_t j) {
  for(std::size_t i = j; i != order; ++i)
    c[i] -= l[i] * l[j];
}

/// The same as strength_serial, by a flow on the workers of this rank.
double strength(double hot, std::size_t step) {
  std::vector<column> a;
  for(std::size_t j = 0; j != order; ++j)
    a.push_back(column_of(j, hot, step));
  double product = 1;
  flow f(this_worker()->home());
  std::deque<region<column>> c;
  for(column& x : a)
    c.emplace_back(f, x, "column");
  region<double> p(f, product, "product");
  for(std::size_t k = 0; k != order; ++k) {
    f.submit(hinted({.priority = priority::high}, named("factor", factor)), write(c[k]), k);
    for(std::size_t j = k + 1; j != order; ++j)
      f.submit(hinted({.worker = int(j)}, named("update", update)), read(c[k]), write(c[j]), j);
    f.submit(hinted({.priority = priority::low}, [k](const column& x, double& y) { y *= x[k]; }),
      read(c[k]), write(p));
  }
  future<double> result = f.submit([](double x) { return x / 1000; }, read(p));
  return result.get();
}
double strength_serial(double hot, std::size_t step) {
  std::vector<column> a;
  for(std::size_t j = 0; j != order; ++j)
    a.push_back(column_of(j, hot, step));
  double product = 1;
  for(std::size_t k = 0; k != order; ++k) {
    factor(a[k], k);
    for(std::size_t j = k + 1; j != order; ++j)
      update(a[k], a[j], j);
    product *= a[k][k];
  }
  return product / 1000;
}

namespace task {
void source(grid::view m, numbers::accessor<wo> q, numbers::accessor<wo> old,
  numbers::accessor<ro> u, double hot, std::size_t step) {
  const double x = strength(hot, step);
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      q(i, j) = x * strength_at(i, j, step);
      old(i, j) = u(i, j);
    }
}
void red(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> old,
  numbers::accessor<ro> q) {
  for(auto j : m.interior(1))
    for(auto i : m.red(j))
      u(i, j) = relaxed(old(i, j), q(i, j), u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1));
}
void black(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> old,
  numbers::accessor<ro> q) {
  for(auto j : m.interior(1))
    for(auto i : m.black(j))
      u(i, j) = relaxed(old(i, j), q(i, j), u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1));
}
double residual(
  grid::view m, numbers::accessor<ro, ro> u, numbers::accessor<ro> old, numbers::accessor<ro> q) {
  double most = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      fold::max(most, std::abs(u(i, j) - relaxed(old(i, j), q(i, j), u(i - 1, j), u(i + 1, j),
                                           u(i, j - 1), u(i, j + 1))));
  return most;
}
double hottest(grid::view m, numbers::accessor<ro> u) {
  double most = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      fold::max(most, u(i, j));
  return most;
}
double heat(grid::view m, numbers::accessor<ro> u) {
  double sum = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      sum += u(i, j);
  return sum;
}
double differs(grid::view m, numbers::accessor<ro> u, const double* right, std::int64_t nx) {
  double most = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      fold::max(most, std::abs(u(i, j) - right[j * nx + i]));
  return most;
}
void note(numbers::accessor<rw> heats, field<std::uint64_t>::accessor<rw> sweeps, std::size_t step,
  double sum, std::uint64_t n) {
  heats(step) = sum;
  sweeps(step) = n;
}
double history_differs(numbers::accessor<ro> heats, field<std::uint64_t>::accessor<ro> sweeps,
  const double* h, const std::uint64_t* n, std::size_t steps) {
  double most = 0;
  for(std::size_t k = 0; k != steps; ++k)
    most = std::max({most, std::abs(heats(k) - h[k]) / (1 + std::abs(h[k])),
      std::abs(double(sweeps(k)) - double(n[k]))});
  return most;
}
void report(std::size_t step, double sum, std::uint64_t sweeps) {
  std::printf("step %3zu: heat %.10g after %llu sweeps\n", step, sum,
    static_cast<unsigned long long>(sweeps));
}
} // namespace task

struct serial {
  std::vector<double> u, heats;
  std::vector<std::uint64_t> sweeps;
  serial(std::int64_t nx, std::int64_t ny, std::size_t steps, std::size_t each) : u(nx * ny, 0.0) {
    std::vector<double> old, q(nx * ny);
    for(std::size_t k = 0; k != steps; ++k) {
      const double x = strength_serial(std::max(0.0, *std::max_element(u.begin(), u.end())), k);
      old = u;
      for(std::int64_t p = 0; p != nx * ny; ++p)
        q[p] = x * strength_at(p % nx, p / nx, k);
      auto at = [&](std::int64_t i, std::int64_t j) {
        const auto p = j * nx + i;
        return relaxed(old[p], q[p], u[p - 1], u[p + 1], u[p - nx], u[p + nx]);
      };
      std::uint64_t n = 0;
      for(double most = 1; !(most < tolerance) && n != most_sweeps; ++n) {
        for(std::size_t half = 0; half != 2 * each; ++half)
          for(std::int64_t j = 1; j < ny - 1; ++j)
            for(std::int64_t i = 1; i < nx - 1; ++i)
              if((i + j) % 2 == std::int64_t(half % 2))
                u[j * nx + i] = at(i, j);
        most = 0;
        for(std::int64_t j = 1; j < ny - 1; ++j)
          for(std::int64_t i = 1; i < nx - 1; ++i)
            fold::max(most, std::abs(u[j * nx + i] - at(i, j)));
      }
      sweeps.push_back(n);
      double sum = 0;
      for(double e : u)
        sum += e;
      heats.push_back(sum);
    }
  }
};

int main(int argc, char** argv) {
  options o{"Heat in a plate with a source."};
  const auto size =
    o.add("size", std::array<std::int64_t, 2>{64, 48}, "points along each side").at_least(3);
  const auto colors =
    o.add("colors", std::array<std::int64_t, 2>{0, 0}, "colors along each side; 0: chosen");
  const auto steps = o.add("steps", std::size_t(8), "time steps").at_least(1);
  const auto loop =
    o.add("loop", "plain", "the loop over time").one_of({"plain", "trace", "repeat", "iterate"});
  const auto inner =
    o.add("sweeps", std::size_t(0), "so many sweeps before each look at the residual, by repeat");
  const auto file = o.add("file", "heat.vti", "where the result goes");
  o.parse(argc, argv);
  return run(argc, argv, [&](scheduler& s) -> int {
    grid m{s, {.extents = *size, .colors = *colors}};
    numbers u{m, "u"}, q{m, "q"}, old{m, "old"}, again{m, "u"};
    topo::global g{s, {.size = std::int64_t(*steps)}};
    numbers heats{g, "heats"};
    field<std::uint64_t> counts{g, "sweeps"};
    auto advance = [&](auto step) {
      future<double> hot = s.reduce<task::hottest, fold::max>(m, u);
      s.execute<task::source, priority::high>(m, q, old, u, hot, step);
      future<std::uint64_t> n = s.iterate({.max = most_sweeps}, [&] {
        s.repeat(*inner + 1, [&] {
          s.execute<task::red>(m, u, old, q);
          s.execute<task::black>(m, u, old, q);
        });
        return s.reduce<task::residual, fold::max, priority::high>(m, u, old, q).then([](double x) {
          return x < tolerance;
        });
      });
      future<double> sum = s.reduce<task::heat, fold::sum, priority::low>(m, u);
      s.execute<task::note>(heats, counts, step, sum, n);
      return std::pair(sum, n);
    };
    trace t("time");
    if(*loop == "repeat")
      s.repeat(*steps, [&](pass_number step) { advance(step); });
    else if(*loop == "iterate")
      s.iterate({.max = *steps}, [&](std::uint64_t step) {
        return advance(step).first.then([](double x) { return x > 1e100; });
      });
    else
      for(std::size_t k = 0; k != *steps; ++k) {
        auto step = [&] {
          const auto [sum, n] = advance(k);
          if(k % 10 == 9)
            s.execute<task::report>(k + 1, sum, n);
        };
        if(*loop == "trace") {
          auto guard = t.make_guard();
          step();
        }
        else
          step();
      }
    s.write(*file, m, u, heats);
    s.read(*file, m, again, heats);
    const serial right((*size)[0], (*size)[1], *steps, *inner + 1);
    const double wrong = s.reduce<task::differs, fold::max>(m, u, right.u.data(), (*size)[0]).get();
    const double wrong_file =
      s.reduce<task::differs, fold::max>(m, again, right.u.data(), (*size)[0]).get();
    const double wrong_history = s.reduce<task::history_differs, fold::max>(
                                    heats, counts, right.heats.data(), right.sweeps.data(), *steps)
                                   .get();
    const bool bad = !(wrong == 0 && wrong_file == 0 && wrong_history < 1e-9);
    if(s.rank() == 0)
      std::printf("%s: u differs by %g, in the file by %g, history by %g; heat %.10g, last %llu "
                  "sweeps, hot %g; %llu colors, %u ranks, %u workers\n",
        bad ? "WRONG" : "right", wrong, wrong_file, wrong_history, right.heats.back(),
        static_cast<unsigned long long>(right.sweeps.back()),
        *std::max_element(right.u.begin(), right.u.end()),
        static_cast<unsigned long long>(m.colors()), s.ranks(), s.workers());
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
  });
}
