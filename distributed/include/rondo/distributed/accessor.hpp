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
/// What a task sees in ghosts is what was there before the launch, even if neighbours have changed
/// theirs meanwhile. For that, ghosts are copies, on the same rank, too, where that costs more than
/// many a task does. If the launch doesn't write the field, or not those points, as in red-black
/// sweeps, no copy is needed: `rw, still` says so. It is a promise: a task that breaks it
/// sees sometimes old values, sometimes new ones.
///
/// In a checked build, RONDO_CHECKS, an accessor has the same members, and throws what a task is told that looks where
/// it must not: docs/mistakes.md.

#include <cstdint>
#include <type_traits>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/checked_accessor.hpp>
#include <rondo/distributed/privilege.hpp>

namespace rondo {

#ifndef RONDO_CHECKS

/// Written as `field<T>::accessor<Owned, Ghosts>`. Points are named by their coordinates in the whole
/// mesh. One that may do more becomes one that may do less by itself: functions that several tasks
/// share take what they need, `accessor<ro>` say.
template<class T, privilege Owned, privilege Ghosts = na>
class field_accessor {
  static_assert(Owned != still, "rondo::accessor: still is for ghosts, the second privilege");

public:
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = Ghosts;
  using value_type = T;
  using element = std::conditional_t<writes(Owned) || writes(Ghosts), T, const T>;

  explicit field_accessor(const detail::color_block& b)
      : origin_(reinterpret_cast<T*>(b.origin)), stride_{b.stride[0], b.stride[1]} {}

  template<privilege O, privilege G>
    requires((O != Owned || G != Ghosts) && covers(O, Owned) && covers(G, Ghosts))
  field_accessor(const field_accessor<T, O, G>& other)
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
  template<class, privilege, privilege>
  friend class field_accessor;

  T* origin_;
  std::int64_t stride_[2];
};

#endif

} // namespace rondo
