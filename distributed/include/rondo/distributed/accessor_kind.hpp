#pragma once

/// \file
/// The one place where a kind of accessor is made known to launches.
///
/// A kind of fields specializes `accessor_kind` for its accessors:
///
/// \code
///   template<class T, privilege Owned, auto Ghosts>
///   struct accessor_kind<field_accessor<T, Owned, Ghosts>> {
///     using argument = field<T>;                  // what the task is launched with: its `state()` is a field_state
///     static constexpr privilege owned = Owned;   // what the task does with the color's elements,
///     static constexpr privilege ghosts = ghost_use<T, Ghosts>; // and with its ghosts,
///     static constexpr short depth = whole_halo; // of which it sees those no deeper than that
///     static field_accessor<T, Owned, Ghosts> make(const color_block& b); // for one color
///   };
/// \endcode
///
/// One whose task contributes to what neighbours own (`ghosts` is privilege::folds) also has `how()`, see folding.hpp. One that has
/// something to do with the block when the task has returned has `end(const color_block&)`. One whose blocks lead to rows, and not to a value
/// for each element, says `has_rows`.
///
/// All else follows from that: which regions a color's launch reads and writes, the checks and halos
/// before it, and what tasks that call MPI get.

#include <rondo/distributed/accessor.hpp>
#include <rondo/distributed/block.hpp>
#include <rondo/distributed/folding.hpp>

namespace rondo {

template<class T>
class field;

namespace detail::inline distributed {

/// As it is: of what is no accessor.
template<class P>
struct accessor_kind {};

template<class T, privilege Owned, auto Ghosts, int Depth>
struct accessor_kind<field_accessor<T, Owned, Ghosts, Depth>> {
  using argument = field<T>;
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = ghost_use<T, Ghosts>;
  /// How what is written to ghosts is folded.
  static constexpr const folding& how()
    requires(ghosts == privilege::folds)
  {
    return folding_with<T, Ghosts>;
  }
  static constexpr short depth = Depth;
  static field_accessor<T, Owned, Ghosts, Depth> make(const color_block& b) {
    return field_accessor<T, Owned, Ghosts, Depth>(b);
  }
};

/// Its tasks contribute to what neighbours own.
template<class P>
inline constexpr bool contributes = requires { accessor_kind<P>::how(); };

/// Something is done after the task.
template<class P>
inline constexpr bool has_end = requires(const color_block& b) { accessor_kind<P>::end(b); };

template<class P>
inline constexpr bool has_rows = requires { accessor_kind<P>::has_rows; };

template<class P>
inline constexpr bool is_accessor = requires { typename accessor_kind<P>::argument; };

} // namespace detail::inline distributed
} // namespace rondo
