// Meshes and fields are handles: they can be moved and kept in vectors, also while tasks use them.

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<1>;
using numbers = field<std::int64_t>;

void count_up(grid::view m, numbers::accessor<wo> x, std::int64_t from) {
  for(const auto i : m.owned(0))
    x(i) = from + i;
}
void add_neighbours(grid::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.interior(0))
    to(i) = from(i - 1) + from(i) + from(i + 1);
  for(const auto i : m.low_end(0))
    to(i) = from(i);
  for(const auto i : m.high_end(0))
    to(i) = from(i);
}
std::int64_t sum_of(grid::view m, numbers::accessor<ro> x) {
  std::int64_t sum = 0;
  for(const auto i : m.owned(0))
    sum += x(i);
  return sum;
}
void put_number(topo::index::view c, field<std::int64_t>::accessor<wo> x) {
  x() = static_cast<std::int64_t>(c.color());
}
std::int64_t number_of(topo::index::view, field<std::int64_t>::accessor<ro> x) { return x(); }

/// 0 + 1 + ... + n - 1, from `from` on.
std::int64_t sum_from(std::int64_t from, std::int64_t n) { return n * from + n * (n - 1) / 2; }

template<class F>
bool is_refused(F&& f) {
  return thrown_by(f).find("moved to another object") != std::string::npos;
}

} // namespace

TEST_CASE("a vector of fields grows between launches that use them") {
  const unsigned ranks = GENERATE(1U, 2U, 3U);
  const std::size_t stages =
    GENERATE(std::size_t{1}, std::size_t{3}); // more: launches are kept back
  CAPTURE(ranks, stages);
  on_ranks(make_local_transports(ranks), 2, [stages](scheduler& s) {
    const grid m{s, {.extents = {60}, .colors = {6}, .stages = stages}};
    std::vector<numbers> all;
    for(std::int64_t k = 0; k != 20; ++k) {
      all.emplace_back(m, "number " + std::to_string(k));
      s.execute<count_up>(m, all.back(), 100 * k);
      if(k != 0)
        s.execute<add_neighbours>(m, all.back(), all.front());
    }
    auto first = s.reduce<sum_of, fold::sum>(m, all.front());
    auto last = s.reduce<sum_of, fold::sum>(m, all.back());
    expect(first.get() == sum_from(0, 60));
    expect(last.get() == 3 * (sum_from(0, 60) - 59) + 59);
    expect(std::string(all[7].name()) == "number 7");
    all.erase(all.begin(), all.begin() + 10); // moved again
    s.execute<count_up>(m, all[3], 1);
    expect(s.reduce<sum_of, fold::sum>(m, all[3]).get() == sum_from(1, 60));
  });
}

TEST_CASE("meshes of several sizes in a vector, as multigrid has them") {
  const unsigned ranks = GENERATE(1U, 2U);
  on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
    std::vector<grid> levels;
    std::vector<numbers> u;
    for(std::int64_t n = 64; n >= 8; n /= 2) {
      levels.emplace_back(s, structured_options<1>{.extents = {n}, .colors = {4}});
      u.emplace_back(levels.back());
    }
    std::vector<future<std::int64_t>> sums;
    for(std::size_t l = 0; l != levels.size(); ++l) {
      s.execute<count_up>(levels[l], u[l], 0);
      sums.push_back(s.reduce<sum_of, fold::sum>(levels[l], u[l]));
    }
    for(std::size_t l = 0; l != levels.size(); ++l)
      expect(sums[l].get() == sum_from(0, 64 >> l));
  });
}

TEST_CASE("a loop whose body was recorded with fields that are moved between its passes") {
  on_ranks(make_local_transports(2), 2, [](scheduler& s) {
    grid m{s, {.extents = {40}, .colors = {4}}};
    numbers x{m, "x"};
    s.execute<count_up>(m, x, 0);
    trace t;
    std::int64_t sum = 0;
    for(int pass = 0; pass != 12; ++pass) {
      {
        const auto g = t.make_guard();
        s.execute<count_up>(m, x, pass % 2);
        sum += s.reduce<sum_of, fold::sum>(m, x).get();
      }
      numbers elsewhere = std::move(x);
      x = std::move(elsewhere);
      grid other = std::move(m);
      m = std::move(other);
    }
    expect(sum == 6 * (sum_from(0, 40) + sum_from(1, 40)));
  });
}

TEST_CASE("a field outlives the mesh that it was made over, and an index that mesh, too") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    const auto made = [&s] {
      const grid m{s, {.extents = {12}, .colors = {4}}};
      numbers x{m, "x"};
      s.execute<count_up>(m, x, 5);
      topo::index colors{m};
      return std::pair(std::move(x), std::move(colors));
    };
    auto [x, colors] = made();
    field<std::int64_t> c{colors, "c"};
    s.execute<put_number>(colors, c);
    expect(s.reduce<number_of, fold::sum>(colors, c).get() == 0 + 1 + 2 + 3);
  });
}

TEST_CASE("a handle that was moved from is refused") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    grid m{s, {.extents = {8}}};
    numbers x{m, "x"};
    const numbers y = std::move(x);
    expect(is_refused([&] { s.execute<count_up>(m, x, 0); }));
    const grid n = std::move(m);
    expect(is_refused([&] { const numbers z(m, "z"); }));
    expect(is_refused([&] { s.execute<count_up>(m, y, 0); }));
    s.execute<count_up>(n, y, 0); // const handles will do
    expect(s.reduce<sum_of, fold::sum>(n, y).get() == sum_from(0, 8));
  });
}
