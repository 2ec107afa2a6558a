#include <catch2/catch.hpp>

#include <functional>
#include <numeric>
#include <vector>

#include <rondo/core.hpp>
#include <rondo/distributed/transports.hpp>
#include <rondo/flow.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

namespace {

// What tasks of a mesh do within: loops on all cores, forks, graphs, and flows.

void begin(grid::view m, numbers::accessor<wo> u) {
  for_each_index(extents{std::size_t(m.owned(1).size())}, [&](std::size_t row) {
    const std::int64_t j = m.owned(1).first() + std::int64_t(row);
    for(auto i : m.owned(0))
      u(i, j) = double(i + 100 * j);
  });
}

void add_by_forks(grid::view m, numbers::accessor<rw> u) {
  join_n(std::size_t(m.owned(1).size()), [&](std::size_t row) {
    for(auto i : m.owned(0))
      u(i, m.owned(1).first() + std::int64_t(row)) += 1;
  });
}

void add_by_graph(grid::view m, numbers::accessor<rw> u) {
  graph steps;
  const auto add = [&] {
    for(auto j : m.owned(1))
      for(auto i : m.owned(0))
        u(i, j) += 1;
  };
  steps.add(add).precede(steps.add(add));
  this_worker()->home().run(steps);
}

void add_by_flow(grid::view m, numbers::accessor<rw> u) {
  flow inner(this_worker()->home());
  int turn = 0;
  region order(inner, turn, "turn");
  for(auto j : m.owned(1))
    inner.submit(
      [&, j](int& t) {
        ++t;
        for(auto i : m.owned(0))
          u(i, j) += 1;
      },
      write(order));
  inner.wait();
}

double sum(grid::view m, numbers::accessor<ro> u) {
  return rondo::transform_reduce(
    m.owned(1).begin(), m.owned(1).end(), 0.0, std::plus<>(), [&](std::int64_t j) {
      double row = 0;
      for(auto i : m.owned(0))
        row += u(i, j);
      return row;
    });
}

} // namespace

TEST_CASE("tasks of a mesh use algorithms, forks, graphs and flows") {
  executor ex({.workers = 3, .shares_cores = true});
  auto ranks = make_local_transports(1);
  scheduler s(ex, *ranks.front());
  const double total = ex.run([&] {
    grid m{s, {.extents = {12, 10}, .colors = {2, 2}}};
    numbers u{m, "u"};
    s.execute<begin>(m, u);
    for(int pass = 0; pass != 3; ++pass) {
      s.execute<add_by_forks>(m, u);
      s.execute<add_by_graph>(m, u);
      s.execute<add_by_flow>(m, u);
    }
    const double all = s.reduce<sum, fold::sum>(m, u).get();
    s.wait();
    return all;
  });
  // 3 passes that add 1, 2 and 1 to each of 120 points.
  double expected = 120 * 3 * 4;
  for(int j = 0; j != 10; ++j)
    for(int i = 0; i != 12; ++i)
      expected += i + 100 * j;
  CHECK(total == expected);
}

TEST_CASE("launches of a flow use algorithms") {
  executor ex({.workers = 2, .shares_cores = true});
  std::vector<double> x(1000, 1.0);
  flow f(ex);
  region r(f, x, "x");
  for(int pass = 0; pass != 3; ++pass)
    f.submit(
      [](
        std::vector<double>& v) { rondo::for_each(v.begin(), v.end(), [](double& e) { e *= 2; }); },
      write(r));
  f.wait();
  CHECK(rondo::reduce(ex, x.begin(), x.end(), 0.0) == 8000);
}
