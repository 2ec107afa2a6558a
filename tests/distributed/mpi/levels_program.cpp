// Cycles over the levels of a mesh, in launches that are gathered: red-black sweeps on three levels, with more launches in each fifth
// cycle, in a plain loop, a trace, and `iterate`. At the end each point is compared with what plain loops have made of it.
//
//   levels_program [FIRST SEED] [HOW MANY]     colors, stages and loops are drawn by lot
//
// Written first by somebody who knew the documentation only.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <rondo/rondo.hpp>

#include "../../tracing/random_programs.hpp"

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;
using integer = std::int64_t;
using random_programs::dice;

namespace {

constexpr std::size_t level_count = 3;

// ---- at a point, for tasks and plain loops
double right_side(integer i, integer j) { return static_cast<double>((7 * i + 13 * j) % 11) - 4.5; }
double around(const auto& u, integer i, integer j) {
  return u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}
double relaxed(const auto& u, const auto& f, integer i, integer j) {
  return (f(i, j) + around(u, i, j)) / 4;
}
double defect(const auto& u, const auto& f, integer i, integer j) {
  return f(i, j) + around(u, i, j) - 4 * u(i, j);
}
double restricted(const auto& r, integer i, integer j) {
  return (4 * r(2 * i, 2 * j) + around(r, 2 * i, 2 * j)) / 2;
}
double interpolated(const auto& e, integer i, integer j) {
  const integer a = i / 2, b = j / 2;
  return (e(a, b) + e(a + i % 2, b) + e(a, b + j % 2) + e(a + i % 2, b + j % 2)) / 4;
}

namespace task {

using seen = numbers::accessor<ro, ro>;
using read = numbers::accessor<ro>;

void begin(grid::view m, numbers::accessor<wo> u, numbers::accessor<wo> f) {
  for(const integer j : m.owned(1))
    for(const integer i : m.owned(0)) {
      u(i, j) = 0;
      f(i, j) = right_side(i, j);
    }
}
void relax(grid::view m, numbers::accessor<rw, still> u, read f, integer odd) {
  for(const integer j : m.interior(1))
    for(const integer i : m.interior(0))
      if((i + j) % 2 == odd)
        u(i, j) = relaxed(u, f, i, j);
}
void look(grid::view m, seen u, read f, numbers::accessor<rw> r) {
  for(const integer j : m.interior(1))
    for(const integer i : m.interior(0))
      r(i, j) = defect(u, f, i, j);
}
void restrict(
  grid::view /*fine*/, grid::view m, seen r, numbers::accessor<rw> f, numbers::accessor<wo> u) {
  for(const integer j : m.owned(1))
    for(const integer i : m.owned(0))
      u(i, j) = 0;
  for(const integer j : m.interior(1))
    for(const integer i : m.interior(0))
      f(i, j) = restricted(r, i, j);
}
void correct(grid::view m, grid::view /*coarse*/, numbers::accessor<rw> u, seen e) {
  for(const integer j : m.interior(1))
    for(const integer i : m.interior(0))
      u(i, j) += interpolated(e, i, j);
}
bool is_small(grid::view m, seen u, read f, double limit) {
  for(const integer j : m.interior(1))
    for(const integer i : m.interior(0))
      if(std::abs(defect(u, f, i, j)) > limit)
        return false;
  return true;
}
integer others(grid::view m, read u, const double* right, integer n) {
  integer found = 0;
  for(const integer j : m.owned(1))
    for(const integer i : m.owned(0))
      found += u(i, j) != right[j * n + i] ? 1 : 0;
  return found;
}

} // namespace task

// ---- by tasks
class levels {
public:
  levels(scheduler& s, const structured_options<2>& how) : s_(s) {
    all_.emplace_back(grid{s, how});
    while(all_.size() != level_count)
      all_.emplace_back(all_.back().mesh.coarsened(2));
    s.execute<task::begin>(all_[0].mesh, all_[0].u, all_[0].f);
  }
  /// Whether all defects are small, or as before.
  future<bool> cycle(std::uint64_t pass, double limit) {
    down(0), down(1), sweep(2, 4), up(1);
    if(pass % 5 == 4)
      sweep(1, 1 + pass % 3);
    up(0);
    return s_.reduce<task::is_small, fold::logical_and>(all_[0].mesh, all_[0].u, all_[0].f, limit);
  }
  /// Points with other values than these, row after row.
  [[nodiscard]] integer differences(std::size_t k, const std::vector<double>& right, integer n) {
    return s_.reduce<task::others, fold::sum>(all_[k].mesh, all_[k].u, right.data(), n).get();
  }

private:
  struct level {
    explicit level(grid of) : mesh(std::move(of)) {}
    grid mesh;
    numbers u{mesh, "u"}, f{mesh, "f"}, r{mesh, "r"};
  };
  void sweep(std::size_t k, std::uint64_t times) {
    for(std::uint64_t n = 0; n != 2 * times; ++n)
      s_.execute<task::relax>(all_[k].mesh, all_[k].u, all_[k].f, static_cast<integer>(n % 2));
  }
  void down(std::size_t k) {
    const level &fine = all_[k], &coarse = all_[k + 1];
    sweep(k, 2);
    s_.execute<task::look>(fine.mesh, fine.u, fine.f, fine.r);
    s_.execute<task::restrict>(fine.mesh, coarse.mesh, fine.r, coarse.f, coarse.u);
  }
  void up(std::size_t k) {
    s_.execute<task::correct>(all_[k].mesh, all_[k + 1].mesh, all_[k].u, all_[k + 1].u);
    sweep(k, 1);
  }

