// Sparse matrices cut into colors, on ranks of this process, against what they are in one piece.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/sparse.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/ranks.hpp"

#include "matrices.hpp"

using namespace rondo;

namespace {

using vector = field<double>;

double first_value(std::int64_t row) { return 1. / static_cast<double>(3 + row % 17); }

namespace task {
void fill(sparse::view m, vector::accessor<wo> x) {
  for(const auto r : m.owned())
    x(r) = first_value(m.id(r));
}
void multiply(sparse::view m, vector::accessor<wo> y, vector::accessor<ro, ro> x) {
  for(const auto r : m.owned()) {
    double sum = 0;
    const auto columns = m.columns_of(r);
    const auto values = m.values_of(r);
    for(std::size_t k = 0; k != columns.size(); ++k)
      sum += values[k] * x(columns[k]);
    y(r) = sum;
  }
}
std::uint64_t bits(sparse::view m, vector::accessor<ro> x) {
  std::uint64_t all = 0;
  for(const auto r : m.owned())
    all += matrices::mark_of(m.id(r), x(r));
  return all;
}
/// How often something is not as in the whole matrix.
std::int64_t mistakes(sparse::view m, const sparse_piece* whole) {
  std::int64_t found = 0;
  std::set<std::int64_t> own, seen;
  std::int64_t last = -1;
  std::int64_t entries = 0;
  for(const auto r : m.owned()) {
    const std::int64_t id = m.id(r);
    found += id <= last;
    last = id;
    own.insert(id);
    const auto columns = whole->columns_of(static_cast<std::size_t>(id));
    const auto its = m.columns_of(r);
    found += its.size() != columns.size();
    entries += std::ssize(columns);
    std::size_t k = 0;
    for(const auto c : its)
      found += m.id(c) != columns[k++];
    seen.insert(columns.begin(), columns.end());
    found += m.find(id) != r;
  }
  for(const std::int64_t id : own)
    seen.erase(id);
  found += m.ghosts().size() != std::ssize(seen);
  for(const auto g : m.ghosts()) {
    found += !seen.contains(m.id(g));
    found += m.find(m.id(g)) != g;
  }
  for(std::int64_t id = -1; id <= std::ssize(whole->begins); ++id)
    found += m.find(id).has_value() != (own.contains(id) || seen.contains(id));
  found += m.entries() != entries;
  found += m.all().size() != m.owned().size() + m.ghosts().size();
  return found;
}
/// Sums of three rows each, which the coarse row that has a third of their numbers gets. Returns how many of these the color didn't see.
std::int64_t restrict_threes(sparse::view coarse, sparse::view fine, vector::accessor<wo> to,
  vector::accessor<ro, ro> from, std::int64_t fine_rows) {
  std::int64_t unseen = 0;
  for(const auto r : coarse.owned()) {
    to(r) = 0;
    for(std::int64_t k = 3 * coarse.id(r); k != std::min(3 * coarse.id(r) + 3, fine_rows); ++k)
      if(const auto at = fine.find(k))
        to(r) += from(*at);
      else
        ++unseen;
  }
  return unseen;
}
double first_entry(sparse::view m) {
  double sum = 0;
  for(const auto r : m.owned())
    sum += m.values_of(r).empty() ? 0 : m.values_of(r)[0];
  return sum;
}
} // namespace task

/// The marks of three products one after the other.
std::uint64_t multiplied(
  scheduler& s, const sparse_piece& whole, std::uint64_t seed, const sparse_options& options) {
  const sparse m{s, matrices::in_parts(whole, seed), options};
  expect(m.count() == std::ssize(whole.begins) - 1);
  expect(m.entries() == std::ssize(whole.columns));
  expect(m.has_values());
  expect(s.reduce<task::mistakes, fold::sum>(m, &whole).get() == 0);
  const vector x{m, "x"}, y{m, "y"};
  s.execute<task::fill>(m, x);
  s.repeat(2, [&] {
    s.execute<task::multiply>(m, y, x);
    s.execute<task::multiply>(m, x, y);
  });
  return s.reduce<task::bits, fold::sum>(m, x).get();
}

std::uint64_t multiplied_at_once(const sparse_piece& whole) {
  std::vector<double> x;
  for(std::size_t r = 0; r != whole.rows(); ++r)
    x.push_back(first_value(static_cast<std::int64_t>(r)));
  for(int k = 0; k != 4; ++k)
    x = matrices::product(whole, x);
  return matrices::mark_of(x);
}

void on_some_ranks(const std::function<void(scheduler&)>& program) {
  for(const unsigned ranks : {1U, 3U})
    on_ranks(make_local_transports(ranks), 1, program);
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
/// What all ranks are told that make a matrix of this one, cut in pieces.
std::string said_of(const sparse_piece& whole, const sparse_options& options = {}) {
  std::string said;
  on_some_ranks([&](scheduler& s) {
    const std::string here = thrown_by([&] {
      const sparse m{s, matrices::in_parts(whole, 5), options};
    });
    if(s.ranks() == 1)
      said = here;
    else
      expect(here == said);
  });
  return said;
}

} // namespace

TEST_CASE("products with a sparse matrix have the bits that they have at once") {
  for(const std::uint64_t seed : {1U, 2U, 3U}) {
    const sparse_piece whole = matrices::random_matrix(seed, 40 + 30 * static_cast<int>(seed));
    const std::uint64_t right = multiplied_at_once(whole);
    for(const unsigned ranks : {1U, 2U, 3U})
      for(color_id colors = 1; colors <= 8; ++colors) {
        INFO("seed " << seed << ", ranks " << ranks << ", colors " << colors);
        std::vector<std::uint64_t> here(ranks);
        on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
          sparse_options o{.colors = colors};
          if(colors % 2 == 0)
            o.cut = matrices::random_cut(seed);
          here[s.rank()] = multiplied(s, whole, seed + colors, o);
        });
        for(const std::uint64_t bits : here)
          CHECK(bits == right);
      }
  }
}

