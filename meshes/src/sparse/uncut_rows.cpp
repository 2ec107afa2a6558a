#include "uncut_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mistakes_of_ranks.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// What is wrong with the lists of a piece; empty: nothing.
std::string mistake_in_lists(const sparse_piece& p) {
  if(p.begins.empty() || p.begins.front() != 0 || p.begins.back() != std::ssize(p.columns) ||
     !std::is_sorted(p.begins.begin(), p.begins.end()))
    return "the begins of the rows of a part have to grow from 0 to the number of columns, " +
           std::to_string(p.columns.size());
  if(!p.values.empty() && p.values.size() != p.columns.size())
    return "a part has " + std::to_string(p.values.size()) + " values for " +
           std::to_string(p.columns.size()) + " columns; each has one, or none has";
  return {};
}

/// What is wrong with the columns of a row.
std::string mistake_in_rows(const uncut_rows& rows) {
  std::vector<std::int64_t> sorted;
  for(std::size_t r = 0; r != rows.piece.rows(); ++r) {
    const auto columns = rows.piece.columns_of(r);
    const auto row = [&] {
      return "row " + std::to_string(rows.first + static_cast<std::int64_t>(r));
    };
    bool grows = true;
    for(std::size_t k = 0; k != columns.size(); ++k) {
      if(columns[k] < 0 || columns[k] >= rows.in_all)
        return row() + " has the column " + std::to_string(columns[k]) + "; there are " +
               std::to_string(rows.in_all) + " rows and columns, from 0 on";
      grows = grows && (k == 0 || columns[k - 1] < columns[k]);
    }
    if(grows)
      continue;
    sorted.assign(columns.begin(), columns.end());
    std::ranges::sort(sorted);
    if(const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      return row() + " has the column " + std::to_string(*twice) +
             " twice; each is there at most once, so add their values up";
  }
  return {};
}

} // namespace

uncut_rows checked_rows(team& all, sparse_piece piece) {
  const auto refuse_on_all = [&](const std::string& own) {
    if(const std::string what = first_mistake(all, own); !what.empty())
      throw std::invalid_argument("rondo::sparse: " + what);
  };
  refuse_on_all(mistake_in_lists(piece));
  uncut_rows rows{.piece = std::move(piece)};
  const auto own = static_cast<std::int64_t>(rows.piece.rows());
  rows.first = all.before(own);
  std::array<std::int64_t, 3> counts = {
    own, std::ssize(rows.piece.columns), std::ssize(rows.piece.values)};
  all.add_up(counts);
  rows.in_all = counts[0];
  rows.entries_in_all = counts[1];
  rows.has_values = counts[2] != 0;
  if(rows.in_all == 0)
    throw std::invalid_argument("rondo::sparse: the matrix has no rows: no part has given any");
  if(rows.has_values && counts[2] != counts[1])
    throw std::invalid_argument("rondo::sparse: there are " + std::to_string(counts[2]) +
                                " values for " + std::to_string(counts[1]) +
                                " columns; all parts give values, or none does");
  refuse_on_all(mistake_in_rows(rows));
  return rows;
}

cell_graph graph_of_rows(team& all, const uncut_rows& rows, const ranks_of_cells& ranks) {
  using link = std::array<std::int64_t, 2>; // a row, and one that it has to do with
  const sparse_piece& piece = rows.piece;
  std::vector<std::vector<link>> out(all.ranks());
  for(std::size_t r = 0; r != piece.rows(); ++r)
    for(const std::int64_t c : piece.columns_of(r))
      if(!rows.has(c))
        out[ranks.rank_of(c)].push_back({c, rows.first + static_cast<std::int64_t>(r)});
  const std::vector<std::vector<link>> in = all.swap_mail(std::move(out));

  const auto for_each_link = [&](const auto& f) {
    for(std::size_t r = 0; r != piece.rows(); ++r) {
      const std::int64_t row = rows.first + static_cast<std::int64_t>(r);
      for(const std::int64_t c : piece.columns_of(r))
        if(c != row) {
          f(row, c);
          if(rows.has(c))
            f(c, row);
        }
    }
    for(const std::vector<link>& from : in)
      for(const auto& [row, other] : from)
        f(row, other);
  };
  std::vector<std::int64_t> at(piece.rows() + 1);
  for_each_link(
    [&](std::int64_t row, std::int64_t) { ++at[static_cast<std::size_t>(row - rows.first) + 1]; });
  for(std::size_t r = 0; r != piece.rows(); ++r)
    at[r + 1] += at[r];
  cell_graph made;
  made.others.resize(static_cast<std::size_t>(at.back()));
  made.begins = at;
  for_each_link([&](std::int64_t row, std::int64_t other) {
    auto& place = at[static_cast<std::size_t>(row - rows.first)];
    made.others[static_cast<std::size_t>(place++)] = other;
  });
  // Where two have each other as columns they are there twice.
  auto end = made.others.begin();
  for(std::size_t r = 0; r != piece.rows(); ++r) {
    const auto first =
      made.others.begin() + std::exchange(made.begins[r], end - made.others.begin());
    const auto last = made.others.begin() + made.begins[r + 1];
    std::sort(first, last);
    end = std::copy(first, std::unique(first, last), end);
  }
  made.begins.back() = end - made.others.begin();
  made.others.erase(end, made.others.end());
  return made;
}

} // namespace rondo::detail::inline meshes
