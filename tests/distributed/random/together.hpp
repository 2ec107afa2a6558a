#pragma once

/// \file
/// Plans of random programs, run with a scheduler on all ranks.

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/rondo.hpp>

#include "alone.hpp"
#include "field_tasks.hpp"
#include "row_tasks.hpp"
#include "tiles_together.hpp"
#include "walker_tasks.hpp"

namespace random_programs {

template<std::size_t D>
class together {
public:
  together(const plan& p, rondo::scheduler& s, const std::string& folder)
      : scheduler_(s), folder_(folder), has_files_(p.has_files),
        has_files_of_tiles_(p.has_files_of_tiles), ending_(p.is_in_hdf5 ? ".h5" : ".vti"),
        values_(p.values), pace_(mix(p.seed, s.rank())) {}

  void begin_stage(const stage& s) {
    for(const mesh_plan& m : s.meshes) {
      meshes_.push_back(std::make_unique<mesh>(made_by(m), m));
      if(m.is_staggered())
        meshes_.back()->away = away_from_cells<D>(s, m);
    }
    if(s.tiles)
      tiles_.emplace(
        scheduler_, *s.tiles, has_files_of_tiles_ ? folder_ + "/tiles.vtkhdf" : std::string());
    for(unsigned m = 0; has_files_ && m != meshes_.size(); ++m)
      for(unsigned field = 0; field != 2; ++field)
        save(m, field);
  }

  /// Fields and meshes go while launches are under way.
  void end_stage() {
    std::vector<rondo::future<hash>> digests;
    for(const auto& at : meshes_) {
      mesh& m = *at;
      for(auto& h : m.hashes)
        digests.push_back(digest(m, h));
      digests.push_back(digest(m, m.numbers));
      digests.push_back(digest(m, m.triples));
      digests.push_back(scheduler_.template reduce<&with_rows::digest, rondo::fold::sum>(
        m.of, m.rows, m.form.get()));
      digests.push_back(scheduler_.template reduce<&with_walkers::digest, rondo::fold::sum>(
        m.of, m.walkers, m.form.get()));
      for(rondo::color_id c = 0; c != m.of.colors(); ++c)
        digests.push_back(scheduler_.from(c, m.marks));
    }
    if(tiles_)
      for(auto& d : tiles_->digests())
        digests.push_back(std::move(d));
    traces_.clear();
    meshes_.clear();
    tiles_.reset();
    for(const auto& d : digests)
      out_.fields.push_back(d.get());
  }

  void guards(const block& b) {
    rondo::trace& t = traces_.try_emplace(&b).first->second;
    for(std::uint64_t pass = 0; pass != b.passes; ++pass) {
      const auto g = t.make_guard();
      launch_all(*this, b, pass);
      if(b.balanced != 0)
        balance(b.balanced + pass);
    }
  }
  void repeat(const block& b) {
    const in_loop here(*this);
    scheduler_.repeat(b.passes, [&](rondo::pass_number pass) {
      number_.emplace(pass);
      launch_all(*this, b, 0);
    });
  }
  void iterate(const block& b) {
    const rondo::iterate_options options{.max = b.passes, .lag = b.lag};
    std::optional<in_loop> here(std::in_place, *this);
    const auto body = [&](std::uint64_t pass) {
      launch_all(*this, b, pass);
      return is_so(b);
    };
    const auto leaving_body = [&](std::uint64_t pass) {
      launch_all(*this, b, pass);
      return rondo::leave_if(is_so(b), values_[b.leaves]);
    };
    const auto run = [&](auto&& how) {
      return b.is_traced ? scheduler_.iterate(traces_.try_emplace(&b).first->second, options, how)
                         : scheduler_.iterate(options, how);
    };
    rondo::future<std::uint64_t> passes;
    if(b.left == op::nothing)
      passes = run(body);
    else
      std::tie(passes, values_[b.left]) = run(leaving_body);
    here.reset();
    if(!is_in_loop_)
      passes_.push_back(passes);
  }
  void when(const block& b) {
    const in_loop here(*this);
    scheduler_.when(is_so(b), [&] { launch_all(*this, b, 0); });
  }
  void either(const block& b) {
    const in_loop here(*this);
    scheduler_.either(
      is_so(b), [&] { launch_all(*this, b, 0); }, [&] { launch_others(*this, b); });
  }
  void wait() { scheduler_.wait(); }
  /// Colors of one of the meshes, and of all that has its colors.
  void balance(hash by) {
    const std::size_t which = by / 2 % (meshes_.size() + (tiles_ ? 1 : 0));
    const rondo::topology& of = which == meshes_.size() ? tiles_->cells() : meshes_[which]->of;
    if(by / 2 % 5 == 0)
      of.balance({.least_gain = 0}); // by what was measured, if anything
    else
      of.balance({.cost = [by](rondo::color_id c) { return mix(by, c) % 10; }, .least_gain = 0});
  }
  void look(unsigned value) { out_.looks.push_back(values_[value].get()); }