TEST_CASE("a sparse matrix by itself has four colors for each rank, or one for each row") {
  on_some_ranks([](scheduler& s) {
    const sparse_piece large = matrices::grid_matrix(8, 8);
    const sparse_piece small = matrices::grid_matrix(2, 1);
    const sparse many{s, matrices::in_parts(large, 1)};
    const sparse few{s, matrices::in_parts(small, 1)};
    expect(many.colors() == std::uint64_t{4} * s.ranks());
    expect(few.colors() == 2);
    expect(!many.has_values() && many.entries() == 64 + 2 * 2 * 56);
  });
}

TEST_CASE("a sparse matrix is a handle, and may lack entries") {
  on_some_ranks([](scheduler& s) {
    sparse_piece empty;
    for(int r = 0; r != 9; ++r)
      empty.add_row({});
    sparse made{s, matrices::in_parts(empty, 1), {.colors = 9}};
    const sparse m = std::move(made);
    expect(contains(thrown_by([&] { const vector x(made, "x"); }), "was moved"));
    expect(!m.space().has_ghosts());
    expect(s.reduce<task::mistakes, fold::sum>(m, &empty).get() == 0);
  });
}

TEST_CASE("values of a sparse matrix may be dropped") {
  on_some_ranks([](scheduler& s) {
    const sparse_piece whole = matrices::random_matrix(3, 30);
    sparse m{s, matrices::in_parts(whole, 1), {.colors = 4}};
    const auto before = s.reduce<task::first_entry, fold::sum>(m);
    m.drop_values();
    expect(before.get() > 0);
    expect(!m.has_values());
    expect(s.reduce<task::mistakes, fold::sum>(m, &whole).get() == 0);
    expect(contains(thrown_by([&] { s.repeat(2, [&] { m.drop_values(); }); }), "in the body of"));
  });
}

TEST_CASE("what is no sparse matrix is told on all ranks, with the row") {
  const auto four_rows = [](std::vector<std::int64_t> third) {
    sparse_piece p;
    p.add_row({0, 1});
    p.add_row({});
    p.add_row(third);
    p.add_row({3});
    return p;
  };
  CHECK(said_of(four_rows({2, 0})).empty());
  CHECK(contains(said_of(four_rows({2, 4}), {.name = "A"}),
    "row 2 has the column 4; there are 4 rows and columns"));
  CHECK(contains(said_of(four_rows({-1})), "row 2 has the column -1"));
  CHECK(contains(said_of(four_rows({3, 0, 3})), "row 2 has the column 3 twice"));
  CHECK(contains(said_of(four_rows({}), {.colors = 5}), "5 colors of 4 rows"));
  CHECK(contains(said_of(sparse_piece{}), "the matrix has no rows"));
  CHECK(contains(said_of(four_rows({}), {.cut = nullptr}), "there is no cut"));
  const auto given = [](color_id all, std::size_t missing) {
    return [=](detail::team&, const uncut_cells& rows, color_id) {
      return std::vector<color_id>(rows.centers.size() - (rows.centers.empty() ? 0 : missing), all);
    };
  };
  CHECK(contains(said_of(four_rows({}), {.colors = 2, .cut = given(2, 0)}),
    "row 0 has been given color 2, and there are 2"));
  CHECK(
    contains(said_of(four_rows({}), {.colors = 2, .cut = given(1, 0)}), "color 0 has got no rows"));
  CHECK(contains(said_of(four_rows({}), {.colors = 2, .cut = given(1, 1)}), "the cut has given"));
  CHECK(thrown_by([&] {
    on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
      const std::string said = thrown_by([&] {
        const sparse m{s, [&](unsigned, unsigned) {
                         sparse_piece p = four_rows({2});
                         p.values = {1};
                         return p;
                       }};
      });
      expect(
        contains(said, "rondo::sparse: matrix, made at ") && contains(said, "sparse_tests.cpp"));
      expect(contains(said, "a part has 1 values for 4 columns"));
      expect(contains(thrown_by([&] {
        const sparse m{s, [&](unsigned, unsigned) {
                         sparse_piece p = four_rows({2});
                         p.begins[1] = 3;
                         p.begins[2] = 1;
                         return p;
                       }};
      }),
        "the begins of the rows"));
    });
  }).empty());
}

