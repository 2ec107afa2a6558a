#pragma once

/// \file
/// What a task sees of a ragged field: ragged.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <rondo/core/checks.hpp>
#include <rondo/distributed/block.hpp>
#include <rondo/distributed/block_limits.hpp>
#include <rondo/distributed/ghost_use.hpp>
#include <rondo/distributed/named_element.hpp>
#include <rondo/distributed/privilege.hpp>
#include <rondo/distributed/ragged_row.hpp>
#include <rondo/distributed/row_store.hpp>

namespace rondo {

namespace detail::inline distributed {

/// Rows that are only read: where they are does not change, so loops need not look again.
template<class T, bool SeesGhosts>
class rows_to_read {
public:
  using row = std::span<const T>;

  explicit rows_to_read(row_store& s)
      : begins_(s.begins()), ends_(s.ends()), values_(reinterpret_cast<const T*>(s.values())),
        all_(&s) {}

  [[nodiscard]] row at(std::int64_t place) const {
    const std::uint32_t end = ends_[place];
    if constexpr(SeesGhosts)
      if(end == row_store::is_ghost) {
        const row_store::ghost_row& ghost = all_->ghost(place);
        return {reinterpret_cast<const T*>(ghost.values), ghost.size};
      }
    const std::uint32_t begin = begins_[place];
    return {values_ + begin, std::size_t{end} - begin};
  }
  [[nodiscard]] row_store& all() const { return *all_; }

private:
  const std::uint32_t* begins_;
  const std::uint32_t* ends_;
  const T* values_;
  row_store* all_;
};

/// Only ghosts are read: meanwhile other tasks may change what the color owns, so nothing of that is looked at, not even where it is.
template<class T>
class rows_of_ghosts {
public:
  using row = std::span<const T>;

  explicit rows_of_ghosts(row_store& s) : all_(&s) {}
  [[nodiscard]] row at(std::int64_t place) const {
    const row_store::ghost_row& ghost = all_->ghost(place);
    return {reinterpret_cast<const T*>(ghost.values), ghost.size};
  }
  [[nodiscard]] row_store& all() const { return *all_; }

private:
  row_store* all_;
};

template<class T>
class rows_to_change {
public:
  using row = ragged_row<T>;

  explicit rows_to_change(row_store& s) : all_(&s) {}
  [[nodiscard]] row at(std::int64_t place) const { return row(*all_, place); }
  [[nodiscard]] row_store& all() const { return *all_; }

private:
  row_store* all_;
};

/// Rows of ghosts are those that are appended to the owners'.
template<class T>
class rows_to_append {
public:
  using row = ragged_row<T>;

  explicit rows_to_append(row_store& s) : all_(&s) {}
  [[nodiscard]] row at(std::int64_t place) const {
    const bool is_ghost = all_->ends()[place] == row_store::is_ghost;
    return row(is_ghost ? all_->added() : *all_, place);
  }
  [[nodiscard]] row_store& all() const { return *all_; }

private:
  row_store* all_;
};

template<class T, privilege Owned, privilege Ghosts>
struct rows_for_privileges {
  using type = rows_to_read<T, Ghosts != na>;
};
template<class T, privilege Ghosts>
struct rows_for_privileges<T, na, Ghosts> {
  using type = rows_of_ghosts<T>;
};
template<class T, privilege Owned, privilege Ghosts>
  requires(writes(Owned))
struct rows_for_privileges<T, Owned, Ghosts> {
  using type = std::conditional_t<Ghosts == privilege::folds, rows_to_append<T>, rows_to_change<T>>;
};
template<class T, privilege Owned, privilege Ghosts>
using rows_for = typename rows_for_privileges<T, Owned, Ghosts>::type;

} // namespace detail::inline distributed

/// Written as `field<ragged<T>>::accessor<Owned, Ghosts>`. It names elements as accessors of other fields do.
template<class T, privilege Owned, privilege Ghosts = na, int Depth = whole_halo>
class ragged_accessor {
  using rows = detail::rows_for<T, Owned, Ghosts>;

public:
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = Ghosts;
  using value_type = T;
  /// ragged_row<T>, or std::span<const T> if the task only reads.
  using row = typename rows::row;

  explicit ragged_accessor(const detail::color_block& b)
      : rows_(*reinterpret_cast<detail::row_store*>(b.origin)), stride_{b.stride[0], b.stride[1]} {
#ifdef RONDO_CHECKS
    limits_ = b.limits;
#endif
  }

  template<privilege O, privilege G, int D>
    requires(!std::is_same_v<ragged_accessor<T, O, G, D>, ragged_accessor> && covers(O, Owned) &&
              covers(G, Ghosts) && (D >= Depth || Ghosts == na))
  ragged_accessor(const ragged_accessor<T, O, G, D>& other)
      : rows_(other.rows_.all()), stride_{other.stride_[0], other.stride_[1]} {
#ifdef RONDO_CHECKS
    limits_ = other.limits_;
#endif
  }

  /// The only row of a color: topo::index.
  row operator()() const { return at({0, 0, 0}, 0); }
  row operator()(std::int64_t i) const { return at({i, 0, 0}, 1); }
#ifdef RONDO_CHECKS
  template<detail::named_element E>
  row operator()(E e) const {
    detail::check_name(*limits_, E::name, e);
    return at({e, 0, 0}, 1);
  }
#endif
  row operator()(std::int64_t i, std::int64_t j) const { return at({i, j, 0}, 2); }
  row operator()(std::int64_t i, std::int64_t j, std::int64_t k) const { return at({i, j, k}, 3); }

  /// Values of all rows that the color owns.
  [[nodiscard]] std::size_t total() const {
    static_assert(Owned != na, "rondo::ragged: total() is of rows that the color owns; declare "
                               "accessor<ro, ...>");
    return rows_.all().total();
  }
  /// Room for so many more, so that rows that grow are not moved as often.
  void reserve(std::size_t values) const
    requires(writes(Owned))
  {
    rows_.all().reserve(values);
  }

private:
  template<class, privilege, privilege, int>
  friend class ragged_accessor;

  row at(const point<3>& p, [[maybe_unused]] unsigned coordinates) const {
#ifdef RONDO_CHECKS
    if(Owned == na || coordinates != limits_->mesh.dimensions || !limits_->owned.contains(p))
      detail::check_element(*limits_, {owned, ghosts, Depth, p, coordinates});
#endif
    return rows_.at(p[0] + p[1] * stride_[0] + p[2] * stride_[1]);
  }

  rows rows_;
  std::int64_t stride_[2];
#ifdef RONDO_CHECKS
  const detail::block_limits* limits_ = nullptr;
#endif
};

} // namespace rondo
