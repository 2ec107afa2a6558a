// Files of ragged fields and of particles: what some ranks write, any others read.

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "folder_of_test.hpp"
#include "meshes.hpp"
#include "ragged_points.hpp"
#include "ranks.hpp"
#include "ten_passes.hpp"

using namespace rondo;

namespace {

struct hit {
  double energy;
  std::int32_t x;
  std::int32_t kind;
};
using hits = field<ragged<hit>>;
using numbers = field<ragged<std::int64_t>>;
using values = field<double>;
using ragged_rows::at;
using ragged_rows::each;

template<std::size_t D>
std::uint64_t number_of(const point<D>& p) {
  std::uint64_t n = 0;
  for(const std::int64_t x : p)
    n = 1000 * n + static_cast<std::uint64_t>(x);
  return n;
}
/// Rows of many lengths, one of them long; `shift`: other ones.
template<std::size_t D>
std::vector<std::int64_t> row_at(const point<D>& p, std::uint64_t shift) {
  const std::uint64_t h = meshes::mix(number_of(p), shift);
  std::vector<std::int64_t> row(h % 97 == 0 ? 3000 : h % 5);
  for(std::size_t k = 0; k != row.size(); ++k)
    row[k] = static_cast<std::int64_t>(meshes::mix(h, k));
  return row;
}
template<std::size_t D>
std::vector<hit> hits_at(const point<D>& p, std::uint64_t shift) {
  std::vector<hit> row;
  for(const std::int64_t x : row_at(p, shift + 77))
    row.push_back(
      {static_cast<double>(x) / 3, static_cast<std::int32_t>(x), static_cast<std::int32_t>(x / 7)});
  return row;
}

template<std::size_t D>
void fill(typename structured<D>::view m, numbers::accessor<wo> n, hits::accessor<wo> h,
  values::accessor<wo> u, std::uint64_t shift) {
  each(m.owned(), [&](const point<D>& p) {
    at(n, p).assign(row_at(p, shift));
    at(h, p).assign(hits_at(p, shift));
    at(u, p) = static_cast<double>(number_of(p) + shift);
  });
}
template<std::size_t D>
std::int64_t wrong(typename structured<D>::view m, numbers::accessor<ro, ro> n,
  hits::accessor<ro> h, values::accessor<ro> u, std::uint64_t shift) {
  std::int64_t wrong = 0;
  const auto look = [&](const point<D>& p) {
    const auto row = at(n, p);
    const std::vector<std::int64_t> expected = row_at(p, shift);
    wrong += std::vector<std::int64_t>(row.begin(), row.end()) == expected ? 0 : 1;
  };
  each(m.owned(), [&](const point<D>& p) {
    look(p);
    const auto there = at(h, p);
    const std::vector<hit> expected = hits_at(p, shift);
    bool is_right = there.size() == expected.size() && at(u, p) == double(number_of(p) + shift);
    for(std::size_t k = 0; is_right && k != expected.size(); ++k)
      is_right = there[k].energy == expected[k].energy && there[k].x == expected[k].x &&
                 there[k].kind == expected[k].kind;
    wrong += is_right ? 0 : 1;
  });
  // Ghosts are those of what was read.
  each(m.owned(), [&](const point<D>& p) {
    point<D> next = p;
    if(++next[0] < m.mesh().hi[0])
      look(next);
  });
  return wrong;
}

template<std::size_t D>
struct program {
  structured_options<D> shape;
  std::string path;

  struct fields {
    structured<D> m;
    numbers n{m, "n"};
    hits h{m, "h"};
    values u{m, "u"};
    explicit fields(scheduler& s, const structured_options<D>& o) : m(s, o) {}
  };
  void write(unsigned ranks) const {
    on_ranks(make_local_transports(ranks), 2, [this](scheduler& s) {
      fields f(s, shape);
      s.execute<fill<D>>(f.m, f.n, f.h, f.u, std::uint64_t{1});
      const auto bytes = s.write(path, f.m, f.n, f.u, f.h).bytes;
      s.execute<fill<D>>(f.m, f.n, f.h, f.u, std::uint64_t{2}); // the copies have what was
      std::uint64_t all = 0;
      each(f.m.coloring().mesh(), [&all](const point<D>& p) {
        all += 8 + 2 * 12 + row_at(p, 1).size() * 8 + hits_at(p, 1).size() * sizeof(hit);
      });
      expect(bytes.get() == all);
    });
  }
  void read(unsigned ranks, const point<D>& colors) const {
    on_ranks(make_local_transports(ranks), 2, [this, &colors](scheduler& s) {
      structured_options<D> other = shape;
      other.colors = colors;
      fields f(s, other);
      s.execute<fill<D>>(f.m, f.n, f.h, f.u, std::uint64_t{3});
      s.read(path, f.m, f.h, f.n, f.u);
      expect(s.reduce<wrong<D>, fold::sum>(f.m, f.n, f.h, f.u, std::uint64_t{1}).get() == 0);
      // They go on as other rows do.
      s.execute<fill<D>>(f.m, f.n, f.h, f.u, std::uint64_t{4});
      expect(s.reduce<wrong<D>, fold::sum>(f.m, f.n, f.h, f.u, std::uint64_t{4}).get() == 0);
    });
  }
};

} // namespace