TEST_CASE("parts of a sparse matrix all have values, or none has") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    expect(contains(thrown_by([&] {
      const sparse m{s, [](unsigned part, unsigned) {
                       sparse_piece p;
                       if(part == 0)
                         p.add_row({0, 1}, {1., 2.});
                       else
                         p.add_row({0});
                       return p;
                     }};
    }),
      "2 values for 3 columns"));
  });
}

TEST_CASE("a sparse matrix is made where all ranks make it") {
  on_some_ranks([](scheduler& s) {
    const sparse_piece whole = matrices::grid_matrix(4, 4);
    expect(contains(thrown_by([&] {
      s.repeat(2, [&] { const sparse m{s, matrices::in_parts(whole, 1), {.colors = 2}}; });
    }),
      "a matrix is made in the body of"));
    expect(thrown_by([&] {
      const sparse m(
        s, [](unsigned, unsigned) -> sparse_piece { throw std::runtime_error("no file"); });
    }) == "no file");
    const sparse m{s, matrices::in_parts(whole, 1), {.colors = 2}};
    const vector x{m, "x"};
    s.execute<task::fill>(m, x);
  });
}

namespace {

color_id color_of_coarse(std::int64_t row, color_id colors) {
  return meshes::mix(17, static_cast<std::uint64_t>(row)) % colors;
}

/// Rows of two levels with one cut: three fine ones become a coarse one, on the same color.
std::uint64_t coarse_bits(scheduler& s, color_id colors, std::int64_t rows) {
  const auto where = [=](std::int64_t fine) { return color_of_coarse(fine / 3, colors); };
  const sparse_piece fine_rows = matrices::grid_matrix(rows, 1);
  const sparse_piece coarse_rows = matrices::grid_matrix((rows + 2) / 3, 1);
  const cut_function cut = [&](detail::team&, const uncut_cells& cells, color_id) {
    std::vector<color_id> all;
    for(std::size_t n = 0; n != cells.centers.size(); ++n)
      all.push_back(where(cells.first + static_cast<std::int64_t>(n)));
    return all;
  };
  const sparse fine{s, matrices::in_parts(fine_rows, 2), {.colors = colors, .cut = cut}};
  const sparse coarse(
    fine, matrices::in_parts(coarse_rows, 3),
    [=](std::int64_t row) { return color_of_coarse(row, colors); }, "coarse");
  expect(coarse.has_colors_of(fine) && coarse.count() == (rows + 2) / 3);
  expect(s.reduce<task::mistakes, fold::sum>(coarse, &coarse_rows).get() == 0);
  const vector x{fine, "x"}, sums{coarse, "sums"};
  s.execute<task::fill>(fine, x);
  expect(s.reduce<task::restrict_threes, fold::sum>(coarse, fine, sums, x, rows).get() == 0);
  return s.reduce<task::bits, fold::sum>(coarse, sums).get();
}

} // namespace

TEST_CASE("a launch takes matrices with the same colors, and fields of both") {
  constexpr std::int64_t rows = 100;
  std::vector<double> sums((rows + 2) / 3);
  for(std::int64_t r = 0; r != rows; ++r)
    sums[static_cast<std::size_t>(r / 3)] += first_value(r);
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const color_id colors : {1U, 3U, 6U}) {
      INFO("ranks " << ranks << ", colors " << colors);
      std::vector<std::uint64_t> here(ranks);
      on_ranks(make_local_transports(ranks), 1,
        [&](scheduler& s) { here[s.rank()] = coarse_bits(s, colors, rows); });
      for(const std::uint64_t bits : here)
        CHECK(bits == matrices::mark_of(sums));
    }
}

TEST_CASE("a matrix with the colors of another topology may leave some without rows") {
  on_some_ranks([](scheduler& s) {
    const sparse_piece few = matrices::grid_matrix(3, 1);
    const auto from = matrices::in_parts(few, 1);
    const auto second = [](std::int64_t) -> color_id { return 1; };
    const unstructured<kind::cells> mesh{s, box_of_triangles{4, 4}, {.colors = 4}};
    const sparse m(mesh, from, second);
    expect(m.colors() == 4 && !m.space().has_ghosts());
    expect(s.reduce<task::mistakes, fold::sum>(m, &few).get() == 0);
    const sparse again(m, from, [](std::int64_t row) { return static_cast<color_id>(row); });
    expect(s.reduce<task::mistakes, fold::sum>(again, &few).get() == 0);

    expect(contains(thrown_by([&] {
      const sparse wrong(
        mesh, from, [](std::int64_t) -> color_id { return 4; }, "A");
    }),
      "row 0 has been given color 4, and there are 4"));
    expect(contains(thrown_by([&] { const sparse wrong(mesh, from, nullptr); }),
      "there is no function that says"));
    const topo::global everywhere{s};
    expect(contains(thrown_by([&] { const sparse wrong(everywhere, from, second); }),
      "it can't have the colors of a global topology"));
    expect(contains(thrown_by([&] { s.repeat(2, [&] { const sparse n(mesh, from, second); }); }),
      "a matrix is made in the body of"));
  });
}
