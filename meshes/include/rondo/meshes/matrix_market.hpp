#pragma once

/// \file
/// Sparse matrices from files in the format of Matrix Market, as NIST and SuiteSparse have them.
///
/// \code
///   sparse m{s, matrix_market_file("bcsstk17.mtx"), {.colors = 64}};
/// \endcode
///
/// The matrix has coordinates of its entries: `%%MatrixMarket matrix coordinate real general`. Its entries may be `real`, `integer` or `pattern`, the
/// last one without values; `general`, `symmetric` or `skew-symmetric`, where the file has one half and Rondo adds the other one. It has as many columns as
/// rows. Rows and columns are counted from 0 in Rondo, from 1 in the file.
///
/// Entries have any order in the file. The columns of a row are ascending, so a matrix has the same bits on any number of ranks. Each entry is there once.
///
/// The file has to be where all ranks see it. Each rank reads its share of the bytes, and sends entries to the ranks of their rows.
///
/// A mistake in a file is thrown on all ranks as a std::runtime_error, "rondo::matrix_market_file: a.mtx, line 17: ...".

#include <string>
#include <utility>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/sparse_piece.hpp>

namespace rondo {

class matrix_market_file {
public:
  /// Looks at nothing yet: mistakes in the name are told by the call.
  explicit matrix_market_file(std::string path) : path_(std::move(path)) {}

  /// The rows of this rank. Called by all ranks of the team.
  [[nodiscard]] sparse_piece operator()(topo::team& all) const;

private:
  std::string path_;
};

} // namespace rondo
