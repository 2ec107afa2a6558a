// Files of Matrix Market: what is read of them on some ranks, and what is told of damaged ones.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "distributed/ranks.hpp"
#include "meshes/matrices.hpp"

#include <catch2/catch.hpp>
#include <rondo/sparse.hpp>

#include "file_of_test.hpp"

using namespace rondo;
using pieces::draw;

namespace {

using std::string;

const string five_rows = "%%MatrixMarket matrix coordinate real general\n" // line 1
                         "% made by hand\n"
                         "\n"
                         "5 5 6\n" // line 4
                         "1 1 2.5\n"
                         "4 2 -1e-3\n"
                         "4 1 +7\n"
                         "1 5 .125\n" // line 8
                         "3 3 4\n"
                         "5 5 7\n"; // line 10

/// Put together of what ranks have read.
sparse_piece read_on(unsigned ranks, const string& name) {
  std::vector<sparse_piece> read(ranks);
  on_team(ranks, [&](detail::team& all) { read[all.rank()] = matrix_market_file(name)(all); });
  sparse_piece whole;
  for(const sparse_piece& p : read)
    for(std::size_t r = 0; r != p.rows(); ++r)
      if(p.values.empty())
        whole.add_row(p.columns_of(r));
      else
        whole.add_row(
          p.columns_of(r), std::span(p.values).subspan(
                             static_cast<std::size_t>(p.begins[r]), p.columns_of(r).size()));
  return whole;
}

/// What is told of such a file: on 1 and on 4 ranks the same, and on all of them.
string told_of(const string& bytes) {
  const file_of_test file(bytes);
  std::vector<string> said;
  for(const unsigned ranks : {1U, 4U}) {
    std::vector<string> here(ranks);
    on_team(ranks, [&](detail::team& all) {
      here[all.rank()] =
        thrown_by([&] { static_cast<void>(matrix_market_file(file.name())(all)); });
    });
    said.insert(said.end(), here.begin(), here.end());
  }
  for(const string& s : said)
    CHECK(s == said[0]);
  const string begin = "rondo::matrix_market_file: " + file.name();
  if(said[0].starts_with(begin))
    return said[0].substr(begin.size());
  return said[0];
}
/// The file above, with the first `from` in it replaced.
string with(const string& from, const string& to) {
  string made = five_rows;
  const auto at = made.find(from);
  REQUIRE(at != string::npos);
  return made.replace(at, from.size(), to);
}
void is_told(const string& said, const string& what) { CHECK_THAT(said, Catch::Contains(what)); }

string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

struct written_matrix {
  sparse_piece whole; ///< As it should be read.
  string bytes;
};

/// Of what a random matrix has: entries in any order, and lines that are none.
written_matrix written(std::uint64_t seed, const string& field, const string& half) {
  const sparse_piece from = matrices::random_matrix(seed, 30 + static_cast<int>(seed));
  std::vector<std::vector<std::pair<std::int64_t, double>>> rows(from.rows());
  std::vector<string> lines;
  for(std::size_t r = 0; r != from.rows(); ++r)
    for(auto k = static_cast<std::size_t>(from.begins[r]); std::cmp_less(k, from.begins[r + 1]);
        ++k) {
      const auto row = static_cast<std::int64_t>(r);
      const std::int64_t c = from.columns[k];
      const double x =
        field == "integer" ? static_cast<double>(draw(seed, k, -9, 9)) : from.values[k];
      if((half != "general" && c > row) || (half == "skew-symmetric" && c == row))
        continue;
      rows[r].emplace_back(c, x);
      if(half != "general" && c != row)
        rows[static_cast<std::size_t>(c)].emplace_back(row, half == "symmetric" ? x : -x);
      lines.push_back(std::to_string(row + 1) + (k % 2 == 0 ? " " : "\t  ") +
                      std::to_string(c + 1) + (field == "pattern" ? "" : ' ' + number(x)));
    }
  written_matrix made;
  for(auto& row : rows) {
    std::ranges::sort(row);
    std::vector<std::int64_t> columns;
    std::vector<double> values;
    for(const auto& [c, x] : row) {
      columns.push_back(c);
      values.push_back(x);
    }
    if(field == "pattern")
      made.whole.add_row(columns);
    else
      made.whole.add_row(columns, values);
  }
  std::ranges::shuffle(lines, std::mt19937(static_cast<unsigned>(seed)));
  const string line_end = seed % 2 == 0 ? "\r\n" : "\n";
  const string n = std::to_string(from.rows());
  made.bytes = "%%matrixmarket MATRIX Coordinate " + field + ' ' + half + line_end + "%" +
               line_end + n + ' ' + n + ' ' + std::to_string(lines.size()) + line_end;
  for(std::size_t k = 0; k != lines.size(); ++k)
    made.bytes += (k % 7 == 3 ? "  " + line_end + "% not an entry" + line_end : "") + lines[k] +
                  (k % 5 == 0 ? " " : "") + line_end;
  return made;
}

namespace task {
std::uint64_t bits(sparse::view m) {
  std::uint64_t all = 0;
  for(const auto r : m.owned())
    for(std::size_t k = 0; k != m.columns_of(r).size(); ++k)
      all += matrices::mark_of(1000 * m.id(r) + m.id(m.columns_of(r)[k]), m.values_of(r)[k]);
  return all;
}
} // namespace task

} // namespace

