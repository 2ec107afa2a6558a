#pragma once

/// \file
/// Sparse matrices, or graphs, cut into colors: a topology whose elements are rows.
///
/// \code
///   using vector = field<double>;
///
///   void multiply(sparse::view m, vector::accessor<wo> y, vector::accessor<ro, ro> x) {
///     for(const auto r : m.owned()) {
///       double sum = 0;
///       const auto columns = m.columns_of(r);                // own rows, or ghosts
///       const auto values = m.values_of(r);
///       for(std::size_t k = 0; k != columns.size(); ++k)
///         sum += values[k] * x(columns[k]);
///       y(r) = sum;
///     }
///   }
///
///   sparse m{s, rows_of, {.colors = 8}};                     // a function that gives a sparse_piece, or a matrix_market_file
///   vector x{m, "x"}, y{m, "y"};                             // a value for each row
///   s.execute<multiply>(m, y, x);
/// \endcode
///
/// docs/sparse.md says all of it. The pages of the parts: sparse_piece.hpp, what a rank hands in; sparse_view.hpp, what a task sees;
/// cut.hpp, which color a row belongs to; matrix_market.hpp, files.

#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/matrix_market.hpp>
#include <rondo/meshes/rows_space.hpp>
#include <rondo/meshes/sparse_piece.hpp>
#include <rondo/meshes/sparse_view.hpp>
#include <rondo/rondo.hpp>
#include <rondo/topologies.hpp>

namespace rondo {

struct sparse_options {
  /// A few for each worker of all ranks; name them for the same bits on any number of ranks. 0: four for each rank, if there are as many rows.
  color_id colors = 0;
  cut_function cut = cut_by_distances; ///< Which color each row belongs to; cut.hpp has others.
  std::string name = "matrix";
};

namespace detail::inline meshes {

/// The rows of a rank of the team.
using rows_maker = std::function<sparse_piece(team&)>;

template<class Pieces>
rows_maker rows_made_by(const Pieces& pieces) {
  if constexpr(std::is_invocable_r_v<sparse_piece, const Pieces&, team&>) // ranks need each other
    return [&pieces](team& all) -> sparse_piece { return pieces(all); };
  else {
    static_assert(std::is_invocable_r_v<sparse_piece, const Pieces&, unsigned, unsigned>,
      "rondo::sparse: rows come from a function sparse_piece(unsigned part, unsigned "
      "parts), or a matrix_market_file: sparse_piece.hpp");
    return [&pieces](team& all) -> sparse_piece { return pieces(all.rank(), all.ranks()); };
  }
}

/// Refuses what can't be, and makes the matrix; collective.
[[nodiscard]] std::shared_ptr<rows_of_rank> make_rows(scheduler& s, const rows_maker& pieces,
  const sparse_options& o, const std::source_location& where);
/// The same with the colors of another topology.
[[nodiscard]] std::shared_ptr<rows_of_rank> make_rows_like(const topology& like,
  const rows_maker& pieces, const std::function<color_id(std::int64_t)>& color_of,
  const std::string& name, const std::source_location& where);
[[nodiscard]] std::uint64_t fingerprint(const rows_of_rank& rows);
/// Values are given up, once tasks no longer look at them.
void drop_values(scheduler& s, rows_of_rank& rows);

} // namespace detail::inline meshes

class sparse : public topo::made_of<detail::rows_space> {
  using base = topo::made_of<detail::rows_space>;

public:
  /// `pieces(part, parts)` gives the rows of a part, as sparse_piece.hpp says, or it is a matrix_market_file. All ranks make the matrix together, and each calls it once. Throws
  /// std::invalid_argument if the pieces are no matrix, or the options can't be.
  template<class Pieces>
  sparse(scheduler& s, const Pieces& pieces, const sparse_options& options = {},
    std::source_location where = std::source_location::current())
      : sparse(s, detail::make_rows(s, detail::rows_made_by(pieces), options, where), options.name,
          where) {}

  /// With the colors of another topology, on the same ranks, so that a launch may take both, and fields of both: levels of a multigrid method, say.
  /// `color_of(row)` says which color a row belongs to, by its number, the same on all ranks; colors may have no rows. It may outlive that topology. A
  /// structured mesh whose colors lie on ranks in boxes is refused.
  template<class Pieces>
  sparse(const topology& like, const Pieces& pieces,
    const std::function<color_id(std::int64_t)>& color_of, const std::string& name = "matrix",
    std::source_location where = std::source_location::current())
      : sparse(like,
          detail::make_rows_like(like, detail::rows_made_by(pieces), color_of, name, where), name,
          where) {}

  /// Rows, on all ranks.
  [[nodiscard]] std::int64_t count() const { return rows().mesh.in_all[0]; }
  /// Columns of all rows, on all ranks.
  [[nodiscard]] std::int64_t entries() const { return rows().entries; }
  [[nodiscard]] bool has_values() const { return rows().has_values; }
  /// Gives the memory of the values back, for programs that keep their own; waits until tasks that were launched before have ended. Called by all ranks.
  void drop_values() { detail::drop_values(home(), rows()); }

private:
  /// `colors_of`: the scheduler, or another topology.
  template<class Colors>
  sparse(Colors& colors_of, const std::shared_ptr<detail::rows_of_rank>& rows,
    const std::string& name, const std::source_location& where)
      : base(colors_of, detail::rows_space(rows),
          {.name = name, .fingerprint = detail::fingerprint(*rows)}, where) {}
  [[nodiscard]] detail::rows_of_rank& rows() const { return space().rows(); }
};

} // namespace rondo
