// Clouds: particles and values of rows as points of a file.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "folder_of_test.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

struct atom {
  std::array<double, 2> at;
  std::int32_t kind;
  float charge;
};
std::array<float, 3> velocity(const atom& a) {
  return {static_cast<float>(a.at[0]), 2 * static_cast<float>(a.at[1]), a.charge};
}
using grid = structured<2>;
using atoms = particles<atom>;
using lists = field<ragged<atom>>;

/// As many in a cell as its coordinates say.
template<class F>
void each_atom(const box<2>& cells, std::int32_t shift, const F& f) {
  cells.for_each_row([&](point<2> p, std::int64_t length) {
    for(std::int64_t i = 0; i != length; ++i, ++p[0])
      for(std::int64_t k = 0; k != (p[0] + 3 * p[1]) % 4; ++k)
        f(p, atom{{static_cast<double>(p[0]) + 0.25 * static_cast<double>(k),
                    static_cast<double>(p[1])},
               static_cast<std::int32_t>(100 * p[0] + 10 * p[1] + k) + shift, 0.5F});
  });
}
void create(grid::view m, atoms::accessor<wo> a, std::int32_t shift) {
  a.clear();
  each_atom(m.owned(), shift, [&](const point<2>&, const atom& x) { a.push_back(x); });
}
void fill(grid::view m, lists::accessor<wo> a, std::int32_t shift) {
  m.owned().for_each_row([&](const point<2>& p, std::int64_t length) {
    for(std::int64_t i = 0; i != length; ++i)
      a(p[0] + i, p[1]).clear();
  });
  each_atom(
    m.owned(), shift, [&](const point<2>& p, const atom& x) { a(p[0], p[1]).push_back(x); });
}

/// An array of a file, by the number behind `what` in its header.
std::uint64_t number_behind(const std::string& text, const std::string& what, std::size_t from) {
  const std::size_t at = text.find(what + "=\"", from);
  REQUIRE(at != std::string::npos);
  return std::strtoull(text.c_str() + at + what.size() + 2, nullptr, 10);
}
template<class T>
std::vector<T> array_in(const std::string& text, const std::string& name) {
  const std::size_t values = text.find('_', text.find("<AppendedData")) + 1;
  const std::size_t at = text.find("Name=\"" + name + "\"");
  REQUIRE(at != std::string::npos);
  std::size_t offset = values + number_behind(text, "offset", at);
  std::uint64_t bytes = 0;
  REQUIRE(offset + sizeof bytes <= text.size());
  std::memcpy(&bytes, text.data() + offset, sizeof bytes);
  offset += sizeof bytes;
  REQUIRE(offset + bytes <= text.size());
  std::vector<T> all(bytes / sizeof(T));
  if(bytes != 0)
    std::memcpy(all.data(), text.data() + offset, bytes);
  return all;
}

constexpr point<2> extents{7, 6};

/// Of all atoms, in any order.
void check_cloud(const std::string& path, std::int32_t shift) {
  const std::string text = text_of(path);
  const auto positions = array_in<std::array<double, 3>>(text, "positions");
  const auto kinds = array_in<std::int32_t>(text, "kind");
  const auto velocities = array_in<std::array<float, 3>>(text, "velocity");
  std::vector<std::int32_t> expected;
  each_atom(box<2>{{0, 0}, extents}, shift,
    [&](const point<2>&, const atom& a) { expected.push_back(a.kind); });
  REQUIRE(number_behind(text, "NumberOfPoints", 0) == expected.size());
  REQUIRE(positions.size() == expected.size());
  REQUIRE(kinds.size() == expected.size());
  REQUIRE(velocities.size() == expected.size());
  const auto numbers = array_in<std::int64_t>(text, "connectivity");
  const auto ends = array_in<std::int64_t>(text, "offsets");
  for(std::size_t k = 0; k != kinds.size(); ++k) {
    const std::int32_t kind = kinds[k] - shift;
    const atom a{{kind / 100 + 0.25 * (kind % 10), double(kind / 10 % 10)}, kind, 0.5F};
    CHECK(positions[k] == std::array<double, 3>{a.at[0], a.at[1], 0});
    CHECK(velocities[k] == velocity(a));
    CHECK(numbers.at(k) == static_cast<std::int64_t>(k));
    CHECK(ends.at(k) == static_cast<std::int64_t>(k) + 1);
  }
  std::vector<std::int32_t> there = kinds;
  std::ranges::sort(there);
  std::ranges::sort(expected);
  CHECK(there == expected);
}

} // namespace