TEST_CASE("a file of Matrix Market is read on any number of ranks") {
  std::uint64_t seed = 0;
  for(const char* field : {"real", "integer", "pattern"})
    for(const char* half : {"general", "symmetric", "skew-symmetric"}) {
      if(string(field) == "pattern" && string(half) == "skew-symmetric")
        continue;
      const written_matrix w = written(++seed, field, half);
      const file_of_test file(w.bytes);
      for(const unsigned ranks : {1U, 2U, 3U, 5U, 40U}) {
        INFO(field << ' ' << half << " on " << ranks << " ranks");
        const sparse_piece read = read_on(ranks, file.name());
        CHECK(read.begins == w.whole.begins);
        CHECK(read.columns == w.whole.columns);
        CHECK(read.values == w.whole.values);
      }
    }
}

TEST_CASE("a sparse matrix is made of a file of Matrix Market") {
  const file_of_test file(five_rows);
  std::vector<std::uint64_t> said;
  for(const unsigned ranks : {1U, 3U})
    on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
      const sparse m{s, matrix_market_file(file.name()), {.colors = 3}};
      expect(m.count() == 5 && m.entries() == 6 && m.has_values());
      const std::uint64_t bits = s.reduce<task::bits, fold::sum>(m).get();
      if(s.rank() == 0)
        said.push_back(bits);
    });
  std::uint64_t right = 0;
  right += matrices::mark_of(0, 2.5) + matrices::mark_of(3001, -1e-3) + matrices::mark_of(3000, 7);
  right += matrices::mark_of(4, .125) + matrices::mark_of(2002, 4) + matrices::mark_of(4004, 7);
  CHECK(said == std::vector{right, right});
}