TEST_CASE("rows of one dimension are read on any number of ranks, with any colors") {
  const folder_of_test here;
  const program<1> p{{.extents = {101}, .colors = {7}}, here / name_of("line")};
  p.write(GENERATE(1U, 3U));
  p.read(1, {1});
  p.read(4, {9});
  p.read(2, {7});
}

TEST_CASE("rows of two dimensions are read on any number of ranks, with any colors") {
  const folder_of_test here;
  const program<2> p{{.extents = {37, 23}, .colors = {3, 4}}, here / name_of("plane")};
  p.write(GENERATE(1U, 2U, 5U));
  CHECK(here.files() == 1);
  p.read(1, {1, 1});
  p.read(3, {1, 5});
  p.read(4, {6, 2});
}

TEST_CASE("rows of three dimensions are read on any number of ranks, with any colors") {
  const folder_of_test here;
  const program<3> p{{.extents = {13, 11, 9}, .colors = {2, 2, 2}}, here / name_of("room")};
  p.write(GENERATE(1U, 3U));
  p.read(2, {1, 3, 2});
  p.read(4, {1, 1, 4});
}

namespace {
using line = structured<1>;
using grid = structured<2>;

void grow(line::view m, numbers::accessor<rw> n) {
  for(const auto i : m.owned(0))
    if(i % 3 != 0)
      n(i).push_back(i + 100 * static_cast<std::int64_t>(n(i).size()));
}
std::int64_t wrong_after(line::view m, numbers::accessor<ro> n, std::int64_t passes) {
  std::int64_t wrong = 0;
  for(const auto i : m.owned(0)) {
    wrong += std::int64_t(n(i).size()) == (i % 3 != 0 ? passes : 0) ? 0 : 1;
    for(std::size_t k = 0; k != n(i).size(); ++k)
      wrong += n(i)[k] == i + 100 * static_cast<std::int64_t>(k) ? 0 : 1;
  }
  return wrong;
}
std::int64_t wrong_in(scheduler& s, const std::string& path, std::int64_t passes) {
  const line m{s, {.extents = {40}, .colors = {5}}};
  numbers n{m, "n"};
  s.read(path, m, n);
  return s.reduce<wrong_after, fold::sum>(m, n, passes).get();
}
} // namespace

TEST_CASE("a file has no values of rows where none has any") {
  const folder_of_test here;
  const std::string path = here / name_of("none");
  on_ranks(make_local_transports(GENERATE(1U, 2U)), 2, [&](scheduler& s) {
    const line m{s, {.extents = {40}, .colors = {8}}};
    const numbers n{m, "n"};
    expect(s.write(path, m, n).bytes.get() == 40 * 12);
    expect(wrong_in(s, path, 0) == 0);
  });
}

TEST_CASE("rows that grow in loops are written as they were in each pass") {
  const folder_of_test here;
  const std::string kind = kind_of_loop();
  CAPTURE(kind);
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const line m{s, {.extents = {40}, .colors = {8}}};
    const numbers n{m, "n"};
    file_series all(s, here / "rows.vti", {.every = 3});
    std::int64_t passes = 0;
    const auto pass = [&] {
      s.execute<grow>(m, n);
      all.write(m, n);
    };
    make_ten_passes(s, kind, pass, [&] {
      return s.reduce<wrong_after, fold::sum>(m, n, std::int64_t{10}).then([](std::int64_t w) {
        return w == 0;
      });
    });
    s.wait();
    for(const char* number : {"0000", "0001", "0002", "0003"}) {
      expect(wrong_in(s, here / (std::string("rows.") + number + ".vti"), passes + 1) == 0);
      passes += 3;
    }
  });
  CHECK(here.files() == 4);
}

