#pragma once

/// \file
/// What a task does with a field: declared in its parameter list, and checked at compile time.
///
/// \code
///   void smooth(grid::view m, field<double>::accessor<wo, na> to,
///               field<double>::accessor<ro, ro> from) {
///     for(auto j : m.interior(1))
///       for(auto i : m.interior(0))
///         to(i, j) = (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4;
///   }
/// \endcode
///
/// The first privilege is for the points that the color owns, the second one for its ghosts, the
/// copies of its neighbours' points. Ghosts that are read are fetched before, if the field was
/// written since they were.
///
/// | privilege | the task                                        |
/// |-----------|-------------------------------------------------|
/// | `na`      | does not look                                   |
/// | `ro`      | reads                                           |
/// | `wo`      | writes all points, and reads none before that   |
/// | `rw`      | reads and writes                                |
/// | `still`   | reads ghosts that nobody writes in this launch  |
///
/// A task sees in ghosts the values from before the launch, even if neighbours have changed
/// theirs meanwhile. For that, ghosts are copies, on the same rank, too, where that costs more than
/// many a task does. If the launch doesn't write the field, or not those points, as in red-black
/// sweeps, no copy is needed: `rw, still` says so. It is a promise: a task that breaks it
/// sees sometimes old values, sometimes new ones.
///
/// A number in the third place says how deep the task looks into its neighbours, if that is less than the halo is:
/// `accessor<ro, ro, 1>`. Then no more than that is fetched.
///
/// A fold instead of a privilege for ghosts says that the task contributes to points of its neighbours:
///
/// \code
///   void forces(bars::view m, field<double>::accessor<ro, ro> u, field<double>::accessor<rw, fold::sum> f) {
///     for(auto i : m.owned(0)) {            // a bar from point i to the next one, which may be another color's
///       const double tension = u(i + 1) - u(i);
///       f(i) += tension;
///       f(i + 1) -= tension;
///     }
///   }
/// \endcode
///
/// Its ghosts are then no copies, but places for what the task has to add: at the beginning they are 0, or whatever is
/// the fold's identity, and what is there at the end becomes part of the owner's value, before any other launch
/// looks at that. If several colors contribute to a point their parts are folded in a fixed order, which does not depend
/// on the number of ranks. It goes for `fold::sum`, `product`, `min`, `max`, and any other fold: access.hpp.
///
/// In a checked build, RONDO_CHECKS, an accessor has the same members, and throws what a task is told that looks where
/// it must not: docs/mistakes.md.

#include <cstdint>
#include <type_traits>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/checked_accessor.hpp>
#include <rondo/distributed/ghost_use.hpp>
#include <rondo/distributed/privilege.hpp>

namespace rondo {

#ifndef RONDO_CHECKS

/// Written as `field<T>::accessor<Owned, Ghosts>`. Points are named by their coordinates in the whole
/// mesh. One that may do more becomes one that may do less by itself: functions that several tasks
/// share take what they need, `accessor<ro>` say.
template<class T, privilege Owned, auto Ghosts = na, int Depth = whole_halo>
class field_accessor {
public:
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = detail::ghost_use<T, Ghosts>;
  using value_type = T;
  using element = std::conditional_t<writes(owned) || writes(ghosts), T, const T>;

  explicit field_accessor(const detail::color_block& b)
      : origin_(reinterpret_cast<T*>(b.origin)), stride_{b.stride[0], b.stride[1]} {}

  template<privilege O, auto G, int D>
    requires(!std::is_same_v<field_accessor<T, O, G, D>, field_accessor> && covers(O, Owned) &&
              detail::covers_ghosts<G, Ghosts> && (D >= Depth || detail::is_privilege<Ghosts, na>))
  field_accessor(const field_accessor<T, O, G, D>& other)
      : origin_(other.origin_), stride_{other.stride_[0], other.stride_[1]} {}

  /// The only value of a color: topo::index, topo::global.
  element& operator()() const { return *origin_; }
  element& operator()(std::int64_t i) const { return origin_[i]; }
  element& operator()(std::int64_t i, std::int64_t j) const { return origin_[i + j * stride_[0]]; }
  element& operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return origin_[i + j * stride_[0] + k * stride_[1]];
  }

  /// The row as an array over the first coordinate: `row(j)[i]` is `(*this)(i, j)`.
  element* row(std::int64_t j) const { return origin_ + j * stride_[0]; }
  element* row(std::int64_t j, std::int64_t k) const {
    return origin_ + j * stride_[0] + k * stride_[1];
  }

private:
  template<class, privilege, auto, int>
  friend class field_accessor;

  T* origin_;
  std::int64_t stride_[2];
};

#endif

} // namespace rondo
