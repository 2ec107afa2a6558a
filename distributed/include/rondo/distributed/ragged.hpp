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

namespace detail::inline distributed {

/// Says what is wrong with the arguments of an accessor: once, where it is named.
template<privilege Owned, auto Ghosts, int Depth>
struct ragged_accessor_arguments {
  static_assert(!is_fold<Ghosts>, "rondo::ragged: tasks don't contribute to rows of their "
                                  "neighbours; write them into rows of own elements "
                                  "that the neighbours read");
  static constexpr bool only_reads = is_fold<Ghosts> || is_privilege<Ghosts, na> ||
                                     is_privilege<Ghosts, ro> || is_privilege<Ghosts, still>;
  static_assert(
    only_reads, "rondo::ragged: ghosts of ragged fields are not written; declare na, ro or still");

  static constexpr privilege ghosts = [] {
    if constexpr(is_fold<Ghosts>)
      return na;
    else
      return Ghosts;
  }();
  static constexpr int depth = accessor_arguments<int, Owned, ghosts, Depth>::depth;
};

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

template<class T, privilege Owned, privilege Ghosts, int Depth>
struct accessor_kind<ragged_accessor<T, Owned, Ghosts, Depth>> {
  using argument = field<ragged<T>>;
  static constexpr privilege owned = Owned;
  static constexpr privilege ghosts = Ghosts;
  static constexpr short depth = Depth;
  static constexpr bool has_rows = true;
  static ragged_accessor<T, Owned, Ghosts, Depth> make(const color_block& b) {
    return ragged_accessor<T, Owned, Ghosts, Depth>(b);
  }
  /// After the task.
  static void end(const color_block& b)
    requires(writes(Owned))
  {
    reinterpret_cast<row_store*>(b.origin)->end_changes();
  }
};

} // namespace detail::inline distributed

} // namespace rondo