  void launch(const op& o, std::uint64_t pass) {
    dawdle();
    if(o.takes_number(D) && number_)
      launch_with(o, mix(o.id, pass), *number_);
    else if(o.takes == op::nothing)
      launch_with(o, mix(o.id, pass), hash{0});
    else if(o.id % 7 == 3)
      launch_with(o, mix(o.id, pass), values_[o.takes].get()); // waits, also in a body
    else
      launch_with(o, mix(o.id, pass),
        o.id % 3 == 0 ? values_[o.takes].then([](const hash& x) { return x; }) : values_[o.takes]);
  }

  outcome finish() {
    for(const auto& p : passes_)
      out_.passes.push_back(p.get());
    scheduler_.wait();
    return std::move(out_);
  }

private:
  /// A body may be left by an exception: in a pass in vain it is not called to its end.
  struct in_loop {
    together& of;
    const bool is_inner;
    const std::optional<rondo::pass_number> number;
    explicit in_loop(together& t)
        : of(t), is_inner(std::exchange(t.is_in_loop_, true)), number(t.number_) {}
    ~in_loop() {
      of.is_in_loop_ = is_inner;
      of.number_.reset();
      if(number)
        of.number_.emplace(*number);
    }
    in_loop(const in_loop&) = delete;
    in_loop& operator=(const in_loop&) = delete;
  };
  rondo::future<bool> is_so(const block& b) {
    return values_[b.stop].then([one_in = b.stops_at_one_in](hash h) { return h % one_in == 0; });
  }

  static constexpr bool has_all_ways = D == dimensions_of_all_ways;

  using does = work<D>;
  using with_rows = work_with_rows<D>;
  using with_walkers = work_with_walkers<D>;

  rondo::structured<D> made_by(const mesh_plan& m) {
    if(m.is_coarse())
      return meshes_[m.finer]->of.coarsened(factors_of<D>(m));
    if(!m.is_staggered())
      return rondo::structured<D>(scheduler_, options_of(m));
    const rondo::structured<D>& cells = meshes_[m.cells]->of;
    const auto between = axes_of<D>(m);
    const auto axes = std::count(between.begin(), between.end(), true);
    if(axes == 1)
      return cells.faces(static_cast<std::size_t>(
        std::find(between.begin(), between.end(), true) - between.begin()));
    if(axes == D)
      return cells.corners();
    return cells.edges(
      static_cast<std::size_t>(std::find(between.begin(), between.end(), false) - between.begin()));
  }

  struct mesh {
    mesh(rondo::structured<D> cut, const mesh_plan& m)
        : form(std::make_shared<const geometry<D>>(cut.coloring().shape(), m.halo_of_numbers)),
          of(std::move(cut)), finer(m.finer), cells(m.cells), by(factors_of<D>(m)),
          numbers(of, "numbers", {.halo = m.halo_of_numbers}) {
      for(const char* const name : {"hashes", "more hashes"})
        hashes.emplace_back(of, name);
    }
    std::shared_ptr<const geometry<D>> form;
    rondo::structured<D> of;
    unsigned finer;
    unsigned cells;
    point<D> away{};
    point<D> by;
    std::vector<rondo::field<hash>> hashes;
    rondo::field<double> numbers;
    rondo::field<triple> triples{of, "triples"};
    rondo::field<rondo::ragged<hash>> rows{of, "rows"};
    rondo::particles<walker> walkers{of, "walkers"};
    rondo::topo::index colors{of};
    rondo::field<hash> marks{colors, "marks"};
  };

  static rondo::structured_options<D> options_of(const mesh_plan& m) {
    const rondo::structured_shape<D> shape = shape_of<D>(m);
    return {.extents = shape.extents,
      .colors = shape.colors,
      .halo = shape.halo,
      .periodic = shape.periodic,
      .diagonals = shape.diagonals,
      .beyond = shape.beyond,
      .stages = m.stages};
  }

