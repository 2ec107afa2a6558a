// Ranks read shares of the bytes: a line belongs to the rank in whose share it begins. Mistakes that several ranks have to look at
// are found from numbers alone; which line they are in is found by another look, and not remembered of all entries.

#include <rondo/meshes/matrix_market.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <rondo/distributed/shares.hpp>

#include "matrix_market/header.hpp"
#include "matrix_market/line.hpp"
#include "sparse/mistakes_of_ranks.hpp"

namespace rondo {

namespace detail::matrix_market {
namespace {

struct entry {
  std::int64_t row;
  std::int64_t column;
  double value;
};

/// The lines of a rank.
struct share_of_file {
  const char* begin;
  const char* end;
};

share_of_file share_of_rank(const input& file, const header& h, const team& all) {
  const auto begin = [&](unsigned rank) {
    const auto bytes = static_cast<std::uint64_t>(file.end() - h.end);
    const char* const at = h.end + share_begin(bytes, all.ranks(), rank);
    if(at == h.end || at == file.end() || at[-1] == '\n')
      return at;
    return line(file, at).next();
  };
  return {begin(all.rank()), begin(all.rank() + 1)};
}

std::int64_t read_index(const input& file, const header& h, line& l, const char* what) {
  const char* const here = l.at();
  const std::int64_t n = l.integer(what);
  if(n < 1 || n > h.rows)
    file.fail(here, std::string(what) + " is " + std::to_string(n) + "; there are " +
                      std::to_string(h.rows) + " rows and columns, from 1 on");
  return n - 1;
}

entry read_entry(const input& file, const header& h, line& l) {
  const char* const here = l.at();
  entry e{};
  e.row = read_index(file, h, l, "the row of an entry");
  e.column = read_index(file, h, l, "the column of an entry");
  if(h.what == values::real)
    e.value = l.real("the value of an entry");
  else if(h.what == values::integer)
    e.value = static_cast<double>(l.integer("the value of an entry, an integer,"));
  l.end(h.what == values::none ? "an entry of a pattern has a row and a column"
                               : "an entry has a row, a column and a value");
  if(h.half == symmetry::skew && e.row == e.column)
    file.fail(here, "a skew-symmetric matrix has nothing on its diagonal");
  return e;
}

/// Calls f(entry, line) for each of the share.
template<class F>
void for_each_entry(const input& file, const header& h, const share_of_file& share, const F& f) {
  for(const char* at = share.begin; at != share.end;) {
    line l(file, at);
    if(!l.is_empty()) {
      const char* const here = l.at();
      f(read_entry(file, h, l), here);
    }
    at = l.next();
  }
}

void check_count(
  team& all, const input& file, const header& h, const share_of_file& share, std::int64_t own) {
  const std::int64_t before = all.before(own);
  std::int64_t in_all[] = {own};
  all.add_up(in_all);
  do_on_all(all, [&] {
    if(in_all[0] < h.entries)
      file.fail(file.end(), "the file ends after " + std::to_string(in_all[0]) +
                              " entries, and it should have " + std::to_string(h.entries) +
                              ": it has been cut off, or the count is wrong");
    if(before > h.entries || before + own <= h.entries)
      return;
    std::int64_t number = before;
    for_each_entry(file, h, share, [&](const entry&, const char* here) {
      if(number++ == h.entries)
        file.fail(here,
          "there are more entries than " + std::to_string(h.entries) + ": the count is wrong");
    });
  });
}

/// Some entry is there twice: throws on all ranks. `rows` are sorted.
void refuse_twice(team& all, const input& file, const header& h, const share_of_file& share,
  const std::vector<entry>& rows) {
  using place = std::array<std::int64_t, 2>;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const auto same = [](const entry& a, const entry& b) {
    return a.row == b.row && a.column == b.column;
  };
  const auto at = std::adjacent_find(rows.begin(), rows.end(), same);
  const place own = at == rows.end() ? place{none, none} : place{at->row, at->column};
  place first{none, none};
  for(const auto& from : all.swap_mail(std::vector(all.ranks(), std::vector{own})))
    first = std::min(first, from[0]);
  if(first[0] == none)
    return;
  const auto is_it = [&](const entry& e) {
    return (e.row == first[0] && e.column == first[1]) ||
           (h.half != symmetry::general && e.row == first[1] && e.column == first[0]);
  };
  std::int64_t seen = 0;
  for_each_entry(file, h, share, [&](const entry& e, const char*) { seen += is_it(e); });
  seen = all.before(seen);
  do_on_all(all, [&] {
    for_each_entry(file, h, share, [&](const entry& e, const char* here) {
      if(is_it(e) && ++seen == 2)
        file.fail(here, "there is an entry in row " + std::to_string(e.row + 1) + " and column " +
                          std::to_string(e.column + 1) +
                          " already, or in the other half of the matrix; each is there once");
    });
  });
}

sparse_piece read(team& all, const std::string& path) {
  std::optional<input> file;
  header h;
  do_on_all(all, [&] {
    h = read_header(file.emplace(path, "rondo::matrix_market_file"));
    // No rank knows more rows than that.
    if(h.rows > all.ranks() * std::int64_t{std::numeric_limits<std::int32_t>::max()})
      file->fail("the matrix has " + std::to_string(h.rows) + " rows; use more ranks");
  });
  const auto rows = static_cast<std::uint64_t>(h.rows);
  const share_of_file share = share_of_rank(*file, h, all);
  std::vector<std::vector<entry>> out(all.ranks());
  std::int64_t own = 0;
  do_on_all(all, [&] {
    const auto add = [&](const entry& e) {
      out[share_of(rows, all.ranks(), static_cast<std::uint64_t>(e.row))].push_back(e);
    };
    for_each_entry(*file, h, share, [&](const entry& e, const char*) {
      ++own;
      add(e);
      if(h.half != symmetry::general && e.row != e.column)
        add({e.column, e.row, h.half == symmetry::skew ? -e.value : e.value});
    });
  });
  check_count(all, *file, h, share, own);

  std::vector<entry> come;
  for(auto& from : all.swap_mail(std::move(out))) {
    come.insert(come.end(), from.begin(), from.end());
    from = {};
  }
  std::ranges::sort(come, {}, [](const entry& e) { return std::tuple(e.row, e.column); });
  refuse_twice(all, *file, h, share, come);

  sparse_piece piece;
  auto at = come.begin();
  const auto end = static_cast<std::int64_t>(share_begin(rows, all.ranks(), all.rank() + 1));
  for(auto r = static_cast<std::int64_t>(share_begin(rows, all.ranks(), all.rank())); r != end;
      ++r) {
    for(; at != come.end() && at->row == r; ++at) {
      piece.columns.push_back(at->column);
      if(h.what != values::none)
        piece.values.push_back(at->value);
    }
    piece.begins.push_back(std::ssize(piece.columns));
  }
  return piece;
}

} // namespace
} // namespace detail::matrix_market

sparse_piece matrix_market_file::operator()(detail::team& all) const {
  return detail::matrix_market::read(all, path_);
}

} // namespace rondo