namespace {
void fill_all(grid::view m, numbers::accessor<wo> n, std::uint64_t shift) {
  each(m.all(), [&](const point<2>& p) { at(n, p).assign(row_at(p, shift)); });
}
std::int64_t wrong_of_all(
  grid::view m, numbers::accessor<ro> n, std::uint64_t inside, std::uint64_t beyond) {
  std::int64_t wrong = 0;
  each(m.all(), [&](const point<2>& p) {
    const auto row = at(n, p);
    const auto expected = row_at(p, m.owned().contains(p) ? inside : beyond);
    wrong += std::vector<std::int64_t>(row.begin(), row.end()) == expected ? 0 : 1;
  });
  return wrong;
}
} // namespace

TEST_CASE("rows beyond the ends of a mesh are in no file, and stay when one is read") {
  const folder_of_test here;
  const std::string path = here / name_of("beyond");
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const grid m{s, {.extents = {8, 6}, .colors = {2, 3}, .periodic = {true, false}, .beyond = 2}};
    numbers n{m, "n"};
    s.execute<fill_all>(m, n, std::uint64_t{1});
    s.write(path, m, n);
    s.execute<fill_all>(m, n, std::uint64_t{2});
    s.read(path, m, n);
    expect(s.reduce<wrong_of_all, fold::sum>(m, n, std::uint64_t{1}, std::uint64_t{2}).get() == 0);
  });
}

namespace {
struct walker {
  std::uint64_t name;
  std::int64_t x;
  std::int64_t y;
};
using walkers = particles<walker>;
using sums = field<std::uint64_t>;
constexpr std::int64_t width = 24;

void create(grid::view m, walkers::accessor<wo> p) {
  each(m.owned(), [&](const point<2>& cell) {
    for(std::uint64_t k = 0; k != meshes::mix(number_of(cell), 5) % 4; ++k)
      p.push_back({number_of(cell) * 8 + k, cell[0], cell[1]});
  });
}
void walk(grid::view /*m*/, walkers::accessor<rw> p) {
  for(walker* w = p.begin(); w != p.end();) {
    w->name = meshes::mix(w->name, 3);
    const std::int64_t x = w->x + static_cast<std::int64_t>(w->name % 3) - 1;
    w->x = (x + width) % width;
    w = p.move_to(w, x, w->y);
  }
}
/// With the order in which a color has them.
std::uint64_t bits(grid::view m, walkers::accessor<ro> p) {
  std::uint64_t h = 0;
  for(std::size_t k = 0; k != p.size(); ++k) {
    expect(m.owned().contains(point<2>{p[k].x, p[k].y}));
    h += meshes::mix(p[k].name, k * 1000 + m.color());
  }
  return h;
}
structured_options<2> of_walkers(const point<2>& colors) {
  return {.extents = {width, 18}, .colors = colors, .periodic = {true, true}};
}
std::uint64_t bits_after(scheduler& s, const grid& m, const walkers& p, int steps) {
  s.repeat(static_cast<std::uint64_t>(steps), [&] { s.execute<walk>(m, p); });
  return s.reduce<bits, fold::sum>(m, p).get();
}
} // namespace

TEST_CASE("particles go on from a file, on any number of ranks, with the same bits") {
  const folder_of_test here;
  const std::string path = here / name_of("walkers");
  std::uint64_t expected = 0;
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    const grid m{s, of_walkers({4, 3})};
    const walkers p{m, "p"};
    s.execute<create>(m, p);
    expected = bits_after(s, m, p, 20);
  });
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const grid m{s, of_walkers({4, 3})};
    const walkers p{m, "p"};
    const sums of_colors{topo::index(m), "sums"};
    s.execute<create>(m, p);
    s.repeat(12, [&] { s.execute<walk>(m, p); });
    s.write(path, m, p);
    expect(bits_after(s, m, p, 8) == expected);
  });
  on_ranks(make_local_transports(GENERATE(1U, 2U, 4U)), 2, [&](scheduler& s) {
    const grid m{s, of_walkers({4, 3})};
    walkers p{m, "p"};
    s.execute<create>(m, p); // they are replaced
    s.execute<walk>(m, p);
    s.read(path, m, p);
    expect(bits_after(s, m, p, 8) == expected);
  });
}