  [[nodiscard]] std::string file_of(unsigned which, unsigned field) const {
    return folder_ + '/' + std::to_string(which) + '.' + std::to_string(field) + ending_;
  }
  void save(unsigned which, unsigned field) {
    auto& m = *meshes_[which];
    scheduler_.write(
      file_of(which, field), m.of, m.hashes[field], m.marks, course_, m.rows, m.walkers);
  }
  void load(const op& o) {
    auto& m = *meshes_[o.mesh];
    auto& h = m.hashes[o.field];
    const std::string path = file_of(o.mesh, o.field);
    if(o.loads_only(part::values))
      scheduler_.read(path, m.of, h, m.marks, course_);
    else if(o.loads_only(part::rows))
      scheduler_.read(path, m.of, m.rows);
    else if(o.loads_only(part::walkers))
      scheduler_.read(path, m.of, m.walkers);
    else
      scheduler_.read(path, m.of, m.walkers, h, m.rows, m.marks, course_);
  }

  template<class T>
  rondo::future<hash> digest(mesh& m, rondo::field<T>& u) {
    return scheduler_.template reduce<&does::template digest<T>, rondo::fold::sum>(
      m.of, u, m.form.get());
  }

  template<class Given>
  void launch_with(const op& o, hash id, const Given& given) {
    move_handles(meshes_[o.mesh]);
    if(is_of_tiles(o.what)) {
      if(const auto result = tiles_->launch(o, id, given))
        keep(o, *result);
    }
    else if constexpr(has_all_ways || !std::is_same_v<Given, rondo::pass_number>)
      launch_over(*meshes_[o.mesh], o, id, given);
  }
  void keep(const op& o, const rondo::future<hash>& f) {
    if(o.makes != op::nothing)
      values_[o.makes] = f;
  }

