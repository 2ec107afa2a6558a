#pragma once

/// \file
/// What an unstructured mesh consists of, and how it is numbered: kinds of elements, and which of them belong to which.
///
/// \code
///   using mesh = unstructured<kind::cells, kind::vertices, links<kind::cells, kind::cells>>;
///
///   for(element<kind::cells> c : m.owned<kind::cells>())
///     for(element<kind::vertices> v : m.vertices_of(c))
///       x(v) += u(c);
/// \endcode
///
/// An element is a number, from 0 on in each color, with the kind as its type; so nobody takes the number of a cell for that of a
/// vertex where a mesh is asked. Accessors take any; a checked build compares it with what the field has values for.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>

#include <rondo/distributed/number_iterator.hpp>

namespace rondo {

/// Kinds by their numbers.
enum class element_kind : std::uint8_t { cells, faces, edges, vertices };

namespace kind {

/// What the mesh is cut into: triangles, tetrahedra, ...
struct cells {
  static constexpr element_kind number = element_kind::cells;
  static constexpr const char* name = "cell";
};
/// Between two cells, or at the end of the mesh: of triangles their sides, of tetrahedra triangles.
struct faces {
  static constexpr element_kind number = element_kind::faces;
  static constexpr const char* name = "face";
};
/// From vertex to vertex. In two dimensions the same as faces, in one dimension the same as cells.
struct edges {
  static constexpr element_kind number = element_kind::edges;
  static constexpr const char* name = "edge";
};
struct vertices {
  static constexpr element_kind number = element_kind::vertices;
  static constexpr const char* name = "vertex";
};

} // namespace kind

/// A table of which elements belong to each element of one kind:
///
/// | table | |
/// |---|---|
/// | `links<kind::cells, kind::cells>` | the cells that share a face with a cell |
/// | `links<kind::vertices, kind::vertices>` | the vertices that share an edge with a vertex |
/// | `links<kind::vertices, kind::cells>`, and the like | the cells that have this vertex |
/// | `links<kind::faces, kind::vertices>`, and the like | the vertices that this face has |
///
/// What a cell consists of a mesh knows without asking.
template<class From, class To>
struct links {
  using from = From;
  using to = To;
};

/// An element of a color: those that the color owns come first, ghosts behind.
template<class Kind>
class element {
public:
  static constexpr const char* name = Kind::name;

  constexpr element() = default;
  constexpr explicit element(std::int64_t number) : number_(number) {}
  constexpr operator std::int64_t() const { return number_; }

private:
  std::int64_t number_ = 0; // as accessors want it: loops need not widen it
};

/// Elements whose numbers follow each other.
template<class Kind>
class element_range {
public:
  using iterator = detail::number_iterator<element<Kind>>;

  constexpr element_range(std::int64_t first, std::int64_t last) : first_(first), last_(last) {}
  [[nodiscard]] constexpr iterator begin() const { return iterator(first_); }
  [[nodiscard]] constexpr iterator end() const { return iterator(last_); }
  [[nodiscard]] constexpr std::int64_t size() const { return last_ - first_; }
  [[nodiscard]] constexpr bool empty() const { return first_ == last_; }

private:
  std::int64_t first_;
  std::int64_t last_;
};

/// Elements in a row of a table.
template<class Kind>
class element_list {
public:
  class iterator {
  public:
    using iterator_concept = std::forward_iterator_tag;
    using value_type = element<Kind>;
    using difference_type = std::ptrdiff_t;

    constexpr iterator() = default;
    constexpr explicit iterator(const std::int32_t* at) : at_(at) {}
    constexpr value_type operator*() const { return value_type(*at_); }
    constexpr iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr iterator operator++(int) { return iterator(at_++); }
    friend constexpr bool operator==(const iterator&, const iterator&) = default;

  private:
    const std::int32_t* at_ = nullptr;
  };

  constexpr element_list(const std::int32_t* first, const std::int32_t* last)
      : first_(first), last_(last) {}
  [[nodiscard]] constexpr iterator begin() const { return iterator(first_); }
  [[nodiscard]] constexpr iterator end() const { return iterator(last_); }
  [[nodiscard]] constexpr std::size_t size() const {
    return static_cast<std::size_t>(last_ - first_);
  }
  [[nodiscard]] constexpr bool empty() const { return first_ == last_; }
  [[nodiscard]] constexpr element<Kind> operator[](std::size_t k) const {
    return element<Kind>(first_[k]);
  }

private:
  const std::int32_t* first_;
  const std::int32_t* last_;
};

} // namespace rondo

// Two numbers or pointers each: they are copied, and their iterators stay valid without them. So they are views of the standard library;
// std::views::reverse takes a range, while a list only goes forward.
template<class Kind>
inline constexpr bool std::ranges::enable_view<rondo::element_range<Kind>> = true;
template<class Kind>
inline constexpr bool std::ranges::enable_borrowed_range<rondo::element_range<Kind>> = true;
template<class Kind>
inline constexpr bool std::ranges::enable_view<rondo::element_list<Kind>> = true;
template<class Kind>
inline constexpr bool std::ranges::enable_borrowed_range<rondo::element_list<Kind>> = true;

namespace rondo {

static_assert(std::ranges::view<element_range<kind::cells>>);
static_assert(std::ranges::random_access_range<element_range<kind::cells>>);
static_assert(std::ranges::sized_range<element_range<kind::cells>>);
static_assert(std::ranges::common_range<element_range<kind::cells>>);
static_assert(std::ranges::view<element_list<kind::cells>>);
static_assert(std::ranges::forward_range<element_list<kind::cells>>);

} // namespace rondo
