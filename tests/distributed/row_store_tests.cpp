// The rows of one color by themselves, next to a vector of vectors.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/block.hpp>
#include <rondo/distributed/box.hpp>
#include <rondo/distributed/ragged_row.hpp>
#include <rondo/distributed/row_store.hpp>
#include <rondo/distributed/selection.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;
using detail::block_layout;
using detail::row_store;
using detail::selection;

namespace {

using letter = unsigned char;
using number = std::uint32_t;
struct triple {
  std::uint64_t a, b, c;
  bool operator==(const triple&) const = default;
};
struct alignas(64) wide {
  std::uint64_t a;
  unsigned char rest[50];
  bool operator==(const wide& o) const { return a == o.a && rest[49] == o.rest[49]; }
};

template<class T>
T value_of(std::uint64_t hash) {
  if constexpr(std::is_same_v<T, triple>)
    return {hash, ~hash, hash * 3};
  else if constexpr(std::is_same_v<T, wide>) {
    wide w{hash, {}};
    w.rest[49] = static_cast<unsigned char>(hash >> 8U);
    return w;
  }
  else
    return static_cast<T>(hash);
}

/// How a color has its elements.
struct form {
  const char* name;
  block_layout layout;
  selection owned;
  std::vector<std::int64_t> places; ///< Of what it owns, in order.
  std::vector<std::int64_t> ghosts;
};

/// As unstructured meshes: those that are owned come first.
form numbered(std::int64_t owned, std::int64_t ghosts) {
  form f{"numbered", block_layout::in_a_row(owned + ghosts), selection::of_range(0, owned), {}, {}};
  for(std::int64_t i = 0; i != owned + ghosts; ++i)
    (i < owned ? f.places : f.ghosts).push_back(i);
  return f;
}

/// A brick of a mesh of two dimensions, somewhere in it.
form brick(const point<2>& from, const point<2>& to, std::int64_t halo) {
  const box<2> mine{from, to};
  const box<2> stored{{from[0] - halo, from[1] - halo}, {to[0] + halo, to[1] + halo}};
  form f{"brick", block_layout::around(stored), selection::of(mine), {}, {}};
  for(std::int64_t j = stored.lo[1]; j != stored.hi[1]; ++j)
    for(std::int64_t i = stored.lo[0]; i != stored.hi[0]; ++i)
      (mine.contains(point<2>{i, j}) ? f.places : f.ghosts)
        .push_back(f.layout.place(point<2>{i, j}));
  return f;
}

std::vector<form> forms() {
  std::vector<form> all;
  all.push_back(numbered(40, 9));
  all.push_back(numbered(1, 0));
  all.push_back(numbered(0, 5));
  all.push_back(numbered(0, 0));
  all.push_back(numbered(17, 0));
  all.push_back(brick({10, 20}, {16, 25}, 1));
  all.push_back(brick({0, 0}, {7, 1}, 2));
  all.push_back(brick({-3, -4}, {2, 3}, 0));
  all.push_back(brick({5, 5}, {6, 12}, 3));
  return all;
}

row_store make_store(const form& f, std::size_t size, std::size_t alignment) {
  return row_store({"rows", size, alignment}, f.layout, f.owned.boxes());
}

/// A store, and what ought to be in it.
template<class T>
class both {
public:
  explicit both(const form& f)
      : form_(f), rows_(make_store(f, sizeof(T), alignof(T))), expected_(f.places.size()) {}

