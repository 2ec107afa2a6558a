#pragma once

/// \file
/// The accessor of checked builds. Each use of it is compared with what the color has and the task may do.

#ifdef RONDO_CHECKS

#include <cstdint>
#include <type_traits>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/block_limits.hpp>
#include <rondo/distributed/ghost_use.hpp>
#include <rondo/distributed/named_element.hpp>
#include <rondo/distributed/privilege.hpp>

namespace rondo {

inline namespace checked {

template<class T, privilege Owned, auto Ghosts = na, int Depth = whole_halo>
class field_accessor {
public:
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = detail::ghost_use<T, Ghosts>;
  using value_type = T;
  using element = std::conditional_t<writes(owned) || writes(ghosts), T, const T>;

  explicit field_accessor(const detail::color_block& b)
      : origin_(reinterpret_cast<T*>(b.origin)), stride_{b.stride[0], b.stride[1]},
        limits_(b.limits) {}

  template<privilege O, auto G, int D>
    requires(!std::is_same_v<field_accessor<T, O, G, D>, field_accessor> && covers(O, Owned) &&
              detail::covers_ghosts<G, Ghosts> && (D >= Depth || detail::is_privilege<Ghosts, na>))
  field_accessor(const field_accessor<T, O, G, D>& other)
      : origin_(other.origin_), stride_{other.stride_[0], other.stride_[1]},
        limits_(other.limits_) {}

  element& operator()() const { return at({0, 0, 0}, 0); }
  element& operator()(std::int64_t i) const { return at({i, 0, 0}, 1); }
  template<detail::named_element E>
  element& operator()(E e) const {
    detail::check_name(*limits_, E::name, e);
    return at({e, 0, 0}, 1);
  }
  element& operator()(std::int64_t i, std::int64_t j) const { return at({i, j, 0}, 2); }
  element& operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return at({i, j, k}, 3);
  }

  /// The row is checked, and not what is done with the pointer.
  element* row(std::int64_t j) const { return row_at({0, j, 0}, 2); }
  element* row(std::int64_t j, std::int64_t k) const { return row_at({0, j, k}, 3); }

private:
  template<class, privilege, auto, int>
  friend class field_accessor;

  /// Larger values show by themselves where they were not written.
  static constexpr bool notes_what_is_asked = Owned == wo && sizeof(T) < detail::least_marked;

  element& at(const point<3>& p, unsigned coordinates) const {
    if(Owned == na || coordinates != limits_->mesh.dimensions || !limits_->owned.contains(p))
      detail::check_element(*limits_, {owned, ghosts, Depth, p, coordinates});
    if constexpr(notes_what_is_asked)
      detail::note_asked(*limits_, p);
    return *place(p);
  }
  element* row_at(const point<3>& p, unsigned coordinates) const {
    detail::check_row(*limits_, {owned, ghosts, Depth, p, coordinates});
    if constexpr(notes_what_is_asked)
      detail::note_asked_row(*limits_, p);
    return place(p);
  }
  [[nodiscard]] element* place(const point<3>& p) const {
    return origin_ + p[0] + p[1] * stride_[0] + p[2] * stride_[1];
  }

  T* origin_;
  std::int64_t stride_[2];
  const detail::block_limits* limits_;
};

} // namespace checked

} // namespace rondo

#endif
