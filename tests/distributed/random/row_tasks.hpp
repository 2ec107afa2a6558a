#pragma once

/// \file
/// Tasks of random programs over ragged fields of structured meshes.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <rondo/rondo.hpp>

#include "appending.hpp"
#include "field_tasks.hpp"

namespace random_programs {

template<privilege O, auto G = na, int Depth = rondo::whole_halo>
using rows_acc = rondo::field<rondo::ragged<std::uint64_t>>::accessor<O, G, Depth>;

template<std::size_t D>
struct work_with_rows {
  using form = const geometry<D>*;
  using fields = work<D>;

  template<class A>
  static decltype(auto) at(const A& u, const point<D>& p) {
    return value_at(u, p);
  }
  template<class A>
  static row_of_hashes row(const A& u, const point<D>& p) {
    return at(u, p);
  }
  template<class A>
  static auto row_to_change(const A& u) {
    return [&u](const point<D>& p) { return at(u, p); };
  }
  template<class A>
  static hash seen(form g, const A& u, const point<D>& p, const box<D>& without = {}) {
    return g->around(p, without, [&](const point<D>& q, auto&) { return row(u, q); });
  }
  /// All new rows are there before the first one is changed.
  template<class A, class F>
  static void set(const view<D>& m, const A& u, F&& f) {
    std::vector<std::vector<hash>> rows;
    for_each_point(m.owned(), [&](const point<D>& p) { rows.push_back(f(p)); });
    auto next = rows.begin();
    for_each_point(m.owned(), [&](const point<D>& p) { at(u, p).assign(*next++); });
  }

  static void fill(view<D> m, rows_acc<wo> u, form g, hash id, hash given) {
    for_each_point(m.owned(), [&](const point<D>& p) {
      at(u, p).clear();
      for(const hash x : next_row(who{id, given}.start(g->number(p)), {}))
        at(u, p).push_back(x);
    });
  }
  static void relax(view<D> m, rows_acc<rw, ro> u, form g, hash id, hash given) {
    set(m, u, [&](auto& p) {
      return next_row(
        mix(mix(who{id, given}.start(g->number(p)), hash_of(row(u, p))), seen(g, u, p)), row(u, p));
    });
  }
  /// Row by row, as others are made longer and shorter before.
  static void by_hashes(
    view<D> m, rows_acc<rw> u, acc<hash, ro, ro> from, form g, hash id, hash given) {
    for_each_point(m.owned(), [&](const point<D>& p) {
      const auto next =
        next_row(mix(who{id, given}.start(g->number(p)), fields::seen(g, from, p)), row(u, p));
      at(u, p).resize(next.size());
      std::copy(next.begin(), next.end(), at(u, p).begin());
    });
  }
  template<int Depth>
  static void hashes_by(
    view<D> m, acc<hash, wo> to, rows_acc<ro, ro, Depth> from, form g, hash id, hash given) {
    const auto& those = Depth == 1 ? g->near_offsets : g->offsets;
    fields::set(m, to, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), hash_of(row(from, p))),
        g->around(p, {}, those, [&](const point<D>& q, auto&) { return row(from, q); }));
    });
  }
  static void rim(view<D> m, rows_acc<na, ro> from, rows_acc<rw> to, form g, hash id, hash given) {
    for_each_point(m.owned(), [&](const point<D>& p) {
      at(to, p).assign(
        next_row(mix(who{id, given}.start(g->number(p)), seen(g, from, p, m.all())), row(to, p)));
    });
  }
  static void append(view<D> m, rows_acc<rw, rondo::fold::append> u, form g, hash id, hash given) {
    appending<D>{*g, m.all(), m.owned()}.change({id, given}, row_to_change(u));
  }
  static void append_hashes(view<D> m, rows_acc<wo, rondo::fold::append> to, acc<hash, ro> from,
    form g, hash id, hash given) {
    appending<D>{*g, m.all(), m.owned()}.write(
      {id, given}, row_to_change(to), [&](const point<D>& p) { return at(from, p); });
  }
  /// As a task that calls MPI: once on each rank.
  static void fill_all(rondo::mpi_task, rondo::per_color<view<D>> m,
    rondo::per_color<rows_acc<wo>> u, form g, hash id, hash given) {
    for(std::size_t c = 0; c != m.size(); ++c)
      fill(m[c], u[c], g, id, given);
  }
  static hash digest(view<D> m, rows_acc<ro> u, form g) {
    hash sum = 0;
    for_each_point(
      m.all(), [&](const point<D>& p) { sum += mix(g->number(p), hash_of(row(u, p))); });
    return sum;
  }
};

} // namespace random_programs