  [[nodiscard]] row_store& rows() { return rows_; }
  void compare() {
    std::size_t all = 0;
    for(std::size_t i = 0; i != expected_.size(); ++i) {
      const std::int64_t p = form_.places[i];
      REQUIRE(rows_.size_of(p) == expected_[i].size());
      REQUIRE(rows_.ends()[p] - rows_.begins()[p] == expected_[i].size());
      all += expected_[i].size();
      if(expected_[i].empty())
        continue;
      REQUIRE(reinterpret_cast<std::uintptr_t>(rows_.row(p)) % alignof(T) == 0);
      const std::span<const T> row = ragged_row<T>(rows_, p);
      REQUIRE(std::ranges::equal(row, expected_[i]));
    }
    REQUIRE(rows_.total() == all);
    for(const std::int64_t g : form_.ghosts) {
      REQUIRE(rows_.ends()[g] == row_store::is_ghost);
      REQUIRE(ragged_row<T>(rows_, g).empty());
    }
  }
  /// Nothing between rows, in the order of elements.
  void compare_packed() {
    REQUIRE(!rows_.is_loose());
    std::uint32_t end = 0;
    for(const std::int64_t p : form_.places) {
      REQUIRE(rows_.begins()[p] == end);
      end = rows_.ends()[p];
    }
  }
  /// With rows so long.
  void fill(std::uint64_t seed, std::uint64_t most) {
    for(std::size_t i = 0; i != expected_.size(); ++i) {
      const ragged_row<T> row(rows_, form_.places[i]);
      row.clear();
      expected_[i].clear();
      for(std::uint64_t k = 0, n = meshes::mix(seed, i) % (most + 1); k != n; ++k) {
        const T x = value_of<T>(meshes::mix(seed + k, i));
        row.push_back(x);
        expected_[i].push_back(x);
      }
    }
  }
  void change(std::uint64_t seed, std::uint64_t step) {
    if(expected_.empty())
      return;
    const std::size_t i = meshes::mix(seed, 10 * step) % expected_.size();
    const std::uint64_t h = meshes::mix(seed, 10 * step + 1);
    const T x = value_of<T>(meshes::mix(seed, 10 * step + 2));
    const ragged_row<T> row(rows_, form_.places[i]);
    auto& e = expected_[i];
    const auto n = static_cast<std::ptrdiff_t>(e.size());
    const std::ptrdiff_t at = n == 0 ? 0 : static_cast<std::ptrdiff_t>(h / 64) % n;
    switch(meshes::mix(seed, 10 * step + 3) % 16) {
    case 0:
      row.clear();
      e.clear();
      break;
    case 1:
      row.resize(h % 50, x);
      e.resize(h % 50, x);
      break;
    case 2:
      row.resize(h % 5);
      e.resize(h % 5);
      break;
    case 3:
      row.assign(h % 20, x);
      e.assign(h % 20, x);
      break;
    case 4: {
      std::vector<T> other;
      for(std::uint64_t k = 0; k != h % 30; ++k)
        other.push_back(value_of<T>(meshes::mix(h, k)));
      row.assign(other);
      e = other;
      break;
    }
    case 5:
      row.assign({x, x});
      e.assign({x, x});
      break;
    case 6:
    case 7: {
      const T* const there = row.insert(row.begin() + at, x);
      REQUIRE(there == row.begin() + at);
      e.insert(e.begin() + at, x);
      break;
    }
    case 8:
      if(n != 0) { // with one of its own, which moves
        row.insert(row.begin() + at, row.back());
        e.insert(e.begin() + at, T(e.back()));
        row.push_back(row[static_cast<std::size_t>(at)]);
        e.push_back(T(e[static_cast<std::size_t>(at)]));
      }
      break;
    case 9:
      if(n != 0) {
        const T* const next = row.erase(row.begin() + at);
        REQUIRE(next == row.begin() + at);
        e.erase(e.begin() + at);
      }
      break;
    case 10: {
      row.erase(row.begin() + at, row.end());
      e.erase(e.begin() + at, e.end());
      break;
    }
    case 11: {
      const auto is_erased = [](const T& y) {
        return reinterpret_cast<const unsigned char&>(y) % 3 == 0;
      };
      REQUIRE(row.erase_if(is_erased) == std::erase_if(e, is_erased));
      break;
    }
    case 12:
      if(n != 0) {
        row.pop_back();
        e.pop_back();
      }
      break;
    case 13:
      rows_.reserve(h % 100);
      break;
    default:
      for(std::uint64_t k = 0; k != h % 6; ++k) {
        row.push_back(x);
        e.push_back(x);
      }
    }
    REQUIRE(row.size() == e.size());
    REQUIRE(row.empty() == e.empty());
    if(!e.empty()) {
      REQUIRE(row.front() == e.front());
      REQUIRE(row.back() == e.back());
    }
  }

private:
  const form form_;
  row_store rows_;
  std::vector<std::vector<T>> expected_;
};

template<class T>
void change_at_random(std::uint64_t seeds) {
  for(const form& f : forms())
    for(std::uint64_t seed = 0; seed != seeds; ++seed) {
      INFO(f.name << " of " << f.places.size() << " elements, seed " << seed);
      both<T> b(f);
      b.compare();
      // Sometimes the end of a task comes soon, sometimes late.
      const std::uint64_t changes_of_a_task = 1 + meshes::mix(seed, 1) % 300;
      for(std::uint64_t step = 0; step != 3000; ++step) {
        b.change(seed, step);
        if(meshes::mix(seed, 10 * step + 4) % changes_of_a_task == 0) {
          b.rows().end_changes();
          b.compare();
        }
      }
      b.compare();
      b.rows().end_changes();
      b.compare();
    }
}

/// `rows[place]` can't be changed; it says why.
template<class T>
void refuse(row_store& rows, std::int64_t place) {
  const std::string expected =
    "rondo: the ragged field 'rows': the row of element " + std::to_string(place) +
    " can't be changed: the color doesn't own that element; m.owned() has those that it owns";
  const ragged_row<T> row(rows, place);
  CHECK(thrown_by([&] { rows.resize(place, 3); }) == expected);
  CHECK(thrown_by([&] { rows.resize(place, 0); }) == expected);
}

} // namespace

