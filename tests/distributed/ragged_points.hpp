#pragma once

/// \file
/// Tasks over ragged fields of a structured mesh, and the same by hand over all points at once.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/rondo.hpp>

#include "meshes.hpp"
#include "ragged_rows.hpp"

namespace ragged_rows {

using namespace rondo;
using lists = field<ragged<hash>>;

/// Calls `f` for the points of a box.
template<std::size_t D, class F>
void each(const box<D>& b, F&& f) {
  b.for_each_row([&](point<D> p, std::int64_t length) {
    for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0])
      f(p);
  });
}

/// What a mesh is, for a point of it.
template<std::size_t D>
struct around {
  point<D> extents{};
  std::array<bool, D> periodic{};
  bool diagonals = false;

  static around of(const structured_options<D>& s) { return {s.extents, s.periodic, s.diagonals}; }
  [[nodiscard]] hash number(const point<D>& p) const {
    hash n = 0;
    for(std::size_t a = D; a-- != 0;)
      n = n * static_cast<hash>(extents[a]) + static_cast<hash>(p[a]);
    return n;
  }
  /// Calls `f(where it is seen, where it is)` of what a point sees so deep.
  template<class F>
  void each_seen(const point<D>& p, std::int64_t depth, F&& f) const {
    point<D> end = p;
    for(std::int64_t& x : end)
      ++x;
    each(box<D>{p, end}.grown(depth), [&](const point<D>& q) {
      std::size_t sides = 0;
      point<D> there = q;
      for(std::size_t a = 0; a != D; ++a) {
        sides += q[a] != p[a] ? 1 : 0;
        if(periodic[a])
          there[a] = (q[a] % extents[a] + extents[a]) % extents[a];
        else if(q[a] < 0 || q[a] >= extents[a])
          return;
      }
      if(sides == 1 || (sides > 1 && diagonals))
        f(q, there);
    });
  }
};

template<class A, std::size_t D>
decltype(auto) at(const A& a, const point<D>& p) {
  if constexpr(D == 1)
    return a(p[0]);
  else if constexpr(D == 2)
    return a(p[0], p[1]);
  else
    return a(p[0], p[1], p[2]);
}

namespace task {
template<std::size_t D>
void fill(typename structured<D>::view m, lists::accessor<wo> a, around<D> g, hash id) {
  each(m.owned(), [&](const point<D>& p) {
    at(a, p).assign(digest(meshes::mix(id, g.number(p))).row({}, ragged_rows::most_in(id)));
  });
}
/// The row of a point, from those around it.
template<std::size_t D, class To, class From>
std::vector<hash> made(const around<D>& g, const point<D>& p, std::int64_t depth, hash id,
  const To& to, const From& from) {
  digest d(meshes::mix(id, g.number(p)));
  const std::span<const hash> before = at(to, p);
  d.add(before);
  g.each_seen(p, depth, [&](const point<D>& q, auto&) { d.add(at(from, q)); });
  return d.row(before, ragged_rows::most_in(id));
}
template<std::size_t D, int Depth>
void look(typename structured<D>::view m, lists::accessor<rw> to,
  lists::accessor<ro, ro, Depth> from, around<D> g, std::int64_t depth, hash id) {
  each(m.owned(), [&](const point<D>& p) { at(to, p).assign(made(g, p, depth, id, to, from)); });
}
/// What it sees is the field that it changes.
template<std::size_t D>
void relax(typename structured<D>::view m, lists::accessor<rw, ro> u, around<D> g,
  std::int64_t depth, hash id) {
  std::vector<std::vector<hash>> rows;
  each(m.owned(), [&](const point<D>& p) { rows.push_back(made(g, p, depth, id, u, u)); });
  auto next = rows.begin();
  each(m.owned(), [&](const point<D>& p) { at(u, p).assign(*next++); });
}
template<std::size_t D>
hash bits(typename structured<D>::view m, lists::accessor<ro> a, around<D> g) {
  hash h = 0;
  each(m.owned(), [&](const point<D>& p) { h += ragged_rows::bits_of(g.number(p), at(a, p)); });
  return h;
}
template<std::size_t D>
std::uint64_t values_of(typename structured<D>::view, lists::accessor<ro> a) {
  return a.total();
}
} // namespace task

/// All points of a mesh.
template<std::size_t D>
class by_hand {
public:
  explicit by_hand(const around<D>& g) : g_(g), mesh_{{}, g.extents} {
    rows_.resize(static_cast<std::size_t>(mesh_.size()));
  }
  void fill(hash id) {
    each(mesh_, [&](const point<D>& p) {
      row(p) = digest(meshes::mix(id, g_.number(p))).row({}, ragged_rows::most_in(id));
    });
  }
  void look(const by_hand& from, std::int64_t depth, hash id) {
    const by_hand old = from; // it may be this one
    each(mesh_, [&](const point<D>& p) {
      digest d(meshes::mix(id, g_.number(p)));
      d.add(row(p));
      g_.each_seen(p, depth, [&](auto&, const point<D>& q) { d.add(old.row(q)); });
      row(p) = d.row(std::vector(row(p)), ragged_rows::most_in(id));
    });
  }
  [[nodiscard]] hash bits() const {
    hash h = 0;
    for(std::size_t n = 0; n != rows_.size(); ++n)
      h += ragged_rows::bits_of(n, rows_[n]);
    return h;
  }
  [[nodiscard]] std::uint64_t values() const {
    std::uint64_t all = 0;
    for(const auto& r : rows_)
      all += r.size();
    return all;
  }

private:
  [[nodiscard]] std::vector<hash>& row(const point<D>& p) { return rows_[g_.number(p)]; }
  [[nodiscard]] const std::vector<hash>& row(const point<D>& p) const {
    return rows_[g_.number(p)];
  }

  around<D> g_;
  box<D> mesh_;
  std::vector<std::vector<hash>> rows_;
};

} // namespace ragged_rows
