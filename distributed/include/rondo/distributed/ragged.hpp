#pragma once

/// \file
/// Ragged fields: a row of values for each element, as long as tasks make it.
///
/// \code
///   using hits = field<ragged<hit>>;                  // of cells: what was seen in each
///
///   void collect(mesh::view m, hits::accessor<rw> h, field<double>::accessor<ro> light) {
///     for(const auto c : m.owned<kind::cells>())
///       if(light(c) > threshold)
///         h(c).push_back({light(c), m.color()});      // ragged_row.hpp: as a std::vector
///   }
///   std::size_t around(mesh::view m, hits::accessor<ro, ro> h) {
///     std::size_t sum = 0;
///     for(const auto c : m.owned<kind::cells>())
///       for(const auto n : m.cells_of(c))             // own ones, or ghosts of any lengths
///         for(const hit& x : h(n))                    // a std::span<const hit>
///           sum += x.light > 2;
///     return sum;
///   }
///
///   hits h{m, "h"};                                   // all rows are empty
///   s.execute<collect>(m, h, light);
///   auto n = s.reduce<around, fold::sum>(m, h);
/// \endcode
///
/// They are fields like any other: over any topology, in launches, reductions, loops of any kind and traces; ghosts are fetched where they are
/// read. docs/ragged.md says what is different.
///
/// *Privileges.* `ro`, `wo` and `rw` for what the color owns; `na`, `ro` and `still` for ghosts. A row keeps what it has until it is
/// changed, also with `wo`, which says that the task looks at nothing of before.
///
/// `fold::append` for ghosts says that the task adds values to rows of its neighbours. To it, rows of ghosts are empty at the beginning;
/// what it puts there is at the end of the owner's row before any other launch looks at that. So things move from element to element:
///
/// \code
///   void drift(mesh::view m, hits::accessor<ro> from, hits::accessor<wo, fold::append> to) {
///     for(const auto c : m.owned<kind::cells>())
///       to(c).clear();
///     for(const auto c : m.owned<kind::cells>())
///       for(const hit& x : from(c))
///         to(next(m, c, x)).push_back(x);             // an own cell, or a ghost
///   }
/// \endcode
///
/// The order is the same on any number of ranks: first what the own task has put there, then what each neighbour's has.
///
/// *Memory.* Rows that are filled one after the other lie one after the other, with four bytes more for each: what compressed rows by hand
/// take. So a sparse matrix is a ragged field, or two of them.

#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <rondo/distributed/accessor_kind.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/ragged_accessor.hpp>

namespace rondo {

/// As in `field<ragged<T>>`: a row of T for each element.
template<class T>
struct ragged {
  using value_type = T;
};

namespace fold {
/// Values that a task adds to rows of ghosts go to the ends of their owners' rows.
struct append_type {};
inline constexpr append_type append;
} // namespace fold

namespace detail::inline distributed {

template<auto Ghosts>
inline constexpr bool is_append =
  std::is_same_v<std::remove_cv_t<decltype(Ghosts)>, fold::append_type>;

template<auto Ghosts>
constexpr privilege ghosts_of_rows() {
  if constexpr(is_append<Ghosts>)
    return privilege::folds;
  else if constexpr(is_fold<Ghosts>)
    return na;
  else
    return Ghosts;
}

/// Says what is wrong with the arguments of an accessor: once, where it is named.
template<privilege Owned, auto Ghosts, int Depth>
struct ragged_accessor_arguments {
  static constexpr privilege ghosts = ghosts_of_rows<Ghosts>();
  static constexpr bool reads_or_appends = is_fold<Ghosts> || !writes(ghosts);

  static_assert(!is_fold<Ghosts> || is_append<Ghosts>,
    "rondo::ragged: tasks' contributions to rows of their neighbours are appended to these: "
    "declare fold::append");
  static_assert(reads_or_appends,
    "rondo::ragged: ghosts of ragged fields are not written; declare na, ro or still, or "
    "fold::append to add values to rows of neighbours");
  static_assert(!is_append<Ghosts> || writes(Owned),
    "rondo::ragged: values that neighbours append change a color's own rows: declare rw, or wo, "
    "beside "
    "the fold");

  static constexpr privilege read_ghosts = ghosts == ro || ghosts == still ? ghosts : na;
  static constexpr int depth = accessor_arguments<int, Owned, read_ghosts, Depth>::depth;
};

/// Nothing is folded that has one value for each element.
inline constexpr folding appending{nullptr, nullptr};

} // namespace detail::inline distributed

template<class T>
class field<ragged<T>> : public field_handle {
  static_assert(!detail::is_ragged<T>, "rondo::ragged: rows have values, and no rows; keep the "
                                       "lengths of the inner ones in a second ragged field");
  static_assert(std::is_trivially_copyable_v<T>,
    "rondo::field: values travel between ranks as bytes; "
    "their type must be trivially copyable");
  static_assert(alignof(T) <= 4096, "rondo::field: no value may be aligned to more than a page");

public:
  using value_type = ragged<T>;
  template<privilege Owned, auto Ghosts = na, int Depth = whole_halo>
  using accessor =
    ragged_accessor<T, Owned, detail::ragged_accessor_arguments<Owned, Ghosts, Depth>::ghosts,
      detail::ragged_accessor_arguments<Owned, Ghosts, Depth>::depth>;

  explicit field(const topology& t, std::string name = "field",
    std::source_location where = std::source_location::current())
      : field(t, std::move(name), field_options(), where) {}
  field(const topology& t, std::string name, const field_options& options,
    std::source_location where = std::source_location::current())
      : field_handle(std::make_unique<detail::field_state>(t, std::move(name), options,
          detail::field_state::value_layout{sizeof(T), alignof(T), true}, where)) {}

  field(field&& other) noexcept = default;
  /// As of other fields.
  field& operator=(field&& other) noexcept = default;
};

namespace detail::inline distributed {

/// What kinds of accessors to rows have in common.
template<privilege Owned, privilege Ghosts>
struct accessor_kind_of_rows {
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = Ghosts;
  static constexpr bool has_rows = true;
  static constexpr const folding& how()
    requires(ghosts == privilege::folds)
  {
    return appending;
  }
  /// After the task.
  static void end(const color_block& b)
    requires(writes(Owned))
  {
    reinterpret_cast<row_store*>(b.origin)->end_changes();
  }
};

template<class T, privilege Owned, privilege Ghosts, int Depth>
struct accessor_kind<ragged_accessor<T, Owned, Ghosts, Depth>>
    : accessor_kind_of_rows<Owned, Ghosts> {
  using argument = field<ragged<T>>;
  static constexpr short depth = Depth;
  static ragged_accessor<T, Owned, Ghosts, Depth> make(const color_block& b) {
    return ragged_accessor<T, Owned, Ghosts, Depth>(b);
  }
};

} // namespace detail::inline distributed

} // namespace rondo
