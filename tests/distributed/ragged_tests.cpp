// Fields with a row of any length for each element.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using grid = structured<2>;
using lists = field<ragged<std::uint64_t>>;

std::size_t length_of(std::int64_t i, std::uint64_t round, std::size_t most) {
  return meshes::mix(static_cast<std::uint64_t>(i) + 1, round + 1) % (most + 1);
}

namespace task {
void fill(line::view m, lists::accessor<wo> a, std::uint64_t round, std::size_t most) {
  for(const auto i : m.owned(0)) {
    const auto row = a(i);
    row.clear();
    for(std::size_t k = 0; k != length_of(i, round, most); ++k)
      row.push_back(meshes::mix(static_cast<std::uint64_t>(i), k + round));
  }
}
/// Each row gets what the neighbours had, and forgets some of its own.
void exchange(line::view m, lists::accessor<rw> to, lists::accessor<ro, ro> from) {
  for(const auto i : m.owned(0)) {
    const auto row = to(i);
    row.erase_if([](std::uint64_t x) { return x % 3 == 0; });
    for(const std::int64_t n : {i - 1, i + 1})
      for(const std::uint64_t x : from(n).first(std::min<std::size_t>(from(n).size(), 3)))
        row.push_back(meshes::mix(x, static_cast<std::uint64_t>(i)));
    if(row.size() > 40)
      row.erase(row.begin(), row.end() - 20);
  }
}
std::uint64_t bits(line::view m, lists::accessor<ro> a) {
  std::uint64_t h = 0;
  for(const auto i : m.owned(0))
    for(std::size_t k = 0; k != a(i).size(); ++k)
      h += meshes::mix(a(i)[k] + k, static_cast<std::uint64_t>(i));
  return h;
}
} // namespace task

/// The same by hand, of all points.
struct by_hand {
  explicit by_hand(std::size_t n) : rows(n) {}
  std::vector<std::vector<std::uint64_t>> rows;

  void fill(std::uint64_t round, std::size_t most) {
    for(std::size_t i = 0; i != rows.size(); ++i) {
      rows[i].resize(length_of(static_cast<std::int64_t>(i), round, most));
      for(std::size_t k = 0; k != rows[i].size(); ++k)
        rows[i][k] = meshes::mix(i, k + round);
    }
  }
  void exchange(const by_hand& from) {
    for(std::size_t i = 0; i != rows.size(); ++i) {
      auto& row = rows[i];
      std::erase_if(row, [](std::uint64_t x) { return x % 3 == 0; });
      for(const std::size_t n : {i + rows.size() - 1, i + 1}) {
        const auto& other = from.rows[n % rows.size()];
        for(std::size_t k = 0; k != std::min<std::size_t>(other.size(), 3); ++k)
          row.push_back(meshes::mix(other[k], i));
      }
      if(row.size() > 40)
        row.erase(row.begin(), row.end() - 20);
    }
  }
  [[nodiscard]] std::uint64_t bits() const {
    std::uint64_t h = 0;
    for(std::size_t i = 0; i != rows.size(); ++i)
      for(std::size_t k = 0; k != rows[i].size(); ++k)
        h += meshes::mix(rows[i][k] + k, i);
    return h;
  }
};

constexpr std::int64_t points = 60;

} // namespace

TEST_CASE("rows of any length are exchanged as they change") {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const std::size_t most : {2U, 300U}) {
      by_hand a(points);
      by_hand b(points);
      a.fill(0, most);
      b.fill(1, most);
      std::vector<std::uint64_t> expected;
      for(int pass = 0; pass != 12; ++pass) {
        b.exchange(a);
        a.exchange(b);
        expected.push_back(a.bits());
        if(pass == 6) { // longer than ever
          a.fill(5, 8 * most);
          expected.push_back(a.bits());
        }
      }
      on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
        const line m{s, {.extents = {points}, .colors = {6}, .halo = 1, .periodic = {true}}};
        lists u{m, "u"};
        lists v{m, "v"};
        s.execute<task::fill>(m, u, std::uint64_t{0}, most);
        s.execute<task::fill>(m, v, std::uint64_t{1}, most);
        std::size_t at = 0;
        for(int pass = 0; pass != 12; ++pass) {
          s.execute<task::exchange>(m, v, u);
          s.execute<task::exchange>(m, u, v);
          expect(s.reduce<task::bits, fold::sum>(m, u).get() == expected[at++]);
          if(pass == 6) {
            s.execute<task::fill>(m, u, std::uint64_t{5}, 8 * most);
            expect(s.reduce<task::bits, fold::sum>(m, u).get() == expected[at++]);
          }
        }
      });
    }
}

