#include "known_rows.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace rondo::detail::inline meshes {

namespace {

/// A row on its way. Its columns follow it, and its values.
struct sent_row {
  std::int64_t id;
  color_id color;
  std::int64_t columns;
};
/// A row that has come.
struct come_row {
  sent_row its;
  const std::int64_t* columns;
  const double* values; ///< Or null.
};

entity_key key_of_row(std::int64_t id) { return {0, static_cast<std::uint64_t>(id)}; }

/// Columns that are rows of other ranks are known from now on, and have their numbers.
void number_columns(known_rows& known, const std::vector<come_row>& come) {
  for(const come_row& c : come) {
    for(std::int64_t k = 0; k != c.its.columns; ++k)
      known.columns.push_back(known.ids.number(key_of_row(c.columns[k])));
    if(c.values != nullptr)
      known.values.insert(known.values.end(), c.values, c.values + c.its.columns);
    known.begins.push_back(known.columns.size());
  }
  if(known.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("rondo::sparse: a rank has or sees " +
                                std::to_string(known.size()) +
                                " rows, and may have 2,147,483,647; use more ranks");
}

/// Which colors the rows have that are others': said by the ranks that had them before the cut.
void ask_for_colors(team& all, const ranks_of_cells& ranks, std::int64_t first,
  const std::vector<color_id>& colors, known_rows& known) {
  std::vector<std::vector<std::int64_t>> asked(all.ranks());
  std::vector<std::vector<std::int32_t>> by(all.ranks()); // the rows that are asked for
  for(auto r = static_cast<std::int32_t>(known.own()); std::cmp_less(r, known.size()); ++r) {
    const unsigned rank = ranks.rank_of(known.id(r));
    asked[rank].push_back(known.id(r));
    by[rank].push_back(r);
  }
  std::vector<std::vector<color_id>> told(all.ranks());
  const auto questions = all.swap_mail(std::move(asked));
  for(std::size_t r = 0; r != questions.size(); ++r)
    for(const std::int64_t id : questions[r])
      told[r].push_back(colors[static_cast<std::size_t>(id - first)]);
  const auto answers = all.swap_mail(std::move(told));
  known.colors.resize(known.size());
  for(std::size_t r = 0; r != answers.size(); ++r)
    for(std::size_t k = 0; k != answers[r].size(); ++k)
      known.colors[static_cast<std::size_t>(by[r][k])] = answers[r][k];
}

} // namespace

known_rows deal_rows(team& all, uncut_rows rows, const ranks_of_cells& ranks,
  const std::vector<color_id>& colors, const rank_of_color& rank_of) {
  std::vector<std::vector<sent_row>> heads(all.ranks());
  std::vector<std::vector<std::int64_t>> columns(all.ranks());
  std::vector<std::vector<double>> values(all.ranks());
  const std::int64_t first = rows.first;
  for(std::size_t r = 0; r != rows.piece.rows(); ++r) {
    const unsigned to = rank_of(colors[r]);
    const auto its = rows.piece.columns_of(r);
    heads[to].push_back({first + static_cast<std::int64_t>(r), colors[r], std::ssize(its)});
    columns[to].insert(columns[to].end(), its.begin(), its.end());
    if(rows.has_values) {
      const auto from = rows.piece.values.begin() + rows.piece.begins[r];
      values[to].insert(values[to].end(), from, from + std::ssize(its));
    }
  }
  rows.piece = {};
  heads = all.swap_mail(std::move(heads));
  columns = all.swap_mail(std::move(columns));
  values = all.swap_mail(std::move(values));

  std::vector<come_row> come;
  for(std::size_t r = 0; r != heads.size(); ++r) {
    const std::int64_t* its_columns = columns[r].data();
    const double* its_values = rows.has_values ? values[r].data() : nullptr;
    for(const sent_row& h : heads[r]) {
      come.push_back({h, its_columns, its_values});
      its_columns += h.columns;
      if(its_values != nullptr)
        its_values += h.columns;
    }
  }
  heads = {};
  std::ranges::sort(come, {}, [](const come_row& c) { return std::tuple(c.its.color, c.its.id); });

  known_rows known{.ids = key_numbers(come.size())};
  for(const come_row& c : come) {
    known.ids.number(key_of_row(c.its.id));
    known.colors.push_back(c.its.color);
  }
  number_columns(known, come);
  ask_for_colors(all, ranks, first, colors, known);
  return known;
}

} // namespace rondo::detail::inline meshes
