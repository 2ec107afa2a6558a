#pragma once

/// \file
/// What the second argument of an accessor says: a privilege, or an operation to fold with.

#include <concepts>
#include <type_traits>
#include <utility>

#include <rondo/distributed/privilege.hpp>

namespace rondo::detail::inline distributed {

/// In the shape of `fold::sum`.
template<class Op, class T>
concept folds_values = requires(const Op op, T& into, const T& part) {
  { op.identity(part) } -> std::convertible_to<T>;
  op(into, part);
};

template<auto Ghosts>
inline constexpr bool is_fold = !std::is_same_v<std::remove_cv_t<decltype(Ghosts)>, privilege>;

template<auto Ghosts, privilege Which>
constexpr bool find_is_privilege() {
  if constexpr(is_fold<Ghosts>)
    return false;
  else
    return Ghosts == Which;
}
template<auto Ghosts, privilege Which>
inline constexpr bool is_privilege = find_is_privilege<Ghosts, Which>();

/// Whether it is a fold of values of another type.
template<class T, auto Ghosts>
inline constexpr bool is_fold_of_others =
  is_fold<Ghosts> && !folds_values<std::remove_cv_t<decltype(Ghosts)>, T>;

/// The privilege that it stands for; none if accessor_arguments refuses it, so that the compiler says nothing more.
template<class T, auto Ghosts>
constexpr privilege find_ghost_use() {
  if constexpr(is_fold_of_others<T, Ghosts>)
    return na;
  else if constexpr(is_fold<Ghosts>)
    return privilege::folds;
  else
    return Ghosts;
}
template<class T, auto Ghosts>
inline constexpr privilege ghost_use = find_ghost_use<T, Ghosts>();

/// A task that may do the one with ghosts may do the other. Folds cover themselves only.
template<auto Has, auto Wants>
constexpr bool find_covers() {
  if constexpr(is_fold<Wants>)
    return std::is_same_v<decltype(Has), decltype(Wants)>;
  else if constexpr(is_fold<Has>)
    return Wants == na;
  else
    return covers(Has, Wants);
}
template<auto Has, auto Wants>
inline constexpr bool covers_ghosts = find_covers<Has, Wants>();

/// Says what is wrong with the arguments of an accessor: once, where it is named.
template<class T, privilege Owned, auto Ghosts, int Depth>
struct accessor_arguments {
  static_assert(Owned != still, "rondo::accessor: still is for ghosts, the second privilege");
  static_assert(!is_fold_of_others<T, Ghosts>,
    "rondo::accessor: for ghosts it takes na, ro, wo, rw, still, or a fold for values of this "
    "type, such as fold::sum: see accessor.hpp");
  static_assert(writes(Owned) || !is_fold<Ghosts>,
    "rondo::accessor: neighbours' contributions change a color's own elements: declare rw, or wo, "
    "beside the fold");
  static_assert(Depth == whole_halo || (0 < Depth && Depth < whole_halo),
    "rondo::accessor: ghosts are 1 deep, or deeper; without the third argument as deep as the "
    "halo");
  static_assert(Depth == whole_halo || is_privilege<Ghosts, ro> || is_privilege<Ghosts, still>,
    "rondo::accessor: only ghosts that are read, ro or still, may be less deep than the halo");

  static constexpr int depth = Depth;
};

} // namespace rondo::detail::inline distributed