TEST_CASE("rows are exchanged in loops that are repeated") {
  for(const unsigned ranks : {1U, 2U, 3U}) {
    by_hand a(points);
    by_hand b(points);
    a.fill(0, 5);
    b.fill(1, 5);
    for(int pass = 0; pass != 50; ++pass) {
      b.exchange(a);
      a.exchange(b);
    }
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const line m{s, {.extents = {points}, .colors = {6}, .halo = 1, .periodic = {true}}};
      lists u{m, "u"};
      lists v{m, "v"};
      s.execute<task::fill>(m, u, std::uint64_t{0}, std::size_t{5});
      s.execute<task::fill>(m, v, std::uint64_t{1}, std::size_t{5});
      s.repeat(50, [&] {
        s.execute<task::exchange>(m, v, u);
        s.execute<task::exchange>(m, u, v);
      });
      expect(s.reduce<task::bits, fold::sum>(m, u).get() == a.bits());
    });
  }
}

namespace {

namespace task {
/// Each number goes to a point up to two away, or stays.
void wander(line::view m, lists::accessor<ro> from, lists::accessor<wo, fold::append> to) {
  for(const auto i : m.owned(0))
    to(i).clear();
  for(const auto i : m.owned(0))
    for(const std::uint64_t x : from(i))
      to(i + static_cast<std::int64_t>(x % 5) - 2).push_back(meshes::mix(x, 1));
}
std::uint64_t sorted_bits(line::view m, lists::accessor<ro> a) {
  std::uint64_t h = 0;
  for(const auto i : m.owned(0))
    for(const std::uint64_t x : a(i))
      h += meshes::mix(x, static_cast<std::uint64_t>(i));
  return h;
}
} // namespace task

} // namespace

TEST_CASE("values wander from row to row") {
  std::vector<std::uint64_t> bits_of_order;
  for(const unsigned ranks : {1U, 2U, 3U}) {
    by_hand a(points);
    a.fill(0, 30);
    for(int pass = 0; pass != 20; ++pass) {
      by_hand b(points);
      for(std::size_t i = 0; i != a.rows.size(); ++i)
        for(const std::uint64_t x : a.rows[i])
          b.rows[(i + a.rows.size() + x % 5 - 2) % a.rows.size()].push_back(meshes::mix(x, 1));
      a = b;
    }
    std::uint64_t expected = 0;
    for(std::size_t i = 0; i != a.rows.size(); ++i)
      for(const std::uint64_t x : a.rows[i])
        expected += meshes::mix(x, i);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const line m{s, {.extents = {points}, .colors = {6}, .halo = 2, .periodic = {true}}};
      lists u{m, "u"};
      lists v{m, "v"};
      s.execute<task::fill>(m, u, std::uint64_t{0}, std::size_t{30});
      s.repeat(10, [&] {
        s.execute<task::wander>(m, u, v);
        s.execute<task::wander>(m, v, u);
      });
      expect(s.reduce<task::sorted_bits, fold::sum>(m, u).get() == expected);
      const std::uint64_t bits = s.reduce<task::bits, fold::sum>(m, u).get();
      if(s.rank() == 0)
        bits_of_order.push_back(bits);
    });
  }
  CHECK(bits_of_order[1] == bits_of_order[0]);
  CHECK(bits_of_order[2] == bits_of_order[0]);
}
