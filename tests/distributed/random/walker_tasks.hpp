#pragma once

/// \file
/// Tasks of random programs over particles.

#include <vector>

#include <rondo/rondo.hpp>

#include "walkers.hpp"

namespace random_programs {

template<std::size_t D>
struct work_with_walkers {
  using form = const geometry<D>*;
  using view = rondo::structured_view<D>;
  using hash = std::uint64_t;
  template<rondo::privilege P>
  using those = rondo::particle_accessor<walker, P>;
  template<rondo::privilege P>
  using hashes = rondo::field_accessor<hash, P, rondo::na, rondo::whole_halo>;

  static void fill(view m, those<rondo::wo> all, form g, hash id, hash given) {
    all.clear();
    for_each_point(m.owned(), [&](const point<D>& p) {
      for(const walker& w : born_at(p, who{id, given}.start(g->number(p))))
        all.push_back(w);
    });
  }
  template<class Hash>
  static void step(form g, const those<rondo::rw>& all, const Hash& hash_for) {
    std::vector<walker> children;
    for(walker* w = all.begin(); w != all.end();) {
      const fate<D> f(*g, *w, hash_for(*w));
      if(f.child)
        children.push_back(*f.child);
      if(f.is_gone) {
        w = all.erase(w);
        continue;
      }
      *w = walker_at(f.at, w->name);
      w = with_coordinates(f.seen, [&](auto... x) { return all.move_to(w, x...); });
    }
    for(const walker& c : children)
      all.push_back(c);
  }
  static void walk(view, those<rondo::rw> all, form g, hash id, hash given) {
    step(g, all, [&](const walker& w) { return who{id, given}.start(hash_of(*g, w)); });
  }
  static void walk_by(
    view, those<rondo::rw> all, hashes<rondo::ro> u, form g, hash id, hash given) {
    step(g, all, [&](const walker& w) {
      return mix(who{id, given}.start(hash_of(*g, w)), value_at(u, place_of<D>(w)));
    });
  }
  static void add_to(view, those<rondo::ro> all, hashes<rondo::rw> u, form g, hash id, hash given) {
    for(const walker& w : all)
      value_at(u, place_of<D>(w)) += who{id, given}.start(hash_of(*g, w));
  }
  static hash digest(view m, those<rondo::ro> all, form g) {
    hash sum = 0;
    for(const walker& w : all)
      sum += m.owned().contains(place_of<D>(w)) ? hash_of(*g, w) : 1;
    return sum;
  }
};

} // namespace random_programs
