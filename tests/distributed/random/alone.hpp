#pragma once

/// \file
/// Plans of random programs, run on whole arrays, one launch after the other.

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "appending.hpp"
#include "sides.hpp"
#include "tasks.hpp"
#include "tiles_alone.hpp"
#include "walk.hpp"
#include "walkers.hpp"

namespace random_programs {

template<std::size_t D>
rondo::structured_shape<D> shape_of(const mesh_plan& m) {
  rondo::structured_shape<D> s;
  for(std::size_t a = 0; a != D; ++a) {
    s.extents[a] = m.extents[a];
    s.colors[a] = m.colors[a];
    s.periodic[a] = m.periodic[a];
  }
  s.halo = m.halo;
  s.diagonals = m.diagonals;
  s.beyond = m.beyond;
  return s;
}

/// By how much its points are behind those of the same coordinates of `cells`, in halves. These may be between cells, too.
template<std::size_t D>
point<D> away_from_cells(const stage& s, const mesh_plan& m) {
  point<D> away;
  for(std::size_t a = 0; a != D; ++a)
    away[a] = (s.meshes[m.cells].between[a] ? 1 : 0) - (m.between[a] ? 1 : 0);
  return away;
}

template<std::size_t D>
std::array<bool, D> axes_of(const mesh_plan& m) {
  std::array<bool, D> between;
  std::copy_n(m.between.begin(), D, between.begin());
  return between;
}

template<std::size_t D>
point<D> factors_of(const mesh_plan& m) {
  point<D> by;
  std::copy_n(m.by.begin(), D, by.begin());
  return by;
}

template<std::size_t D>
class alone {
public:
  explicit alone(const plan& p) : values_(p.values), has_files_(p.has_files) {}

  void begin_stage(const stage& s) {
    meshes_.clear();
    for(const mesh_plan& m : s.meshes)
      if(m.is_staggered()) {
        meshes_.emplace_back(meshes_[m.cells].cut.staggered(axes_of<D>(m)), m);
        meshes_.back().away = away_from_cells<D>(s, m);
      }
      else if(m.is_coarse())
        meshes_.emplace_back(meshes_[m.finer].cut.coarsened(factors_of<D>(m)), m);
      else
        meshes_.emplace_back(rondo::structured_coloring<D>(shape_of<D>(m)), m);
    tiles_.reset();
    if(s.tiles)
      tiles_.emplace(*s.tiles);
    saved_.clear();
    for(unsigned m = 0; has_files_ && m != meshes_.size(); ++m)
      for(unsigned field = 0; field != 2; ++field)
        save(m, field);
  }

  void end_stage() {
    for(const mesh& m : meshes_) {
      for(const auto& h : m.hashes)
        out_.fields.push_back(digest(m, h));
      out_.fields.push_back(digest(m, m.numbers));
      out_.fields.push_back(digest(m, m.triples));
      out_.fields.push_back(digest(m, m.rows));
      std::uint64_t walkers = 0;
      for(const walker& w : m.walkers)
        walkers += hash_of(m.form, w);
      out_.fields.push_back(walkers);
      for(const std::uint64_t mark : m.marks)
        out_.fields.push_back(mark);
    }
    if(tiles_)
      for(const std::uint64_t d : tiles_->digests())
        out_.fields.push_back(d);
  }

  void guards(const block& b) {
    for(std::uint64_t pass = 0; pass != b.passes; ++pass)
      launch_all(*this, b, pass);
  }
  void repeat(const block& b) {
    const bool is_inner = std::exchange(is_in_loop_, true);
    const std::uint64_t around = number_;
    for(number_ = 0; number_ != b.passes; ++number_)
      launch_all(*this, b, 0);
    number_ = around;
    is_in_loop_ = is_inner;
  }
  void iterate(const block& b) {
    const bool is_inner = std::exchange(is_in_loop_, true);
    std::uint64_t last = b.passes - 1;
    std::uint64_t pass = 0;
    for(; pass <= last; ++pass) {
      launch_all(*this, b, pass);
      if(is_so(b))
        last = std::min(last, pass + b.lag);
    }
    is_in_loop_ = is_inner;
    if(b.left != op::nothing)
      values_[b.left] = values_[b.leaves];
    if(!is_inner)
      out_.passes.push_back(pass);
  }
  void when(const block& b) {
    if(!is_so(b))
      return;
    const bool is_inner = std::exchange(is_in_loop_, true);
    launch_all(*this, b, 0);
    is_in_loop_ = is_inner;
  }
  void either(const block& b) {
    if(is_so(b))
      return when(b);
    const bool is_inner = std::exchange(is_in_loop_, true);
    launch_others(*this, b);
    is_in_loop_ = is_inner;
  }
  void wait() {}
  void balance(std::uint64_t /*by*/) {}
  void look(unsigned value) { out_.looks.push_back(values_[value]); }