TEST_CASE("rows of a color change like a vector of vectors") {
  const std::uint64_t seeds = std::max<std::uint64_t>(meshes::seeds_of(60) / 2, 2);
  change_at_random<letter>(seeds);
  change_at_random<number>(seeds);
  change_at_random<triple>(seeds);
  change_at_random<wide>(seeds);
}

TEST_CASE("rows that are filled in order are packed, and so are those that change much") {
  for(const form& f : forms())
    for(const std::uint64_t most : {0U, 1U, 5U, 200U}) {
      INFO(f.name << " of " << f.places.size() << " elements, rows of " << most << " at most");
      both<number> b(f);
      for(std::uint64_t seed = 0; seed != 5; ++seed) {
        b.fill(seed, most);
        const std::byte* const there = b.rows().values();
        b.rows().end_changes();
        b.compare();
        if(seed == 0) // nothing was moved
          REQUIRE(b.rows().values() == there);
        if(seed == 0 || most >= 5) // as much as a pass over all of them
          b.compare_packed();
      }
      for(std::uint64_t step = 0; step != 1000; ++step)
        b.change(most, step);
      b.rows().end_changes();
      b.compare();
      b.compare_packed();
    }
}

TEST_CASE("packed rows of numbered elements take four bytes each") {
  both<triple> b(numbered(40, 9));
  CHECK(b.rows().begins() + 1 == b.rows().ends());
  b.fill(1, 7);
  CHECK(b.rows().begins() + 1 != b.rows().ends());
  b.rows().end_changes();
  CHECK(b.rows().begins() + 1 == b.rows().ends());
  b.compare_packed();
  // A single change is not worth it.
  b.fill(2, 7);
  b.rows().end_changes();
  CHECK(b.rows().begins() + 1 == b.rows().ends());
  ragged_row<triple>(b.rows(), 3).push_back({1, 2, 3});
  b.rows().end_changes();
  CHECK(b.rows().is_loose());
  b.fill(3, 7);
  b.rows().end_changes();
  CHECK(b.rows().begins() + 1 == b.rows().ends());
  b.compare();
  b.compare_packed();
}

TEST_CASE("a row at the end grows where it is as long as there is room") {
  both<number> b(numbered(3, 0));
  const ragged_row<number> last(b.rows(), 2);
  b.rows().reserve(1000);
  const number* const there = (last.push_back(1), last.data());
  for(number k = 2; k != 1000; ++k)
    last.push_back(k);
  CHECK(last.data() == there);
  CHECK(last.size() == 999);
}

TEST_CASE("a row that a color doesn't own is not changed") {
  for(const form& f : forms()) {
    row_store rows = make_store(f, sizeof(number), alignof(number));
    for(const bool is_loose : {false, true}) {
      if(is_loose && !f.places.empty())
        rows.resize(f.places[0], 2);
      for(const std::int64_t g : f.ghosts)
        refuse<number>(rows, g);
      const std::int64_t first = -f.layout.origin;
      for(const std::int64_t beyond : {first - 1, first - 1000, first + f.layout.elements,
            first + f.layout.elements + 1, first + f.layout.elements + 100000})
        refuse<number>(rows, beyond);
      CHECK(rows.total() == (is_loose && !f.places.empty() ? 2 : 0));
    }
  }
}

TEST_CASE("rows of a color have no more values than are counted in 32 bits") {
  row_store rows = make_store(numbered(2, 0), 1, 1);
  rows.resize(0, 1);
  const std::string said = "rondo: the ragged field 'rows': the rows of one color have more than "
                           "2^32 - 2 values in all; use more colors";
  CHECK(thrown_by([&] { rows.resize(0, std::size_t{1} << 32U); }) == said);
  CHECK(thrown_by([&] { rows.resize(1, (std::size_t{1} << 32U) - 2); }) == said);
  CHECK(thrown_by([&] { rows.reserve(std::size_t{1} << 32U); }) == said);
  CHECK(rows.size_of(0) == 1);
  CHECK(rows.size_of(1) == 0);
}