TEST_CASE("particles are read only where colors have the cells that they had") {
  const folder_of_test here;
  const std::string path = here / "walkers.vti";
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    const grid m{s, of_walkers({4, 3})};
    const walkers p{m, "p"};
    s.execute<create>(m, p);
    s.write(path, m, p);
  });
  const auto message_of = [&](const point<2>& colors) {
    std::string said;
    on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
      const grid m{s, of_walkers(colors)};
      walkers p{m, "p"};
      const future<double> time = s.read(path, m, p).time;
      said = thrown_by([&] { s.wait(); });
    });
    return said;
  };
  CHECK_THAT(message_of({3, 4}), Catch::Contains("the particles 'p' are of a mesh whose color 0 "
                                                 "has other cells"));
  CHECK_THAT(message_of({2, 2}),
    Catch::Contains("'p.lengths' has 12 values, one for each color of the mesh that was written, "
                    "and this one has 4 colors"));
}

namespace {
/// Reads `n` on one rank.
std::string message_of_reading(const std::string& path) {
  std::string said;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const line m{s, {.extents = {40}, .colors = {4}}};
    numbers n{m, "n"};
    s.read(path, m, n);
    said = thrown_by([&] { s.wait(); });
  });
  return said;
}
} // namespace

namespace {
using marks = field<std::uint64_t>;
void mark(line::view m, marks::accessor<wo> of_color, std::uint64_t shift) {
  of_color() = meshes::mix(m.color(), shift);
}
std::int64_t wrong_marks(line::view m, marks::accessor<ro> of_color) {
  return of_color() == meshes::mix(m.color(), 1) ? 0 : 1;
}
} // namespace

// With a sanitizer: each color has room for one value.
TEST_CASE("a color reads its value, and not those of all colors") {
  const folder_of_test here;
  const std::string path = here / name_of("marks");
  on_ranks(make_local_transports(GENERATE(1U, 2U)), 1, [&](scheduler& s) {
    const line m{s, {.extents = {40}, .colors = {40}}};
    marks of_colors{topo::index(m), "marks"};
    s.execute<mark>(m, of_colors, std::uint64_t{1});
    s.write(path, m, of_colors);
    s.execute<mark>(m, of_colors, std::uint64_t{2});
    s.read(path, m, of_colors);
    expect(s.reduce<wrong_marks, fold::sum>(m, of_colors).get() == 0);
  });
}

TEST_CASE("files that have no such rows, or damaged ones, are refused") {
  const folder_of_test here;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const line m{s, {.extents = {40}, .colors = {4}}};
    const field<std::int64_t> plain{m, "n"};
    const field<ragged<double>> other{m, "n"};
    const numbers n{m, "n"};
    s.execute<grow>(m, n);
    s.write(here / "plain.vti", m, plain);
    s.write(here / "other.vti", m, other);
    s.write(here / "n.vti", m, n);
  });
  CHECK_THAT(message_of_reading(here / "plain.vti"),
    Catch::Contains("no field 'n.lengths', as ragged fields and particles have, but 'n'"));
  CHECK_THAT(message_of_reading(here / "other.vti"),
    Catch::Contains("'n.values' has values of Float64, and the program's has Int64"));
  CHECK(message_of_reading(here / "n.vti").empty());

  // A row that begins behind all values.
  std::string text = text_of(here / "n.vti");
  const std::int64_t last = 26; // of so many values
  const std::string there(reinterpret_cast<const char*>(&last), sizeof last);
  const std::size_t begin = text.find(there);
  REQUIRE(begin != std::string::npos);
  text[begin + 1] = 1;
  std::ofstream(here / "n.vti", std::ios::binary | std::ios::trunc) << text;
  CHECK_THAT(message_of_reading(here / "n.vti"),
    Catch::Contains("it is damaged: a row is not within 'n.values', which has 26 values"));
}

TEST_CASE("what files don't have of rows is said when they are asked for") {
  const folder_of_test here;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const grid m{s, {.extents = {8, 8}}};
    const grid other{s, {.extents = {8, 8}}};
    const numbers n{m, "n"};
    const walkers p{other, "p"};
    CHECK_THAT(thrown_by([&] { s.write(here / "n.png", m, n); }),
      Catch::Contains("a picture is of one field of numbers"));
    CHECK_THAT(thrown_by([&] { s.write(here / "p.vti", m, p); }),
      Catch::Contains("belongs to another topology than the mesh"));
  });
}
