#pragma once

// Each case over a system S that is made with S(workers) and has the one function it needs:
//
//   for_each        s.for_each(array &)                 affine() on every element
//   reduce          s.sum(const array &) -> double      in any order
//   deterministic   s.sum(const array &) -> double      the same bits every time
//   uneven          s.rows(picture &)                   picture.row(i) for all i

#include "algorithm/problems.hpp"

#include <string>
#include <utility>

namespace bench::algorithm {

inline constexpr int passes = 5;

// Not inlined: beside the clock and the checks g++ keeps a serial sum in memory instead of a
// register, and the reference would look half as fast as it is.
template<class S>
[[gnu::noinline]] double sum_of(S& s, const array& x) {
  return s.sum(x);
}
template<class S>
[[gnu::noinline]] void for_each_of(S& s, array& x) {
  s.for_each(x);
}

template<class S>
figures measure_for_each(const context& c) {
  S s(c.workers);
  array x(array_size(c.quick));
  for_each_of(s, x);
  const double t = median_time_of(passes, [&] { for_each_of(s, x); });
  check_affine(x, passes + 1);
  return {{"time", "ms", t * 1e-6}};
}

template<class S>
figures measure_sum(const context& c, bool same_bits) {
  S s(c.workers);
  const array x(array_size(c.quick));
  const double first = sum_of(s, x);
  double sum = 0;
  const double t = median_time_of(passes, [&] {
    sum = sum_of(s, x);
    check(!same_bits || sum == first, "deterministic reduce: two runs differ");
  });
  check_sum(x, sum);
  return {{"time", "ms", t * 1e-6}};
}

template<class S>
figures measure_rows(const context& c) {
  S s(c.workers);
  picture p(c.quick);
  s.rows(p);
  p.check_and_clear();
  const double t = time_of([&] { s.rows(p); });
  p.check_and_clear();
  return {{"time", "ms", t * 1e-6}};
}

inline std::vector<unsigned> counts(role who) {
  return who == role::serial ? std::vector<unsigned>{1} : std::vector<unsigned>{1, 2};
}

template<class S>
bool add_for_each(const std::string& system, role who) {
  return add({"for_each 20M doubles", system, who, counts(who), measure_for_each<S>});
}
template<class S>
bool add_reduce(const std::string& system, role who) {
  return add({"reduce 20M doubles", system, who, counts(who),
    [](const context& c) { return measure_sum<S>(c, false); }});
}
template<class S>
bool add_deterministic(const std::string& system, role who) {
  return add({"deterministic reduce", system, who, counts(who),
    [](const context& c) { return measure_sum<S>(c, true); }});
}
template<class S>
bool add_uneven(const std::string& system, role who) {
  return add({"uneven loop", system, who, counts(who), measure_rows<S>});
}

} // namespace bench::algorithm
