#pragma once

/// \file
/// Tasks of random programs over fields of structured meshes.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <rondo/rondo.hpp>

#include "tasks.hpp"

namespace random_programs {

using rondo::na, rondo::ro, rondo::wo, rondo::rw, rondo::still;
using rondo::privilege;

template<class T, privilege O, auto G = na, int Depth = rondo::whole_halo>
using acc = rondo::field_accessor<T, O, G, Depth>;
template<std::size_t D>
using view = rondo::structured_view<D>;
using hash = std::uint64_t;

template<std::size_t D>
struct work {
  using form = const geometry<D>*;

  template<class A>
  static decltype(auto) at(const A& u, const point<D>& p) {
    return value_at(u, p);
  }
  template<class A>
  static hash old(const A& u, const point<D>& p) {
    return hash_of(at(u, p));
  }
  template<class A>
  static hash seen(form g, const A& u, const point<D>& p, const box<D>& without = {}) {
    return g->around(p, without, [&](const point<D>& q, auto&) { return at(u, q); });
  }
  /// All new values are there before the first one is written.
  template<class A, class F>
  static void set(const view<D>& m, const A& u, F&& f) {
    std::vector<hash> values;
    for_each_point(m.owned(), [&](const point<D>& p) { values.push_back(f(p)); });
    std::size_t i = 0;
    for_each_point(m.owned(),
      [&](const point<D>& p) { at(u, p) = from_hash<typename A::value_type>(values[i++]); });
  }
  template<class F>
  static hash all(const view<D>& m, F&& f) {
    hash h = 5;
    for_each_point(m.owned(), [&](const point<D>& p) { h = mix(h, f(p)); });
    return h;
  }
  /// Overwrites all ghosts that somebody could see.
  template<class A>
  static void scribble(const view<D>& m, form g, const A& u, hash id) {
    for_each_point(m.owned(), [&](const point<D>& p) {
      for(const point<D>& o : g->offsets) {
        point<D> q = p;
        for(std::size_t a = 0; a != D; ++a)
          q[a] += o[a];
        if(point<D> w = q; g->wrap(w) && !m.all().contains(q))
          at(u, q) = from_hash<typename A::value_type>(mix(id, g->number(p)));
      }
    });
  }

