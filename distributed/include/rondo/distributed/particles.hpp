#pragma once

/// \file
/// Particles over a mesh: each belongs to a cell, and is with the color that owns the cell.
///
/// \code
///   struct charge { std::array<double, 2> x, v; };
///   using charges = particles<charge>;
///
///   void push(grid::view m, charges::accessor<rw> p, field<double>::accessor<ro, ro> q) {
///     for(charge* at = p.begin(); at != p.end();) {
///       move(*at, q);
///       const auto [i, j] = cell_of(at->x);
///       at = p.move_to(at, i, j);                  // stays, or goes to the color that owns the cell; the next one
///     }
///   }
///
///   charges p{m, "p"};                             // m: structured, unstructured, ...; there are none
///   s.execute<create>(m, p);                       // p.push_back(...) for cells of its own
///   s.repeat(1000, [&] { s.execute<push>(m, p, q); });
///   auto n = s.reduce<count, fold::sum>(m, p);
/// \endcode
///
/// *What a task sees* are the particles of its color, one after the other in memory, in any number. With `ro` it reads them, with `rw`
/// or `wo` it changes, makes and erases them, and moves them to cells: own ones, or ghosts. With the next launch that takes the
/// particles each is with the color that owns its cell; nobody waits for anybody but neighbours, and messages grow with what is in
/// them. A cell that the color doesn't see is an error: a halo as deep as the longest step is needed.
///
/// *Order* is the same on any number of ranks: a particle that leaves gets its place taken by the last one, and those that come
/// follow those that are there, by the numbers of the colors that they come from.
///
/// Where a cell has to know its particles, as for forces between them, take a ragged field: `field<ragged<T>>` over the cells, with
/// `fold::append` for those that change their cell and `accessor<ro, ro>` for those of neighbours. docs/particles.md has both.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/accessor_kind.hpp>
#include <rondo/distributed/made_of.hpp>
#include <rondo/distributed/mistakes.hpp>
#include <rondo/distributed/neighbour_colors.hpp>
#include <rondo/distributed/ragged.hpp>

namespace rondo {

/// Written as `particles<T>::accessor<rw>`.
template<class T, privilege Access>
class particle_accessor {
public:
  static constexpr privilege owned = Access;
  using value_type = T;
  using element = std::conditional_t<writes(Access), T, const T>;

  explicit particle_accessor(const detail::color_block& b)
      : rows_(reinterpret_cast<detail::row_store*>(b.origin)) {}
  template<privilege A>
    requires(A != Access && covers(A, Access))
  particle_accessor(const particle_accessor<T, A>& other) : rows_(other.rows_) {}

  [[nodiscard]] std::size_t size() const { return rows_->size_of(0); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] element* begin() const { return values() + rows_->begins()[0]; }
  [[nodiscard]] element* end() const { return values() + rows_->ends()[0]; }
  element& operator[](std::size_t k) const { return begin()[k]; }
  operator std::span<element>() const { return {begin(), size()}; }

  /// One more, in a cell that the color owns.
  void push_back(const T& p) const
    requires(writes(Access))
  {
    all().push_back(p);
  }
  void reserve(std::size_t more) const
    requires(writes(Access))
  {
    rows_->reserve(more);
  }
  void clear() const
    requires(writes(Access))
  {
    all().clear();
  }
  /// The last one takes its place. Returns where the next one is: there, or the end.
  T* erase(T* which) const
    requires(writes(Access))
  {
    *which = end()[-1];
    all().pop_back();
    return which;
  }
  /// The particle is now in the cell (i), (i, j) or (i, j, k), or that element. Returns where the next one is.
  T* move_to(T* which, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0) const
    requires(writes(Access))
  {
    if(rows_->owners().first.contains(point<3>{i, j, k})) [[likely]]
      return which + 1;
    return move_elsewhere(which, {i, j, k});
  }

private:
  template<class, privilege>
  friend class particle_accessor;
  [[nodiscard]] ragged_row<T> all() const { return ragged_row<T>(*rows_, 0); }
  [[nodiscard]] element* values() const { return reinterpret_cast<element*>(rows_->values()); }
  /// Apart, so that a loop over particles, of which few leave, has only the test of the first box in it.
  [[gnu::noinline]] T* move_elsewhere(T* which, const point<3>& cell) const {
    const detail::element_owners& owners = rows_->owners();
    if(owners.owns(cell))
      return which + 1;
    const std::int64_t to = owners.owner(cell, rows_->name());
    if(to == 0)
      return which + 1;
    ragged_row<T>(rows_->added(), to).push_back(*which);
    return erase(which);
  }

  detail::row_store* rows_;
};

template<class T>
class particles {
  static_assert(std::is_trivially_copyable_v<T>,
    "rondo::particles: they travel between ranks as bytes; their type must be trivially copyable");

public:
  using value_type = T;
  template<privilege Access>
  using accessor = particle_accessor<T, Access>;

  /// There are none at first.
  explicit particles(const topology& mesh, const std::string& name = "particles",
    std::source_location where = std::source_location::current())
      : around_(mesh, detail::neighbour_colors(mesh), {.name = "colors around " + name}, where),
        rows_(around_, name, where) {
    detail::note_owners(rows_.state(), around_.space());
  }

  [[nodiscard]] const char* name() const { return rows_.name(); }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return rows_.number(); }
  /// For launches.
  [[nodiscard]] detail::field_state& state() const { return rows_.state(); }

private:
  topo::made_of<detail::neighbour_colors> around_;
  field<ragged<T>> rows_;
};

namespace detail::inline distributed {

template<class T>
inline constexpr bool has_values_in_files<particles<T>> = true;
template<class T>
inline constexpr bool has_rows_of_values<particles<T>> = true;

template<class T, privilege Access>
struct accessor_kind<particle_accessor<T, Access>>
    : accessor_kind_of_rows<Access, writes(Access) ? privilege::folds : na> {
  static_assert(
    Access != still && Access != na, "rondo::particles: declare accessor<ro>, <rw> or <wo>");
  using argument = particles<T>;
  static constexpr short depth = whole_halo;
  static particle_accessor<T, Access> make(const color_block& b) {
    return particle_accessor<T, Access>(b);
  }
};

} // namespace detail::inline distributed

} // namespace rondo