  void launch(const op& o, std::uint64_t pass) {
    mesh& m = meshes_[o.mesh];
    const std::uint64_t number = o.takes_number(D) ? number_ : 0;
    const who w{mix(o.id, pass), o.takes == op::nothing ? number : values_[o.takes]};
    if(is_of_tiles(o.what)) {
      if(const auto result = tiles_->launch(o, w))
        keep(o, *result);
      return;
    }
    auto& h = m.hashes[o.field];
    auto& other = m.hashes[1 - o.field];
    switch(o.what) {
    case deed::fill_hashes:
      return set(m, h, [&](auto& p) { return w.start(m.at(p)); });
    case deed::fill_numbers:
      return set(m, m.numbers, [&](auto& p) { return w.start(m.at(p)); });
    case deed::fill_triples:
      return set(m, m.triples, [&](auto& p) { return w.start(m.at(p)); });
    case deed::checker_hashes: {
      const auto old = h;
      for_each_point(m.cut.mesh(), [&](const point<D>& p) {
        if(m.form.is_black(p) == (w.id % 2 != 0))
          h[m.at(p)] = mix(mix(w.start(m.at(p)), old[m.at(p)]),
            m.form.others_around(p, [&](auto&, const point<D>& q) { return old[m.at(q)]; }));
      });
      return;
    }
    case deed::update_hashes:
      return set(m, h, [&](auto& p) { return mix(w.start(m.at(p)), hash_of(h[m.at(p)])); });
    case deed::update_numbers:
      return set(
        m, m.numbers, [&](auto& p) { return mix(w.start(m.at(p)), hash_of(m.numbers[m.at(p)])); });
    case deed::relax_hashes:
    case deed::scribble_hashes:
      return relax(m, h, w);
    case deed::relax_numbers:
      return relax(m, m.numbers, w);
    case deed::relax_triples:
      return relax(m, m.triples, w);
    case deed::hashes_by_hashes:
      return by(m, h, other, w);
    case deed::near_hashes:
      return set(m, h, [&](auto& p) {
        return mix(mix(w.start(m.at(p)), hash_of(other[m.at(p)])),
          m.form.around(
            p, {}, m.form.near_offsets, [&](auto&, const point<D>& q) { return other[m.at(q)]; }));
      });
    case deed::numbers_by_hashes:
      return by(m, m.numbers, h, w);
    case deed::triples_by_numbers:
      return by(m, m.triples, m.numbers, w);
    case deed::hashes_by_triples:
      return by(m, h, m.triples, w);
    case deed::scribble_triples:
    case deed::make_field:
    case deed::make_rows:
      return;
    case deed::rim_of_hashes: {
      const auto old = h;
      for(rondo::color_id c = 0; c != m.cut.colors(); ++c)
        for_each_point(m.cut.owned(c), [&](const point<D>& p) {
          h[m.at(p)] = mix(w.start(m.at(p)), seen(m, old, p, m.cut.with_beyond(c)));
        });
      return;
    }
    case deed::three:
      return set(m, h, [&](auto& p) {
        const std::uint64_t x = mix(w.start(m.at(p)), hash_of(h[m.at(p)]));
        return mix(mix(x, hash_of(m.triples[m.at(p)])),
          mix(seen(m, m.numbers, p, {}), seen(m, other, p, {})));
      });
    case deed::restrict_hashes: {
      const mesh& f = meshes_[m.finer];
      return set(m, h, [&](const point<D>& p) {
        point<D> q = p;
        for(std::size_t a = 0; a != D; ++a)
          q[a] *= m.by[a];
        const auto& from = f.hashes[o.field];
        return mix(mix(w.start(m.at(p)), hash_of(from[f.at(q)])), seen(f, from, q, {}));
      });
    }
    case deed::prolong_hashes: {
      mesh& f = meshes_[m.finer];
      auto& to = f.hashes[o.field];
      for(rondo::color_id c = 0; c != m.cut.colors(); ++c)
        for_each_point(f.cut.owned(c), [&](const point<D>& p) {
          to[f.at(p)] = mix(mix(w.start(f.at(p)), hash_of(to[f.at(p)])),
            m.form.around_fine(
              p, m.by, m.cut.owned(c), [&](auto&, const point<D>& q) { return h[m.at(q)]; }));
        });
      return;
    }
    case deed::hashes_between: {
      const mesh& of = meshes_[m.cells];
      return set_by_color(m, h, [&](const point<D>& p, rondo::color_id c) {
        return mix(w.start(m.at(p)),
          of.form.beside(p, m.away, of.cut.with_beyond(c),
            [&](auto&, const point<D>& q) { return of.hashes[o.field][of.at(q)]; }));
      });
    }
    case deed::hashes_of_cells: {
      mesh& of = meshes_[m.cells];
      return set_by_color(of, of.hashes[o.field], [&](const point<D>& p, rondo::color_id c) {
        return mix(
          w.start(of.at(p)), m.form.beside(p, geometry<D>::negative(m.away), m.cut.with_beyond(c),
                               [&](auto&, const point<D>& q) { return h[m.at(q)]; }));
      });
    }
    case deed::fill_beyond:
    case deed::relax_beyond: {
      const auto old = h;
      geometry<D>::each_beyond(m.form.stored, m.cut.mesh(), [&](const point<D>& p) {
        h[m.at(p)] = mix(w.start(m.at(p)), old[m.at(p)]);
        if(o.what == deed::relax_beyond)
          h[m.at(p)] = mix(h[m.at(p)], seen(m, old, p, {}));
      });
      return;
    }
    case deed::scatter_hashes:
      return scatter(m, h, rondo::fold::sum, w);
    case deed::scatter_numbers:
      return scatter(m, m.numbers, rondo::fold::max, w);
    case deed::copy_hashes: {
      mesh& t = meshes_[o.to];
      auto& to = t.hashes[o.to == o.mesh ? 1 - o.field : o.field];
      const auto [points, shift] = copied_points(m.cut.shape().extents, o.id);
      for_each_point(intersection(points, m.cut.mesh()), [&](const point<D>& p) {
        point<D> q = p;
        for(std::size_t a = 0; a != D; ++a)
          q[a] += shift[a];
        if(t.cut.mesh().contains(q))
          to[t.at(q)] = h[m.at(p)];
      });
      return;
    }
    case deed::marks_by_hashes:
      for(rondo::color_id c = 0; c != m.cut.colors(); ++c)
        m.marks[c] =
          all(m, c, [&](const point<D>& p) { return mix(w.start(m.at(p)), h[m.at(p)]); });
      return;
    case deed::hashes_by_marks:
      return set_by_color(m, h, [&](const point<D>& p, rondo::color_id c) {
        return mix(mix(w.start(m.at(p)), h[m.at(p)]), m.marks[c]);
      });
    case deed::steer:
      course_ = mix(course_, mix(w.id, w.given));
      return;
    case deed::hashes_by_course:
      return set(
        m, h, [&](const point<D>& p) { return mix(mix(w.start(m.at(p)), h[m.at(p)]), course_); });
    case deed::fill_rows:
      return set_rows(m, [&](auto& p) { return next_row(w.start(m.at(p)), {}); });
    case deed::relax_rows: {
      const auto old = m.rows;
      return set_rows(m, [&](auto& p) {
        const row_of_hashes before = old[m.at(p)];
        return next_row(mix(mix(w.start(m.at(p)), hash_of(before)), seen(m, old, p, {})), before);
      });
    }
    case deed::rows_by_hashes:
      return set_rows(m, [&](auto& p) {
        return next_row(mix(w.start(m.at(p)), seen(m, h, p, {})), std::vector(m.rows[m.at(p)]));
      });
    case deed::hashes_by_rows:
      return set(m, h, [&](auto& p) {
        return mix(mix(w.start(m.at(p)), hash_of(m.rows[m.at(p)])), seen(m, m.rows, p, {}));
      });
    case deed::near_rows:
      return set(m, h, [&](auto& p) {
        return mix(mix(w.start(m.at(p)), hash_of(m.rows[m.at(p)])),
          m.form.around(p, {}, m.form.near_offsets,
            [&](auto&, const point<D>& q) { return row_of_hashes(m.rows[m.at(q)]); }));
      });
    case deed::rim_of_rows: {
      const auto old = m.rows;
      for(rondo::color_id c = 0; c != m.cut.colors(); ++c)
        for_each_point(m.cut.owned(c), [&](const point<D>& p) {
          m.rows[m.at(p)] =
            next_row(mix(w.start(m.at(p)), seen(m, old, p, m.cut.with_beyond(c))), old[m.at(p)]);
        });
      return;
    }
    case deed::append_rows:
      return append(m, [&](const appending<D>& task, auto&& row_at) { task.change(w, row_at); });
    case deed::append_hashes:
      return append(m, [&](const appending<D>& task, auto&& row_at) {
        task.write(w, row_at, [&](const point<D>& p) { return h[m.at(p)]; });
      });
    case deed::fill_walkers:
      m.walkers.clear();
      for_each_point(m.cut.mesh(), [&](const point<D>& p) {
        for(const walker& one : born_at(p, w.start(m.at(p))))
          m.walkers.push_back(one);
      });
      return;
    case deed::walk:
    case deed::walk_by_hashes: {
      std::vector<walker> next;
      for(const walker& one : m.walkers) {
        const std::uint64_t way = w.start(hash_of(m.form, one));
        const fate<D> f(
          m.form, one, o.what == deed::walk ? way : mix(way, h[m.at(place_of<D>(one))]));
        if(f.child)
          next.push_back(*f.child);
        if(!f.is_gone)
          next.push_back(walker_at(f.at, one.name));
      }
      m.walkers = std::move(next);
      return;
    }
    case deed::hashes_by_walkers:
      for(const walker& one : m.walkers)
        h[m.at(place_of<D>(one))] += w.start(hash_of(m.form, one));
      return;
    case deed::save:
      return save(o.mesh, o.field);
    case deed::load:
      return load(o);
    case deed::at_point:
      return keep(o, h[m.at(a_point_of(m.cut.mesh(), o.id))]);
    case deed::of_color:
      return keep(o, m.marks[o.id % m.cut.colors()]);
    case deed::sum:
      return reduce(o, m, rondo::fold::sum,
        [&](const point<D>& p) { return mix(w.start(m.at(p)), hash_of(h[m.at(p)])); });
    case deed::sum_with_ghosts:
      return reduce(o, m, rondo::fold::sum,
        [&](const point<D>& p) { return mix(w.start(m.at(p)), seen(m, m.numbers, p, {})); });
    case deed::least:
      return reduce(o, m, rondo::fold::min,
        [&](const point<D>& p) { return mix(w.start(m.at(p)), hash_of(m.triples[m.at(p)])); });
    case deed::greatest:
      return reduce(o, m, rondo::fold::max,
        [&](const point<D>& p) { return mix(w.start(m.at(p)), hash_of(m.numbers[m.at(p)])); });
    case deed::in_order:
      return reduce(o, m, fold_in_order{},
        [&](const point<D>& p) { return mix(w.start(m.at(p)), hash_of(h[m.at(p)])); });
    case deed::two_at_once:
      reduce(o, m, fold_in_order{}, [&](const point<D>& p) {
        return mix(mix(w.start(m.at(p)), hash_of(h[m.at(p)])), seen(m, other, p, {}));
      });
      return set(m, h, [&](auto& p) { return mix(w.start(m.at(p)), hash_of(h[m.at(p)])); });
    case deed::note:
      out_.log.push_back(mix(w.id, w.given));
      return;
    default: // of tiles
      return;
    }
  }