  template<class T>
  static void fill(view<D> m, acc<T, wo> u, form g, hash id, hash given) {
    set(m, u, [&](auto& p) { return who{id, given}.start(g->number(p)); });
  }
  template<class T>
  static void update(view<D> m, acc<T, rw> u, form g, hash id, hash given) {
    set(m, u, [&](auto& p) { return mix(who{id, given}.start(g->number(p)), old(u, p)); });
  }
  template<class T>
  static void relax(view<D> m, acc<T, rw, ro> u, form g, hash id, hash given) {
    set(m, u, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), old(u, p)), seen(g, u, p));
    });
  }
  static void checker(view<D> m, acc<hash, rw, still> u, form g, hash id, hash given) {
    for_each_point(m.owned(), [&](const point<D>& p) {
      if(g->is_black(p) == (id % 2 != 0))
        at(u, p) = mix(mix(who{id, given}.start(g->number(p)), old(u, p)),
          g->others_around(p, [&](const point<D>& q, auto&) { return at(u, q); }));
    });
  }
  template<class A, class B>
  static void by(view<D> m, acc<A, wo> to, acc<B, ro, ro> from, form g, hash id, hash given) {
    set(m, to, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), old(from, p)), seen(g, from, p));
    });
  }
  static void near(
    view<D> m, acc<hash, wo> to, acc<hash, ro, ro, 1> from, form g, hash id, hash given) {
    set(m, to, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), old(from, p)),
        g->around(p, {}, g->near_offsets, [&](const point<D>& q, auto&) { return at(from, q); }));
    });
  }
  static void scribble_hashes(view<D> m, acc<hash, rw, rw> u, form g, hash id, hash given) {
    set(m, u, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), old(u, p)), seen(g, u, p));
    });
    scribble(m, g, u, id);
  }
  static void scribble_triples(view<D> m, acc<triple, na, wo> u, form g, hash id, hash given) {
    scribble(m, g, u, id + given);
  }
  static void rim(
    view<D> m, acc<hash, na, ro> from, acc<hash, wo> to, form g, hash id, hash given) {
    set(m, to, [&](auto& p) {
      return mix(who{id, given}.start(g->number(p)), seen(g, from, p, m.all()));
    });
  }
  static void three(view<D> m, acc<hash, rw> h, acc<double, ro, ro> x, acc<triple, ro> t,
    acc<hash, ro, ro> other, form g, hash id, hash given) {
    set(m, h, [&](auto& p) {
      const hash y = mix(who{id, given}.start(g->number(p)), old(h, p));
      return mix(mix(y, old(t, p)), mix(seen(g, x, p), seen(g, other, p)));
    });
  }
  /// Over the finer mesh, or over the coarser one: the first of the two.
  template<bool OverFine>
  static void restrict_to(view<D> first, view<D> second, acc<hash, wo> to, acc<hash, ro, ro> from,
    form g, form fine, point<D> by, hash id, hash given) {
    set(OverFine ? second : first, to, [&](const point<D>& p) {
      point<D> q = p;
      for(std::size_t a = 0; a != D; ++a)
        q[a] *= by[a];
      return mix(mix(who{id, given}.start(g->number(p)), old(from, q)), seen(fine, from, q));
    });
  }
  template<bool OverFine>
  static void prolong_to(view<D> first, view<D> second, acc<hash, rw> to, acc<hash, ro, ro> from,
    form g, form fine, point<D> by, hash id, hash given) {
    const view<D>& coarse = OverFine ? second : first;
    set(OverFine ? first : second, to, [&](const point<D>& p) {
      return mix(mix(who{id, given}.start(fine->number(p)), old(to, p)),
        g->around_fine(
          p, by, coarse.owned(), [&](const point<D>& q, auto&) { return at(from, q); }));
    });
  }
  /// `to` is over the second mesh.
  template<bool IsFirst>
  static void beside(view<D> first, view<D> second, acc<hash, wo> to, acc<hash, ro, ro> from,
    form g, form of, point<D> away, hash id, hash given) {
    const view<D>& other = IsFirst ? second : first;
    set(IsFirst ? first : second, to, [&](const point<D>& p) {
      return mix(who{id, given}.start(g->number(p)),
        of->beside(p, away, other.all(), [&](const point<D>& q, auto&) { return at(from, q); }));
    });
  }
  static void fill_beyond(view<D> m, acc<hash, rw> u, form g, hash id, hash given) {
    g->each_beyond(m.all(), m.owned(), [&](const point<D>& p) {
      at(u, p) = mix(who{id, given}.start(g->number(p)), old(u, p));
    });
  }
  static void relax_beyond(view<D> m, acc<hash, rw, ro> u, form g, hash id, hash given) {
    std::vector<hash> values;
    g->each_beyond(m.all(), m.owned(), [&](const point<D>& p) {
      values.push_back(mix(mix(who{id, given}.start(g->number(p)), old(u, p)), seen(g, u, p)));
    });
    std::size_t i = 0;
    g->each_beyond(m.all(), m.owned(), [&](const point<D>& p) { at(u, p) = values[i++]; });
  }
  static void mark(view<D> m, acc<hash, ro> u, acc<hash, wo> marks, form g, hash id, hash given) {
    marks() = all(m, [&](auto& p) { return mix(who{id, given}.start(g->number(p)), old(u, p)); });
  }
  /// By a value of the color, or of all.
  static void update_by(view<D> m, acc<hash, rw> u, acc<hash, ro> by, form g, hash id, hash given) {
    set(m, u, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), old(u, p)), by());
    });
  }
  static void steer(acc<hash, rw> course, hash id, hash given) {
    course() = mix(course(), mix(id, given));
  }
  template<class T, auto Fold>
  static void scatter(view<D> m, acc<T, rw, Fold> u, form g, hash id, hash given) {
    for_each_point(m.owned(), [&](const point<D>& p) {
      g->template each_reached<T>(p, who{id, given}.start(g->number(p)),
        [&](const point<D>& q, auto&, hash h) { Fold(at(u, q), from_hash<T>(h)); });
    });
  }
  template<class T>
  static hash value(view<D> m, acc<T, ro> u, form g, hash id, hash given) {
    return all(m, [&](auto& p) { return mix(who{id, given}.start(g->number(p)), old(u, p)); });
  }
  static hash value_with_ghosts(view<D> m, acc<double, ro, ro> u, form g, hash id, hash given) {
    return all(m, [&](auto& p) { return mix(who{id, given}.start(g->number(p)), seen(g, u, p)); });
  }
  static hash value_and_update(
    view<D> m, acc<hash, rw> u, acc<hash, ro, ro> other, form g, hash id, hash given) {
    const hash h = all(m, [&](auto& p) {
      return mix(mix(who{id, given}.start(g->number(p)), old(u, p)), seen(g, other, p));
    });
    update<hash>(m, acc<hash, rw>(u), g, id, given);
    return h;
  }
  /// As tasks that call MPI: once on each rank.
  static void update_all(rondo::mpi_task, rondo::per_color<view<D>> m,
    rondo::per_color<acc<hash, rw>> u, form g, hash id, hash given) {
    for(std::size_t c = 0; c != m.size(); ++c)
      update<hash>(m[c], u[c], g, id, given);
  }
  static void by_all(rondo::mpi_task, rondo::per_color<view<D>> m,
    rondo::per_color<acc<hash, wo>> to, rondo::per_color<acc<hash, ro, ro>> from, form g, hash id,
    hash given) {
    for(std::size_t c = 0; c != m.size(); ++c)
      by<hash, hash>(m[c], to[c], from[c], g, id, given);
  }
  template<class T>
  static hash digest(view<D> m, acc<T, ro> u, form g) {
    hash sum = 0;
    for_each_point(m.all(), [&](const point<D>& p) { sum += mix(g->number(p), old(u, p)); });
    return sum;
  }
};

inline void take_note(hash id, hash given, std::vector<hash>* log) {
  log->push_back(mix(id, given));
}

} // namespace random_programs