TEST_CASE("a cloud has all particles with their positions and numbers, whatever the ranks") {
  const folder_of_test here;
  on_ranks(make_local_transports(GENERATE(1U, 2U, 3U)), 2, [&](scheduler& s) {
    const grid m{s, {.extents = extents, .colors = {2, 3}}};
    const atoms a{m, "a"};
    s.execute<create>(m, a, 0);
    const auto bytes = s.write_cloud<&atom::at, &atom::kind, velocity>(here / "a.vtp", m, a).bytes;
    s.execute<create>(m, a, 7); // the copies have what was
    expect(
      bytes.get() ==
      s.reduce<[](grid::view, atoms::accessor<ro> p) { return p.size(); }, fold::sum>(m, a).get() *
        (24 + 4 + 12 + 16));
  });
  check_cloud(here / "a.vtp", 0);
  CHECK(here.files() == 1);
}

TEST_CASE("a cloud has the values of rows") {
  const folder_of_test here;
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const grid m{s, {.extents = extents, .colors = {2, 3}}};
    const lists a{m, "a"};
    s.write_cloud<&atom::at>(here / "none.vtp", m, a);
    s.execute<fill>(m, a, 3);
    s.write_cloud<&atom::at, &atom::kind, velocity>(here / "a.vtp", m, a);
  });
  check_cloud(here / "a.vtp", 3);
  CHECK(array_in<std::array<double, 3>>(text_of(here / "none.vtp"), "positions").empty());
}

namespace {
void next_kind(grid::view, atoms::accessor<rw> a) {
  for(atom& x : a)
    ++x.kind;
}
} // namespace

TEST_CASE("clouds of a series are written in the passes of a loop, and listed") {
  const folder_of_test here;
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    const grid m{s, {.extents = extents, .colors = {2, 3}}};
    const atoms a{m, "a"};
    file_series frames{s, here / "a.pvd", {.every = 2, .list_of = ".vtp"}};
    s.execute<create>(m, a, 0);
    s.repeat(5, [&] {
      frames.write_cloud<&atom::at, &atom::kind, velocity>(1.5, m, a);
      s.execute<next_kind>(m, a);
    });
  });
  check_cloud(here / "a.0000.vtp", 0);
  check_cloud(here / "a.0001.vtp", 2);
  check_cloud(here / "a.0002.vtp", 4);
  CHECK(here.files() == 4);
  CHECK_THAT(text_of(here / "a.pvd"), Catch::Contains("a.0002.vtp"));
}

TEST_CASE("what a file of a cloud is called is said, and that it is not read again") {
  const folder_of_test here;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const grid m{s, {.extents = extents}};
    atoms a{m, "a"};
    CHECK_THAT(thrown_by([&] { s.write_cloud<&atom::at>(here / "a.vti", m, a); }),
      Catch::Contains("the file of a cloud is called .vtp"));
    CHECK_THAT(thrown_by([&] { s.write(here / "a.vtp", m, a); }),
      Catch::Contains(".vtp is for clouds, s.write_cloud"));
    CHECK_THAT(thrown_by([&] { s.read(here / "a.vtp", m, a); }),
      Catch::Contains(".vtp is for clouds, s.write_cloud"));
  });
}