  outcome out_;

private:
  template<class T>
  using array = std::vector<T>;

  struct mesh {
    mesh(const rondo::structured_coloring<D>& c, const mesh_plan& p)
        : cut(c), form(c.shape(), p.halo_of_numbers), finer(p.finer), cells(p.cells),
          by(factors_of<D>(p)) {
      const auto n = static_cast<std::size_t>(form.stored.size());
      for(auto& h : hashes)
        h.resize(n);
      numbers.resize(n);
      triples.resize(n);
      rows.resize(n);
      marks.resize(cut.colors());
    }
    [[nodiscard]] std::size_t at(const point<D>& p) const { return form.number(p); }

    rondo::structured_coloring<D> cut;
    geometry<D> form;
    unsigned finer;
    unsigned cells;
    point<D> away{};
    point<D> by;
    std::array<array<std::uint64_t>, 2> hashes;
    array<std::uint64_t> marks;
    array<double> numbers;
    array<triple> triples;
    array<std::vector<std::uint64_t>> rows;
    std::vector<walker> walkers;
  };

  [[nodiscard]] bool is_so(const block& b) const {
    return values_[b.stop] % b.stops_at_one_in == 0;
  }

  template<class F>
  static void set_rows(mesh& m, F&& f) {
    for_each_point(m.cut.mesh(), [&](const point<D>& p) { m.rows[m.at(p)] = f(p); });
  }
  template<class Task>
  static void append(mesh& m, Task&& task) {
    append_alone(m.cut, m.form, m.rows, task);
  }
  template<class T, class F>
  static void set(const mesh& m, array<T>& to, F&& f) {
    for_each_point(m.cut.mesh(), [&](const point<D>& p) { to[m.at(p)] = from_hash<T>(f(p)); });
  }
  template<class F>
  static void set_by_color(const mesh& m, array<std::uint64_t>& to, F&& f) {
    for(rondo::color_id c = 0; c != m.cut.colors(); ++c)
      for_each_point(m.cut.owned(c), [&](const point<D>& p) { to[m.at(p)] = f(p, c); });
  }
  template<class T>
  static std::uint64_t seen(
    const mesh& m, const array<T>& u, const point<D>& p, const box<D>& without) {
    return m.form.around(p, without, [&](auto&, const point<D>& w) { return u[m.at(w)]; });
  }
  template<class T>
  static void relax(const mesh& m, array<T>& u, const who& w) {
    const array<T> old = u;
    by(m, u, old, w, true);
  }
  template<class A, class B>
  static void by(
    const mesh& m, array<A>& to, const array<B>& from, const who& w, bool /*unused*/ = false) {
    set(m, to, [&](const point<D>& p) {
      return mix(mix(w.start(m.at(p)), hash_of(from[m.at(p)])), seen(m, from, p, {}));
    });
  }
  template<class T, class Op>
  static void scatter(const mesh& m, array<T>& u, const Op& fold, const who& w) {
    for_each_point(m.cut.mesh(), [&](const point<D>& p) {
      m.form.template each_reached<T>(p, w.start(m.at(p)),
        [&](auto&, const point<D>& q, std::uint64_t h) { fold(u[m.at(q)], from_hash<T>(h)); });
    });
  }
  template<class T>
  static std::uint64_t digest(const mesh& m, const array<T>& u) {
    std::uint64_t sum = 0;
    for_each_point(
      m.form.stored, [&](const point<D>& p) { sum += mix(m.at(p), hash_of(u[m.at(p)])); });
    return sum;
  }