  template<class Given>
  void launch_over(mesh& m, const op& o, hash id, const Given& given) {
    auto& s = scheduler_;
    auto& h = m.hashes[o.field];
    auto& other = m.hashes[1 - o.field];
    const geometry<D>* const g = m.form.get();
    const auto keep = [&](const rondo::future<hash>& f) { this->keep(o, f); };
    switch(o.what) {
    case deed::fill_hashes:
      return s.template execute<&does::template fill<hash>>(m.of, h, g, id, given);
    case deed::fill_numbers:
      return s.template execute<&does::template fill<double>>(m.of, m.numbers, g, id, given);
    case deed::fill_triples:
      return s.template execute<&does::template fill<triple>>(m.of, m.triples, g, id, given);
    case deed::checker_hashes:
      return s.template execute<&does::checker>(m.of, h, g, id, given);
    case deed::update_hashes:
      if(o.id % 3 == 0)
        return s.template execute_mpi<&does::update_all>(m.of, h, g, id, given);
      return at_some_time<&does::template update<hash>>(o, m.of, h, g, id, given);
    case deed::update_numbers:
      return s.template execute<&does::template update<double>>(m.of, m.numbers, g, id, given);
    case deed::relax_hashes:
      return at_some_time<&does::template relax<hash>>(o, m.of, h, g, id, given);
    case deed::relax_numbers:
      return s.template execute<&does::template relax<double>>(m.of, m.numbers, g, id, given);
    case deed::relax_triples:
      return s.template execute<&does::template relax<triple>>(m.of, m.triples, g, id, given);
    case deed::hashes_by_hashes:
      if(o.id % 3 == 0)
        return s.template execute_mpi<&does::by_all>(m.of, h, other, g, id, given);
      return at_some_time<&does::template by<hash, hash>>(o, m.of, h, other, g, id, given);
    case deed::near_hashes:
      return s.template execute<&does::near>(m.of, h, other, g, id, given);
    case deed::numbers_by_hashes:
      return s.template execute<&does::template by<double, hash>>(m.of, m.numbers, h, g, id, given);
    case deed::triples_by_numbers:
      return s.template execute<&does::template by<triple, double>>(
        m.of, m.triples, m.numbers, g, id, given);
    case deed::hashes_by_triples:
      return s.template execute<&does::template by<hash, triple>>(m.of, h, m.triples, g, id, given);
    case deed::scribble_hashes:
      return s.template execute<&does::scribble_hashes>(m.of, h, g, id, given);
    case deed::scribble_triples:
      return s.template execute<&does::scribble_triples>(m.of, m.triples, g, id, given);
    case deed::rim_of_hashes:
      return s.template execute<&does::rim>(m.of, h, h, g, id, given);
    case deed::three:
      return s.template execute<&does::three>(m.of, h, m.numbers, m.triples, other, g, id, given);
    case deed::restrict_hashes: {
      mesh& f = *meshes_[m.finer];
      auto& from = f.hashes[o.field];
      if(o.id % 2 != 0)
        return s.template execute<&does::template restrict_to<true>>(
          f.of, m.of, h, from, g, f.form.get(), m.by, id, given);
      return s.template execute<&does::template restrict_to<false>>(
        m.of, f.of, h, from, g, f.form.get(), m.by, id, given);
    }
    case deed::prolong_hashes: {
      mesh& f = *meshes_[m.finer];
      auto& to = f.hashes[o.field];
      if(o.id % 2 != 0)
        return s.template execute<&does::template prolong_to<true>>(
          f.of, m.of, to, h, g, f.form.get(), m.by, id, given);
      return s.template execute<&does::template prolong_to<false>>(
        m.of, f.of, to, h, g, f.form.get(), m.by, id, given);
    }
    case deed::hashes_between: {
      mesh& of = *meshes_[m.cells];
      auto& from = of.hashes[o.field];
      if(o.id % 2 != 0)
        return s.template execute<&does::template beside<false>>(
          of.of, m.of, h, from, g, of.form.get(), m.away, id, given);
      return s.template execute<&does::template beside<true>>(
        m.of, of.of, h, from, g, of.form.get(), m.away, id, given);
    }
    case deed::hashes_of_cells: {
      mesh& of = *meshes_[m.cells];
      auto& to = of.hashes[o.field];
      const point<D> away = geometry<D>::negative(m.away);
      if(o.id % 2 != 0)
        return s.template execute<&does::template beside<false>>(
          m.of, of.of, to, h, of.form.get(), g, away, id, given);
      return s.template execute<&does::template beside<true>>(
        of.of, m.of, to, h, of.form.get(), g, away, id, given);
    }
    case deed::fill_beyond:
      return s.template execute<&does::fill_beyond>(m.of, h, g, id, given);
    case deed::relax_beyond:
      return s.template execute<&does::relax_beyond>(m.of, h, g, id, given);
    case deed::scatter_hashes:
      return s.template execute<&does::template scatter<hash, rondo::fold::sum>>(
        m.of, h, g, id, given);
    case deed::scatter_numbers:
      return s.template execute<&does::template scatter<double, rondo::fold::max>>(
        m.of, m.numbers, g, id, given);
    case deed::copy_hashes: {
      auto& to = meshes_[o.to]->hashes[o.to == o.mesh ? 1 - o.field : o.field];
      if(o.id % 3 == 0)
        return s.copy(h, to);
      const auto [points, shift] = copied_points(g->extents, o.id);
      const box<D> there = intersection(points, m.of.coloring().mesh()).shifted(shift);
      if(!points.empty() && intersection(there, meshes_[o.to]->of.coloring().mesh()).empty())
        return; // it would be refused
      return s.copy(h, to, points, shift);
    }
    case deed::marks_by_hashes:
      return s.template execute<&does::mark>(m.of, h, m.marks, g, id, given);
    case deed::hashes_by_marks:
      return s.template execute<&does::update_by>(m.of, h, m.marks, g, id, given);
    case deed::steer:
      return s.template execute<&does::steer>(course_, id, given);
    case deed::hashes_by_course:
      return s.template execute<&does::update_by>(m.of, h, course_, g, id, given);
    case deed::fill_rows:
      if(o.id % 3 == 0)
        return s.template execute_mpi<&with_rows::fill_all>(m.of, m.rows, g, id, given);
      return s.template execute<&with_rows::fill>(m.of, m.rows, g, id, given);
    case deed::relax_rows:
      return s.template execute<&with_rows::relax>(m.of, m.rows, g, id, given);
    case deed::rows_by_hashes:
      return s.template execute<&with_rows::by_hashes>(m.of, m.rows, h, g, id, given);
    case deed::hashes_by_rows:
      return s.template execute<&with_rows::template hashes_by<rondo::whole_halo>>(
        m.of, h, m.rows, g, id, given);
    case deed::near_rows:
      return s.template execute<&with_rows::template hashes_by<1>>(m.of, h, m.rows, g, id, given);
    case deed::rim_of_rows:
      return s.template execute<&with_rows::rim>(m.of, m.rows, m.rows, g, id, given);
    case deed::append_rows:
      return s.template execute<&with_rows::append>(m.of, m.rows, g, id, given);
    case deed::append_hashes:
      return s.template execute<&with_rows::append_hashes>(m.of, m.rows, h, g, id, given);
    case deed::make_rows: {
      rondo::field<rondo::ragged<hash>> rows{m.of, "more rows"};
      s.template execute<&with_rows::append>(m.of, rows, g, id, given);
      s.template execute<&with_rows::relax>(m.of, rows, g, id, given);
      return;
    }
    case deed::fill_walkers:
      return s.template execute<&with_walkers::fill>(m.of, m.walkers, g, id, given);
    case deed::walk:
      return s.template execute<&with_walkers::walk>(m.of, m.walkers, g, id, given);
    case deed::walk_by_hashes:
      return s.template execute<&with_walkers::walk_by>(m.of, m.walkers, h, g, id, given);
    case deed::hashes_by_walkers:
      return s.template execute<&with_walkers::add_to>(m.of, m.walkers, h, g, id, given);
    case deed::save:
      return save(o.mesh, o.field);
    case deed::load:
      return load(o);
    case deed::at_point:
      return keep(s.from(a_point_of(m.of.coloring().mesh(), o.id), h));
    case deed::of_color:
      return keep(s.from(o.id % m.of.colors(), m.marks));
    case deed::sum:
      if constexpr(has_all_ways)
        if(o.id % 2 == 0)
          return keep(
            s.template reduce<&does::template value<hash>, rondo::fold::sum, rondo::priority::high>(
              m.of, h, g, id, given));
      return keep(
        s.template reduce<&does::template value<hash>, rondo::fold::sum>(m.of, h, g, id, given));
    case deed::sum_with_ghosts:
      return keep(s.template reduce<&does::value_with_ghosts, rondo::fold::sum>(
        m.of, m.numbers, g, id, given));
    case deed::least:
      return keep(s.template reduce<&does::template value<triple>, rondo::fold::min>(
        m.of, m.triples, g, id, given));
    case deed::greatest:
      return keep(s.template reduce<&does::template value<double>, rondo::fold::max>(
        m.of, m.numbers, g, id, given));
    case deed::in_order:
      return keep(
        s.template reduce<&does::template value<hash>, fold_in_order{}>(m.of, h, g, id, given));
    case deed::two_at_once:
      return keep(
        s.template reduce<&does::value_and_update, fold_in_order{}>(m.of, h, other, g, id, given));
    case deed::note:
      return s.template execute<&take_note>(id, given, &out_.log);
    case deed::make_field: {
      rondo::field<hash> one{m.of, "one more"};
      s.template execute<&does::template fill<hash>>(m.of, one, g, id, given);
      s.template execute<&does::template relax<hash>>(m.of, one, g, id, given);
      return;
    }
    default: // of tiles
      return;
    }
  }

