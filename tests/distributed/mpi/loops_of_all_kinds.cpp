// Sweeps on one mesh beside long tasks on another one, in loops of all kinds: a plain loop with a trace, in which one color of the sweeps
// comes first by its priority; passes that leave a value, around a `repeat`; loops that end by a bool, by a future, and after a
// `get()`; and in tasks of the other mesh a flow of their own, with hints. A number that all tasks take is promised before
// the loops, and known after. All is compared with the same in plain loops of one thread, bit by bit.
//
// Written by somebody who knew the documentation only. The exit code says whether it is the same.

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <tuple>
#include <vector>

#include <rondo/flow.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;
constexpr std::int64_t side = 48;
constexpr std::int64_t few = 6, many = 12; // colors of the two meshes, each of whole rows
constexpr int passes = 30, burn = 300;

std::atomic<int> wrong_numbers{0};

inline double stencil(double f, double a, double b, double c, double d) {
  return (f + a + b + c + d) / 4;
}
inline double cook(double x) {
  for(int k = 0; k != burn; ++k)
    x = x * 0.999 + 1e-3 * (k & 3);
  return x;
}
inline double start(std::int64_t i, std::int64_t j) {
  return std::sin(0.1 * double(i * 7 + j * 3));
}

namespace task {
void init(grid::view m, numbers::accessor<wo> u, double scale) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      u(i, j) = scale * start(i, j);
}
void red(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> f) {
  for(auto j : m.interior(1))
    for(auto i : m.red(j))
      u(i, j) = stencil(f(i, j), u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1));
}
void black(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> f) {
  for(auto j : m.interior(1))
    for(auto i : m.black(j))
      u(i, j) = stencil(f(i, j), u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1));
}
void heavy(grid::view m, numbers::accessor<rw> w) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      w(i, j) = cook(w(i, j));
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double s = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      s += u(i, j);
  return s;
}
double residual(grid::view m, numbers::accessor<ro, ro> u, numbers::accessor<ro> f) {
  double s = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      double r = stencil(f(i, j), u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1)) - u(i, j);
      s += r * r;
    }
  return s;
}
void scale(grid::view m, numbers::accessor<rw> w, double x) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      w(i, j) *= x;
}
void shift(grid::view m, numbers::accessor<rw> f, double x) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      f(i, j) += 1e-4 * x;
}
void inner(grid::view m,
  numbers::accessor<rw>
    w) { // launches into a flow of its own: scale each row, sum it, add the sum to the next row, thrice
  std::vector<double*> rows;
  double carry = 0;
  for(auto j : m.owned(1))
    rows.push_back(w.row(j));
  rondo::flow flow(rondo::this_worker()->home());
  rondo::region rc(flow, carry, "carry");
  std::deque<rondo::region<double*>> rr;
  for(auto& p : rows)
    rr.emplace_back(flow, p, "row");
  rondo::trace t("inner");
  flow.iterate(t,
    [&](std::uint64_t pass) {
      for(auto& r : rr) {
        flow.submit(rondo::hinted({.priority = rondo::priority::high}, rondo::named("row",
                                                                         [](double*& x) {
                                                                           for(int i = 0; i != side;
                                                                               ++i)
                                                                             x[i] *= 0.5;
                                                                         })),
          rondo::write(r));
        flow.submit(rondo::hinted({.worker = 0}, rondo::named("carry",
                                                   [](double*& x, double& c) {
                                                     x[0] += c;
                                                     c = 0;
                                                     for(int i = 0; i != side; ++i)
                                                       c += x[i];
                                                   })),
          rondo::write(r), rondo::write(rc));
      }
      return pass == 2;
    },
    {.max = 10});
  flow.wait();
}
double differ(grid::view m, numbers::accessor<ro> u, const double* want) {
  double n = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      n += u(i, j) != want[j * side + i];
  return n;
}
void compare(const char* what, double got, double want, double wrong) {
  std::printf(
    "%-10s %.17g %s, %g points differ\n", what, got, got == want ? "same" : "DIFFERENT", wrong);
  if(got != want || wrong != 0)
    ++wrong_numbers;
}
} // namespace task