  /// What all points of a color make, and then all colors.
  template<class Op, class F>
  void reduce(const op& o, const mesh& m, const Op& fold, F&& f) {
    std::vector<std::uint64_t> nodes;
    for(rondo::color_id c = 0; c != m.cut.colors(); ++c)
      nodes.push_back(all(m, c, f));
    for(; nodes.size() != 1; nodes.resize((nodes.size() + 1) / 2))
      for(std::size_t i = 0; i < nodes.size(); i += 2) {
        std::uint64_t left = nodes[i];
        if(i + 1 != nodes.size())
          fold(left, nodes[i + 1]);
        nodes[i / 2] = left;
      }
    keep(o, nodes[0]);
  }
  /// What the points of a color make together.
  template<class F>
  static std::uint64_t all(const mesh& m, rondo::color_id c, F&& f) {
    std::uint64_t h = 5;
    for_each_point(m.cut.owned(c), [&](const point<D>& p) { h = mix(h, f(p)); });
    return h;
  }
  void save(unsigned which, unsigned field) {
    const mesh& m = meshes_[which];
    saved_[{which, field}] = {m.hashes[field], m.marks, course_, m.rows, m.walkers};
  }
  /// Points beyond the ends are in no file.
  void load(const op& o) {
    mesh& m = meshes_[o.mesh];
    const file& from = saved_.at({o.mesh, o.field});
    if(o.loads(part::values)) {
      auto& h = m.hashes[o.field];
      for_each_point(m.cut.mesh(), [&](const point<D>& p) { h[m.at(p)] = from.hashes[m.at(p)]; });
      m.marks = from.marks;
      course_ = from.course;
    }
    if(o.loads(part::rows))
      set_rows(m, [&](const point<D>& p) { return from.rows[m.at(p)]; });
    if(o.loads(part::walkers))
      m.walkers = from.walkers;
  }
  void keep(const op& o, std::uint64_t value) {
    if(o.makes != op::nothing)
      values_[o.makes] = value;
  }

  std::vector<std::uint64_t> values_;
  std::uint64_t course_ = 0;
  struct file {
    array<std::uint64_t> hashes;
    array<std::uint64_t> marks;
    std::uint64_t course = 0;
    array<std::vector<std::uint64_t>> rows;
    std::vector<walker> walkers;
  };
  std::map<std::pair<unsigned, unsigned>, file> saved_; ///< By mesh and field.
  bool has_files_;
  std::deque<mesh> meshes_;
  std::optional<tiles_alone> tiles_;
  bool is_in_loop_ = false;  ///< A loop that is launched ahead: its number of passes is not told.
  std::uint64_t number_ = 0; ///< Of the pass of the innermost `repeat`.
};

template<std::size_t D>
outcome run_alone(const plan& p) {
  alone<D> side(p);
  walk(p, side);
  return std::move(side.out_);
}

} // namespace random_programs