TEST_CASE("what is wrong in a file of Matrix Market is told with its line") {
  CHECK(told_of(five_rows).empty());
  is_told(told_of(""), ": is empty");
  is_told(told_of("hello\n"), ", line 1: this is no file of Matrix Market");
  is_told(told_of(with("coordinate", "array")), ", line 1: the matrix has all its entries");
  is_told(told_of(with("real", "complex")), ", line 1: the values are complex");
  is_told(told_of(with("real", "unreal")), ", line 1: 'real', 'integer' or 'pattern'");
  is_told(told_of(with("general", "hermitian")), ", line 1: 'general', 'symmetric'");
  is_told(told_of(with("real general", "pattern skew-symmetric")), ", line 1: a pattern");
  is_told(told_of(with(" general", "")), ", line 1: 'general', 'symmetric'");
  is_told(told_of(with("matrix ", "vector ")), ", line 1: 'vector' is no matrix");
  is_told(told_of("%%MatrixMarket matrix coordinate real general\n% no more"),
    ", line 2: the file ends before it says");
  is_told(told_of(with("5 5 6", "5 4 6")), ", line 4: the matrix has 5 rows and 4 columns");
  is_told(told_of(with("5 5 6", "5 5")), ", line 4: the number of entries should be here");
  is_told(told_of(with("5 5 6", "5 5 6 6")), ", line 4: '6' is too much");
  is_told(told_of(with("5 5 6", "-5 -5 6")), ", line 4: -5 can't be the number");
  is_told(told_of(with("5 5 6", "5 5 7")),
    ", line 11: the file ends after 6 entries, and it should have 7");
  is_told(told_of(with("5 5 6", "5 5 4")), ", line 9: there are more entries than 4");
  is_told(told_of(with("4 2 -1e-3", "6 2 1")), ", line 6: the row of an entry is 6; there are 5");
  is_told(told_of(with("4 2 -1e-3", "4 0 1")), ", line 6: the column of an entry is 0");
  is_told(told_of(with("-1e-3", "x")),
    ", line 6: the value of an entry should be here, and there is 'x'");
  is_told(told_of(with("-1e-3", "nan")), ", line 6: the value of an entry should be here");
  is_told(told_of(with("-1e-3", "1e999")), ", line 6: '1e999' is a number that is too large");
  is_told(
    told_of(with("-1e-3", "")), ", line 6: the value of an entry should be here, and the line");
  is_told(told_of(with("-1e-3", "1 2")), ", line 6: '2' is too much: an entry has a row");
  is_told(told_of(with("real", "integer")), ", line 5: the value of an entry, an integer");
  is_told(
    told_of(with("3 3 4", "4 2 9")), ", line 9: there is an entry in row 4 and column 2 already");
  is_told(told_of(with("general", "skew-symmetric")), ", line 5: a skew-symmetric matrix");
  string both = with("general", "symmetric");
  both.replace(both.find("3 3 4"), 5, "2 4 9");
  is_told(
    told_of(both), ", line 9: there is an entry in row 2 and column 4 already, or in the other");
  std::vector<string> said(2);
  on_team(2, [&](detail::team& all) {
    said[all.rank()] =
      thrown_by([&] { static_cast<void>(matrix_market_file("/no/such/file.mtx")(all)); });
  });
  CHECK(said[0] == said[1]);
  is_told(said[0], "rondo::matrix_market_file: /no/such/file.mtx: No such file");
}

TEST_CASE("the beginning of a file of Matrix Market is no matrix") {
  const file_of_test file(five_rows);
  for(std::size_t length = 0; length <= five_rows.size(); ++length) {
    INFO(length);
    file.write(five_rows.substr(0, length));
    for(const unsigned ranks : {1U, 3U}) {
      std::vector<string> said(ranks);
      on_team(ranks, [&](detail::team& all) {
        said[all.rank()] =
          thrown_by([&] { static_cast<void>(matrix_market_file(file.name())(all)); });
      });
      for(const string& s : said)
        CHECK(s.empty() == (length + 1 >= five_rows.size())); // the last line end may be missing
    }
  }
}

TEST_CASE("entries in a file of Matrix Market may be any bytes") {
  std::mt19937 random(11);
  unsigned read_well = 0;
  unsigned refused = 0;
  const file_of_test file(five_rows);
  const std::size_t entries = five_rows.find("1 1 2.5");
  for(int i = 0; i != 2000; ++i) {
    string damaged = five_rows;
    for(unsigned n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = entries + random() % (damaged.size() - entries);
      if(random() % 2 == 0)
        damaged[at] = "0123456789 .-+e\n\r%\t\0x"[random() % 21];
      else
        damaged.erase(at, 1 + random() % 3);
    }
    file.write(damaged);
    detail::team alone;
    try {
      const sparse_piece p = matrix_market_file(file.name())(alone);
      REQUIRE(p.rows() == 5);
      REQUIRE(p.columns.size() == 6);
      ++read_well;
    }
    catch(const std::runtime_error&) {
      ++refused;
    }
  }
  CHECK(read_well > 100);
  CHECK(refused > 100);
}
