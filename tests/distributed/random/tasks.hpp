#pragma once

/// \file
/// What the launches of random programs do. Each task says for a point what the new value is,
/// given its surroundings; the same functions are called on whole arrays.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/coloring.hpp>

#include "plan.hpp"

namespace random_programs {

using rondo::box;
using rondo::point;

struct triple {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};
static_assert(sizeof(triple) == 12);

/// Values are made of hashes, and hashes of values.
template<class T>
T from_hash(std::uint64_t h);
template<>
inline std::uint64_t from_hash(std::uint64_t h) {
  return h;
}
template<>
inline double from_hash(std::uint64_t h) {
  return static_cast<double>(h >> 11U) / 7;
}
template<>
inline triple from_hash(std::uint64_t h) {
  return {static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(h >> 32U),
    static_cast<std::uint32_t>(mix(h, 1))};
}
inline std::uint64_t hash_of(std::uint64_t x) { return x; }
inline std::uint64_t hash_of(double x) { return mix(std::bit_cast<std::uint64_t>(x), 2); }
inline std::uint64_t hash_of(const triple& x) {
  return mix(x.a + (std::uint64_t{x.b} << 32U), x.c);
}

/// A row of a ragged field; it counts how long it is, too.
using row_of_hashes = std::span<const std::uint64_t>;
inline std::uint64_t hash_of(row_of_hashes row) {
  std::uint64_t h = mix(row.size(), 9);
  for(const std::uint64_t x : row)
    h = mix(h, x);
  return h;
}
/// What it is next: part of what it was, and new ones. Most are short; now and then one is not.
inline std::vector<std::uint64_t> next_row(std::uint64_t h, row_of_hashes before) {
  const std::size_t size = (h >> 8U) % (h % 16 == 0 ? 150 : 9);
  std::vector<std::uint64_t> row(before.begin(),
    before.begin() + static_cast<std::ptrdiff_t>(std::min(before.size(), size / 2)));
  while(row.size() != size)
    row.push_back(mix(h, row.size()));
  return row;
}

/// Neither commutes nor is it associative.
struct fold_in_order {
  void operator()(std::uint64_t& into, const std::uint64_t& part) const { into = mix(into, part); }
};

template<std::size_t D, class F>
void for_each_point(const box<D>& b, F&& f) {
  b.for_each_row([&](point<D> p, std::int64_t length) {
    for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0])
      f(p);
  });
}

/// Calls `f` with its coordinates.
template<std::size_t D, class F>
decltype(auto) with_coordinates(const point<D>& p, F&& f) {
  return std::apply(std::forward<F>(f), p);
}
/// Of a field, through an accessor.
template<std::size_t D, class A>
decltype(auto) value_at(const A& u, const point<D>& p) {
  return with_coordinates(p, [&](auto... x) -> decltype(auto) { return u(x...); });
}

/// One of them.
template<std::size_t D>
point<D> a_point_of(const box<D>& b, std::uint64_t id) {
  point<D> p;
  for(std::size_t a = 0; a != D; ++a)
    p[a] =
      b.lo[a] + static_cast<std::int64_t>(mix(id, a) % static_cast<std::uint64_t>(b.length(a)));
  return p;
}

/// What a point sees around it.
template<std::size_t D>
struct geometry {
  point<D> extents{};
  box<D> stored; ///< With points beyond the ends.
  std::array<bool, D> periodic{};
  bool has_halo;
  bool diagonals;
  std::vector<point<D>> offsets;
  std::vector<point<D>> near_offsets;       ///< To the next points.
  std::vector<point<D>> offsets_of_numbers; ///< Where a field has a thinner halo.

  geometry(const rondo::structured_shape<D>& s, std::int64_t halo_of_numbers)
      : extents(s.extents), stored{{}, s.extents}, periodic(s.periodic), has_halo(s.halo != 0),
        diagonals(s.diagonals) {
    for(std::size_t a = 0; a != D; ++a)
      if(!s.periodic[a]) {
        stored.lo[a] -= s.beyond;
        stored.hi[a] += s.beyond;
      }
    for_each_point(box<D>{{}, filled(1)}.grown(s.halo), [&](const point<D>& o) {
      std::size_t sides = 0;
      for(const std::int64_t x : o)
        sides += x != 0 ? 1 : 0;
      if(sides == 0 || (sides > 1 && !s.diagonals))
        return;
      offsets.push_back(o);
      if(box<D>{{}, filled(1)}.grown(1).contains(o))
        near_offsets.push_back(o);
      if(box<D>{{}, filled(1)}.grown(halo_of_numbers).contains(o))
        offsets_of_numbers.push_back(o);
    });
  }