  /// First or last of what may run, or neither: no result depends on it.
  template<auto Task, class... A>
  void at_some_time(const op& o, const A&... arguments) {
    if constexpr(has_all_ways) {
      if(o.id % 8 == 1)
        return scheduler_.template execute<Task, rondo::priority::high>(arguments...);
      if(o.id % 8 == 5)
        return scheduler_.template execute<Task, rondo::priority::low>(arguments...);
    }
    scheduler_.template execute<Task>(arguments...);
  }

  /// Some ranks move their meshes and fields now and then: what is launched already must not notice.
  void move_handles(std::unique_ptr<mesh>& at) {
    if(mix(pace_, launches_) % 5 == 1)
      at = std::make_unique<mesh>(std::move(*at));
  }

  /// Some ranks launch far ahead of what runs, others don't.
  void dawdle() {
    ++launches_;
    if(pace_ % 4 == 0 && mix(pace_, launches_) % 8 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(pace_ % 300));
  }

  rondo::scheduler& scheduler_;
  const std::string folder_; ///< For files.
  const bool has_files_;
  const bool has_files_of_tiles_;
  const char* const ending_;
  rondo::topo::global all_{scheduler_};
  rondo::field<hash> course_{all_, "course"};
  outcome out_;
  std::map<const block*, rondo::trace> traces_;
  bool is_in_loop_ = false;                  ///< In one whose passes are launched ahead.
  std::optional<rondo::pass_number> number_; ///< Of the pass of the innermost `repeat`.
  std::vector<std::unique_ptr<mesh>> meshes_;
  std::optional<tiles_together> tiles_;
  std::vector<rondo::future<hash>> values_;
  std::vector<rondo::future<std::uint64_t>> passes_;
  std::uint64_t pace_;
  std::uint64_t launches_ = 0;
};

template<std::size_t D>
outcome run_together(const plan& p, rondo::scheduler& s, const std::string& folder) {
  together<D> side(p, s, folder);
  walk(p, side);
  return side.finish();
}

} // namespace random_programs
