// Compiled once: the same bits for all systems, whatever flags they need.

#include "loop/problem.hpp"

#include "harness/clock.hpp"

#include <algorithm>
#include <cmath>

namespace bench::loop {

problem::problem(unsigned blocks, double microseconds, unsigned passes)
    : u(blocks), v(blocks), r(blocks), shrink_(std::log(1e3) / (2.0 * passes)), enough_(1e-3) {
  reset();
  constexpr unsigned many = 1'000;
  rounds_ = many;
  double shortest = 1e9;
  for(int i = 0; i < 30; ++i)
    shortest = std::min(shortest, time_of([this] { relax(u[0], v[0]); }));
  rounds_ = static_cast<unsigned>(microseconds * 1e3 * many / shortest);
  reset();
}

void problem::reset() {
  for(std::size_t b = 0; b != u.size(); ++b)
    for(std::size_t i = 0; i != u[b].x.size(); ++i) {
      u[b].x[i] = 0.5 + 0.1 * static_cast<double>((i + b) % u[b].x.size());
      v[b].x[i] = 0;
    }
  std::fill(r.begin(), r.end(), norm{});
}

// Goes round and round, each value after the one before: nothing that a compiler could shorten.
void problem::relax(const field& from, field& to) const {
  std::array<double, 8> x = from.x;
  for(unsigned round = 0; round != rounds_; ++round)
    for(std::size_t i = 0; i != x.size(); ++i)
      x[i] = (x[(i + 7) % 8] + x[i] + x[(i + 1) % 8]) * (1.0 / 3);
  for(std::size_t i = 0; i != x.size(); ++i)
    to.x[i] = (1 - shrink_) * (0.9 * from.x[i] + 0.1 * x[i]);
}

norm problem::residual(const field& of) const {
  field x;
  relax(of, x);
  return {*std::max_element(x.x.begin(), x.x.end())};
}

bool problem::is_enough(const norm& a, const norm& b, const norm& c, const norm& d) const {
  return is_enough(a) && is_enough(b) && is_enough(c) && is_enough(d);
}

bool problem::pass() {
  bool enough = true;
  for(std::size_t b = 0; b != u.size(); ++b) {
    relax(u[b], v[b]);
    relax(v[b], u[b]);
    r[b] = residual(u[b]);
    enough = enough && is_enough(r[b]);
  }
  return enough;
}

} // namespace bench::loop