  [[nodiscard]] std::uint64_t number(const point<D>& p) const {
    std::uint64_t n = 0;
    for(std::size_t a = D; a-- != 0;)
      n = n * static_cast<std::uint64_t>(stored.length(a)) +
          static_cast<std::uint64_t>(p[a] - stored.lo[a]);
    return n;
  }
  /// Returns false if there is nothing.
  [[nodiscard]] bool wrap(point<D>& p) const {
    for(std::size_t a = 0; a != D; ++a)
      if(p[a] < stored.lo[a] || p[a] >= stored.hi[a]) {
        if(!periodic[a])
          return false;
        p[a] = (p[a] % extents[a] + extents[a]) % extents[a];
      }
    return true;
  }
  /// Folds `read(where it is seen, where it is)` of all points around p, but those in `without`.
  template<class Read>
  [[nodiscard]] std::uint64_t around(const point<D>& p, const box<D>& without, Read&& read) const {
    using value = std::decay_t<decltype(read(p, p))>;
    return around(p, without, std::is_same_v<value, double> ? offsets_of_numbers : offsets, read);
  }
  template<class Read>
  [[nodiscard]] std::uint64_t around(const point<D>& p, const box<D>& without,
    const std::vector<point<D>>& those, Read&& read) const {
    std::uint64_t h = 3;
    for(const point<D>& o : those) {
      point<D> q = p;
      for(std::size_t a = 0; a != D; ++a)
        q[a] += o[a];
      point<D> w = q;
      if(wrap(w) && !without.contains(q))
        h = mix(h, hash_of(read(q, w)));
    }
    return h;
  }
  /// Calls `f(where it is seen, where it is, a hash)` for all points that p contributes to.
  template<class T, class F>
  void each_reached(const point<D>& p, std::uint64_t h, F&& f) const {
    for(const point<D>& o : std::is_same_v<T, double> ? offsets_of_numbers : offsets) {
      point<D> q = p;
      for(std::size_t a = 0; a != D; ++a)
        q[a] += o[a];
      if(point<D> w = q; wrap(w))
        f(q, w, h = mix(h, 8));
    }
  }
  static point<D> filled(std::int64_t n) {
    point<D> all;
    all.fill(n);
    return all;
  }
  /// Folds what lies around the point `fine` of the next finer mesh, as far as a color that owns `owned` sees it.
  template<class Read>
  [[nodiscard]] std::uint64_t around_fine(
    const point<D>& fine, const point<D>& by, const box<D>& owned, Read&& read) const {
    std::uint64_t h = 6;
    for_each_point(box<D>{{}, filled(2)}, [&](const point<D>& corner) {
      point<D> q;
      std::size_t outside = 0;
      bool is_beside = true;
      for(std::size_t a = 0; a != D; ++a) {
        q[a] = fine[a] / by[a] + corner[a];
        is_beside = is_beside && (corner[a] == 0 || fine[a] % by[a] != 0);
        outside += q[a] < owned.lo[a] || q[a] >= owned.hi[a] ? 1 : 0;
      }
      const bool is_seen = outside == 0 || (has_halo && (outside == 1 || diagonals));
      if(point<D> w = q; is_beside && is_seen && wrap(w))
        h = mix(h, hash_of(read(q, w)));
    });
    return h;
  }
  /// Folds what lies beside p, a point of a mesh that is staggered against this one: the same coordinates, and those `away` along each
  /// axis, as far as a color that has `all` sees them.
  template<class Read>
  [[nodiscard]] std::uint64_t beside(
    const point<D>& p, const point<D>& away, const box<D>& all, Read&& read) const {
    std::uint64_t h = 7;
    for_each_point(box<D>{{}, filled(2)}, [&](const point<D>& corner) {
      point<D> q;
      std::size_t outside = 0;
      bool is_beside = true;
      for(std::size_t a = 0; a != D; ++a) {
        q[a] = p[a] + corner[a] * away[a];
        is_beside = is_beside && (corner[a] == 0 || away[a] != 0);
        outside += q[a] < all.lo[a] || q[a] >= all.hi[a] ? 1 : 0;
      }
      const bool is_seen = outside == 0 || (has_halo && (outside == 1 || diagonals));
      if(point<D> w = q; is_beside && is_seen && wrap(w))
        h = mix(h, hash_of(read(q, w)));
    });
    return h;
  }
  static point<D> negative(point<D> p) {
    for(std::int64_t& x : p)
      x = -x;
    return p;
  }
  /// Calls `f` for the points of `all` that aren't in `inside`.
  template<class F>
  static void each_beyond(const box<D>& all, const box<D>& inside, F&& f) {
    for_each_point(all, [&](const point<D>& p) {
      if(!inside.contains(p))
        f(p);
    });
  }
  /// As on a chessboard.
  static bool is_black(const point<D>& p) {
    std::int64_t sum = 0;
    for(const std::int64_t x : p)
      sum += x;
    return sum % 2 != 0;
  }
  /// The same of those of the other color.
  template<class Read>
  [[nodiscard]] std::uint64_t others_around(const point<D>& p, Read&& read) const {
    std::uint64_t h = 4;
    for(const point<D>& o : offsets) {
      point<D> q = p;
      for(std::size_t a = 0; a != D; ++a)
        q[a] += o[a];
      point<D> w = q;
      if(wrap(w) && is_black(w) != is_black(p))
        h = mix(h, hash_of(read(q, w)));
    }
    return h;
  }
};

/// Some points of a mesh, and by how much they are shifted when they are copied to another one.
template<std::size_t D>
std::pair<box<D>, point<D>> copied_points(const point<D>& extents, std::uint64_t id) {
  std::pair<box<D>, point<D>> all{{{}, extents}, {}};
  for(std::size_t a = 0; a != D && id % 3 != 0; ++a) {
    const auto n = static_cast<std::uint64_t>(extents[a]);
    all.first.lo[a] = static_cast<std::int64_t>(mix(id, a) % n);
    all.first.hi[a] = all.first.lo[a] + static_cast<std::int64_t>(mix(id, 10 + a) % (n + 1));
    all.second[a] = static_cast<std::int64_t>(mix(id, 20 + a) % 5) - 2;
  }
  return all;
}

/// The number of a launch, and what it was given.
struct who {
  std::uint64_t id;
  std::uint64_t given;
  [[nodiscard]] std::uint64_t start(std::uint64_t point) const {
    return mix(mix(id, given), point);
  }
};

} // namespace random_programs