  scheduler& s_;
  std::deque<level> all_;
};

// ---- by plain loops
struct array {
  explicit array(integer extent) : n(extent), all(static_cast<std::size_t>(n * n)) {}
  double& operator()(integer i, integer j) { return all[static_cast<std::size_t>(j * n + i)]; }
  double operator()(integer i, integer j) const { return all[static_cast<std::size_t>(j * n + i)]; }
  integer n;
  std::vector<double> all;
};

class judge {
public:
  explicit judge(integer n) {
    for(; all_.size() != level_count; n = (n + 1) / 2)
      all_.push_back({array(n), array(n), array(n)});
    level& finest = all_[0];
    for(integer j = 0; j != finest.u.n; ++j)
      for(integer i = 0; i != finest.u.n; ++i)
        finest.f(i, j) = right_side(i, j);
  }
  bool cycle(std::uint64_t pass, double limit) {
    down(0), down(1), sweep(2, 4), up(1);
    if(pass % 5 == 4)
      sweep(1, 1 + pass % 3);
    up(0);
    bool is_small = true;
    const level& l = all_[0];
    inside(l.u.n, [&](integer i, integer j) {
      is_small = is_small && std::abs(defect(l.u, l.f, i, j)) <= limit;
    });
    return is_small;
  }
  [[nodiscard]] const std::vector<double>& right(std::size_t k) const { return all_[k].u.all; }
  [[nodiscard]] integer extent(std::size_t k) const { return all_[k].u.n; }

private:
  struct level {
    array u, f, r;
  };
  static void inside(integer n, const auto& f) {
    for(integer j = 1; j != n - 1; ++j)
      for(integer i = 1; i != n - 1; ++i)
        f(i, j);
  }
  void sweep(std::size_t k, std::uint64_t times) {
    level& l = all_[k];
    for(std::uint64_t n = 0; n != 2 * times; ++n)
      inside(l.u.n, [&](integer i, integer j) {
        if((i + j) % 2 == static_cast<integer>(n % 2))
          l.u(i, j) = relaxed(l.u, l.f, i, j);
      });
  }
  void down(std::size_t k) {
    level &fine = all_[k], &coarse = all_[k + 1];
    sweep(k, 2);
    inside(fine.u.n, [&](integer i, integer j) { fine.r(i, j) = defect(fine.u, fine.f, i, j); });
    coarse.u = array(coarse.u.n);
    inside(coarse.u.n, [&](integer i, integer j) { coarse.f(i, j) = restricted(fine.r, i, j); });
  }
  void up(std::size_t k) {
    level &fine = all_[k], &coarse = all_[k + 1];
    inside(fine.u.n, [&](integer i, integer j) { fine.u(i, j) += interpolated(coarse.u, i, j); });
    sweep(k, 1);
  }

  std::vector<level> all_;
};

// ---- one draw
bool is_right(scheduler& s, std::uint64_t seed) {
  dice draw(seed);
  const integer n = 4 * static_cast<integer>(2 + draw.below(30)) + 1;
  structured_options<2> how{.extents = {n, n}, .diagonals = true};
  if(!draw.one_in(4)) // layers, mostly
    how.colors = {draw.one_in(3) ? 2 : 1, std::min<integer>(4 + draw.below(20), n / 2)};
  how.stages = draw.below(3) == 0 ? 0 : 1 + draw.below(12);
  const std::uint64_t most = 6 + draw.below(50);
  const double limit = draw.one_in(2) ? 1e-3 : 1e-9;
  const std::uint64_t lag = draw.one_in(3) ? draw.below(4) : 0;
  const unsigned loop = draw.below(4);

  levels by_tasks(s, how);
  trace t("cycle");
  std::uint64_t passes = 0;
  const auto body = [&](std::uint64_t pass) { return by_tasks.cycle(pass, limit); };
  if(loop == 0)
    passes = s.iterate({.max = most, .lag = lag}, body).get();
  else if(loop == 1)
    passes = s.iterate(t, {.max = most, .lag = lag}, body).get();
  else {
    std::deque<future<bool>> answers;
    for(bool is_over = false; !is_over && passes != most; ++passes) {
      std::optional<trace::guard> guard;
      if(loop == 2)
        guard.emplace(t, s.launches());
      answers.push_back(body(passes));
      guard.reset();
      if(answers.size() > lag) {
        is_over = answers.front().get();
        answers.pop_front();
      }
    }
  }

  judge by_hand(n);
  std::deque<bool> answers;
  std::uint64_t right_passes = 0;
  for(bool is_over = false; !is_over && right_passes != most; ++right_passes) {
    answers.push_back(by_hand.cycle(right_passes, limit));
    if(answers.size() > lag) {
      is_over = answers.front();
      answers.pop_front();
    }
  }
  integer differences = 0;
  for(std::size_t k = 0; k != level_count; ++k)
    differences += by_tasks.differences(k, by_hand.right(k), by_hand.extent(k));
  if(differences == 0 && passes == right_passes)
    return true;
  if(s.rank() == 0)
    std::printf("seed %llu: %lld points differ, after %llu passes instead of %llu\n",
      static_cast<unsigned long long>(seed), static_cast<long long>(differences),
      static_cast<unsigned long long>(passes), static_cast<unsigned long long>(right_passes));
  return false;
}

} // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return rondo::run(argc, argv, [&](scheduler& s) {
    int wrong = 0;
    for(std::uint64_t seed = first; seed != first + count; ++seed)
      wrong += is_right(s, seed) ? 0 : 1;
    if(s.rank() == 0 && wrong == 0)
      std::printf("ok: %llu programs\n", static_cast<unsigned long long>(count));
    return wrong == 0 ? 0 : 1;
  });
}
