#pragma once

/// \file
/// Colors that cost different amounts: they go to other ranks, and all fields with them.
///
/// \code
///   grid m{s, {.extents = {4096, 4096}, .colors = {16, 16}}};
///   for(int day = 0; day != 365; ++day) {
///     s.repeat(100, [&] { s.execute<step>(m, u); });
///     m.balance();                                     // by what colors have cost since the last time
///   }
/// \endcode
///
/// *What is balanced* is the time that tasks have spent on each color, which is measured from the first `balance` on; that one itself can move
/// nothing yet. `m.measure_costs()` begins earlier. Or the program says what a color costs:
///
/// \code
///   m.balance({.cost = [](color_id c) { return 1.0 + of_color(c); }});    // asked on the rank that has the color
/// \endcode
///
/// *What moves* are whole colors: of `m`, and of everything that has its colors, meshes as well as fields of all kinds. Each rank gets a
/// range of their numbers, so that the slowest rank has as little to do as can be, and so that as few as possible move. Results keep their
/// bits: they don't depend on where a color is.
///
/// *When.* All ranks call it, and it waits for all that was launched before. Not in the body of `repeat`, `iterate` or `when`. Traces are
/// recorded anew after colors have moved. docs/balance.md says more.

#include <cstdint>

#include <rondo/core/kept_function.hpp>
#include <rondo/distributed/color_set.hpp>

namespace rondo {

struct balance_options {
  /// What a color costs, in any unit, asked for those of the rank. If nothing is given, what was measured.
  kept_function<double(color_id)> cost{};
  /// Nothing moves unless the slowest rank has less to do by this part of it.
  double least_gain = 0.05;
};

struct balance_result {
  /// Of the slowest rank, taken as a multiple of what each would have if all were equal: 1 is ideal. Of what was measured, and what is expected of
  /// where colors are now.
  double before = 1;
  double after = 1;
  std::uint64_t moved = 0;  ///< Colors that have gone to other ranks, of all.
  bool was_measured = true; ///< Costs were known. If not, they are from now on.

  [[nodiscard]] bool has_moved() const { return moved != 0; }
};

} // namespace rondo
