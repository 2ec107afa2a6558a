// Fields with a row of any length for each element.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <numeric>
#include <ranges>
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

/// All that changes a row, next to the same of a std::vector. A row is given values of its own, too, which move meanwhile.
struct row_beside_vector {
  ragged_row<std::uint64_t> row;
  std::vector<std::uint64_t> same{};
  std::size_t wrong = 0;

  void compare() { wrong += !std::equal(row.begin(), row.end(), same.begin(), same.end()); }
  void compare(const std::uint64_t* place, std::vector<std::uint64_t>::iterator expected) {
    compare();
    wrong += place - row.begin() != expected - same.begin();
  }
  /// A size below that of the row.
  void change(std::size_t at, std::uint64_t x) {
    const auto there = static_cast<std::ptrdiff_t>(at);
    compare(row.insert(row.begin() + there, x), same.insert(same.begin() + there, x));
    compare(row.insert(row.end(), row.front()), same.insert(same.end(), same.front()));
    compare(row.insert(row.begin(), row.back()), same.insert(same.begin(), same.back()));
    compare(row.erase(row.begin() + there), same.erase(same.begin() + there));
    compare(row.erase(row.begin() + there, row.begin() + there + 1),
      same.erase(same.begin() + there, same.begin() + there + 1));
    compare(row.erase(row.end(), row.end()), same.erase(same.end(), same.end()));
    row.resize(row.size() + at, row[at]);
    same.resize(same.size() + at, same[at]);
    compare();
    row.push_back(row.front());
    same.push_back(same.front());
    compare();
    const auto is_erased = [x](std::uint64_t value) { return (value ^ x) % 4 == 1; };
    wrong += row.erase_if(is_erased) != std::erase_if(same, is_erased);
    compare();
    row.resize(7);
    same.resize(7);
    compare();
  }
};

namespace task {
std::uint64_t compare_with_vector(line::view m, lists::accessor<rw> a) {
  std::uint64_t wrong = 0;
  for(const auto i : m.owned(0)) {
    row_beside_vector both{a(i)};
    for(std::size_t n = 1; n != 20; ++n) {
      const std::uint64_t x = meshes::mix(static_cast<std::uint64_t>(i), n);
      both.row.assign(n, x);
      both.same.assign(n, x);
      both.compare();
      both.change(n - 1, x);
      both.row.assign(n + 1, both.row.front());
      both.same.assign(n + 1, std::uint64_t{both.same.front()});
      both.compare();
      both.row.assign({x, n, x});
      both.same.assign({x, n, x});
      both.compare();
      const std::forward_list<std::uint64_t> list{n, x, n, 3};
      both.row.assign(list);
      both.same.assign(list.begin(), list.end());
      both.change(n % 4, x);
      const std::array<std::uint8_t, 3> bytes{1, 2, static_cast<std::uint8_t>(n)};
      both.row.assign(bytes | std::views::drop(1));
      both.same.assign(bytes.begin() + 1, bytes.end());
      both.compare();
    }
    both.row.clear();
    wrong += both.wrong + both.row.size();
  }
  return wrong;
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

TEST_CASE("a row is changed as a std::vector is") {
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {6}, .periodic = {true}}};
    lists u{m, "u"};
    s.execute<task::fill>(m, u, std::uint64_t{0}, std::size_t{9});
    expect(s.reduce<task::compare_with_vector, fold::sum>(m, u).get() == 0);
  });
}

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