struct serial { // the same by hand
  std::vector<double> u = std::vector<double>(side * side), f = std::vector<double>(side * side),
                      w = std::vector<double>(side * side);
  double& at(std::vector<double>& x, std::int64_t i, std::int64_t j) { return x[j * side + i]; }
  double star(std::int64_t i, std::int64_t j) {
    return stencil(at(f, i, j), at(u, i - 1, j), at(u, i + 1, j), at(u, i, j - 1), at(u, i, j + 1));
  }
  void sweep() {
    for(int c = 0; c != 2; ++c)
      for(int j = 1; j != side - 1; ++j)
        for(int i = 1; i != side - 1; ++i)
          if((i + j) % 2 == c)
            at(u, i, j) = star(i, j);
  }
  template<class F>
  double tree(std::int64_t colors, F value) {
    std::vector<double> s(colors);
    for(std::int64_t j = 0; j != side; ++j)
      for(int i = 0; i != side; ++i)
        s[j * colors / side] += value(i, j);
    while(s.size() > 1) {
      std::vector<double> t;
      for(std::size_t k = 0; k < s.size(); k += 2)
        t.push_back(k + 1 < s.size() ? s[k] + s[k + 1] : s[k]);
      s = t;
    }
    return s[0];
  }
  double residual() {
    return tree(few, [&](std::int64_t i, std::int64_t j) {
      if(i == 0 || j == 0 || i == side - 1 || j == side - 1)
        return 0.0;
      double r = star(i, j) - at(u, i, j);
      return r * r;
    });
  }
  double last = 0, half = 0, cooked = 0;
  std::uint64_t n = 0;
  serial() {
    for(int j = 0; j != side; ++j)
      for(int i = 0; i != side; ++i) {
        at(u, i, j) = start(i, j);
        at(f, i, j) = 1e-3 * start(i, j);
        at(w, i, j) = 2 * start(i, j);
      }
    for(double& x : w)
      x *= 1.25;
    for(int p = 0; p != passes; ++p) {
      sweep();
      for(double& x : w)
        x = cook(x);
      if(p % 10 == 9) {
        cooked = tree(many, [&](std::int64_t i, std::int64_t j) { return at(w, i, j); });
        for(double& x : f)
          x += 1e-4 * cooked;
      }
    }
    for(int c = 0; c != many; ++c) {
      double carry = 0;
      for(int p = 0; p != 3; ++p)
        for(int j = c * side / many; j != (c + 1) * side / many; ++j) {
          double* x = &at(w, 0, j);
          for(int i = 0; i != side; ++i)
            x[i] *= 0.5;
          x[0] += carry;
          carry = 0;
          for(int i = 0; i != side; ++i)
            carry += x[i];
        }
    }
    for(n = 0; n != 1000;) {
      for(int k = 0; k != 5; ++k)
        sweep();
      ++n;
      last = residual();
      if(last < 1e-8)
        break;
    }
    for(int k = 0; k != 4; ++k)
      sweep();
    do {
      sweep();
      half = residual();
    } while(!(half < 5e-9));
  }
};

} // namespace

int main(int argc, char** argv) {
  const serial by_hand;
  return run(argc, argv, [&](scheduler& s) {
    const grid a{s, {.extents = {side, side}, .colors = {1, few}}},
      b{s, {.extents = {side, side}, .colors = {1, many}}};
    numbers u{a, "u"}, f{a, "f"}, w{b, "w"};
    s.execute<task::init>(a, u, 1.0);
    s.execute<task::init>(a, f, 1e-3);
    s.execute<task::init>(b, w, 2.0);
    rondo::trace t("step"), t2("solve");
    promise<double> factor; // kept when the plain loop has been launched
    s.execute<task::scale>(b, w, factor.get_future());
    future<double> cooked = make_ready(0.0);
    for(int p = 0; p != passes; ++p) { // the plain loop
      auto guard = t.make_guard();
      s.execute<task::red, priority::high>(a, u, f);
      s.execute<task::black>(a, u, f);
      s.execute<task::heavy>(b, w);
      if(p % 10 == 9) {
        cooked = s.reduce<task::sum, fold::sum>(b, w);
        s.execute<task::shift>(a, f, cooked);
      }
    }
    factor.set_value(1.25);
    s.execute<task::inner>(b, w);
    const auto [n, r2] =
      s.iterate(t2, {.max = 1000}, [&](std::uint64_t pass) { // leave_if: a future<bool> and a value
        s.repeat(5, [&](pass_number) {
          s.execute<task::red, priority::high>(a, u, f);
          s.execute<task::black>(a, u, f);
        });
        future<double> r = s.reduce<task::residual, fold::sum>(a, u, f);
        future<double> at = make_ready(double(pass));
        return leave_if(when_all(r, at).then([](const std::tuple<double, double>& x) {
          return std::get<0>(x) < 1e-8;
        }),
          r);
      });
    s.iterate({.max = 4}, [&] {
      s.execute<task::red>(a, u, f);
      s.execute<task::black>(a, u, f);
      return false;
    });              // bool
    double half = 0; // bool after get()
    s.iterate({}, [&] {
      s.execute<task::red>(a, u, f);
      s.execute<task::black>(a, u, f);
      half = s.reduce<task::residual, fold::sum>(a, u, f).get();
      return half < 5e-9;
    });
    const auto again = s.iterate({.max = 7}, [&] {
      return s.reduce<task::residual, fold::sum>(a, u, f).then([](double x) { return x < 5e-9; });
    }); // future<bool>: one pass
    s.execute<task::compare>(
      "cooked", cooked, by_hand.cooked, s.reduce<task::differ, fold::sum>(b, w, by_hand.w.data()));
    s.execute<task::compare>(
      "residual", r2, by_hand.last, s.reduce<task::differ, fold::sum>(a, f, by_hand.f.data()));
    s.execute<task::compare>(
      "half", half, by_hand.half, s.reduce<task::differ, fold::sum>(a, u, by_hand.u.data()));
    s.execute<task::compare>("passes", n.then([](std::uint64_t x) { return double(x); }),
      double(by_hand.n), again.then([](std::uint64_t x) { return double(x) - 1; }));
    s.wait();
    return wrong_numbers.load(); // rank 0 compares
  });
}
