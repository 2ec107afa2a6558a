#include <rondo/distributed/structured.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <rondo/distributed/color_grid.hpp>
#include <rondo/distributed/exchange.hpp>
#include <rondo/distributed/scheduler.hpp>

namespace rondo {

namespace {

/// What a task works on at the same time, most often.
constexpr std::size_t fields_in_use = 2;

template<std::size_t D>
structured_coloring<D> coloring_of(const scheduler& s, const structured_options<D>& o) {
  structured_shape<D> shape{.extents = o.extents,
    .colors = o.colors,
    .halo = o.halo,
    .periodic = o.periodic,
    .diagonals = o.diagonals};
  bool any = false;
  for(const auto n : o.colors)
    any = any || n != 0;
  if(!any) {
    if(o.stages != 1)
      shape.colors =
        layered_color_grid(shape, s.ranks(), s.workers(), fields_in_use * sizeof(double));
    if(shape.colors == point<D>{})
      shape.colors = default_color_grid(shape, s.ranks(), s.workers());
  }
  return structured_coloring<D>(shape);
}

template<std::size_t D>
box<D> around(const box<D>& a, const box<D>& b) {
  box<D> both;
  for(std::size_t i = 0; i != D; ++i) {
    both.lo[i] = std::min(a.lo[i], b.lo[i]);
    both.hi[i] = std::max(a.hi[i], b.hi[i]);
  }
  return both;
}

} // namespace

template<std::size_t D>
structured<D>::structured(
  scheduler& s, const structured_options<D>& options, std::source_location where)
    : structured(s, coloring_of(s, options), s.ranks(), s.rank()) {
  std::uint64_t all = colors();
  const auto add = [&all](auto n) { all = all * 0x9e3779b97f4a7c15 + std::uint64_t(n); };
  std::string name = "mesh ";
  for(std::size_t a = 0; a != D; ++a) {
    add(options.extents[a]);
    add(options.periodic[a]);
    add(coloring_.shape().colors[a]); // 4 by 1 are as many as 1 by 4
    name.append(a == 0 ? "" : "x").append(std::to_string(options.extents[a]));
  }
  if(D > 1 && options.colors != point<D>{})
    for(std::size_t a = 0; a != D; ++a)
      name.append(a == 0 ? " in " : "x").append(std::to_string(options.colors[a]));
  add(options.halo);
  add(options.diagonals);
  s.note_made(detail::step_kind::topology, where, number(), all, std::move(name));
  find_order();
  find_waves(fields_in_use * sizeof(double), options.stages);
}

template<std::size_t D>
structured<D>::structured(
  scheduler& s, const structured_coloring<D>& coloring, unsigned ranks, unsigned rank)
    : topology(s, coloring.over(ranks)), coloring_(coloring) {
  const exchange_plan<D> plan = plan_exchange(coloring, ranks, rank);
  const color_id first = plan.colors.first;
  box<D> all = coloring.with_ghosts(first);
  box<D> all_owned = coloring.owned(first);
  std::int64_t points = 0;
  for(color_id c = first; c != plan.colors.last; ++c) {
    owned_.push_back(coloring.owned(c));
    points_.push_back(detail::brick::of(owned_.back()));
    const box<D> with_ghosts = coloring.with_ghosts(c);
    layouts_.push_back(detail::block_layout::around(with_ghosts));
    all = around(all, with_ghosts);
    all_owned = around(all_owned, owned_.back());
    points += owned_.back().size();
  }
  // If they make up a box, they may lie side by side in one piece of memory, with all ghosts that
  // others on this rank own where these are. What remains are ghosts at the rim of the rank; those at
  // corners would belong to more than one color.
  if(plan.colors.last - first > 1 && points == all_owned.size() && !coloring.shape().diagonals)
    together_ = detail::block_layout::around(all);
  const auto local = [first](color_id c) { return static_cast<std::size_t>(c - first); };
  halo_.copies.resize(layouts_.size());
  for(const auto& c : plan.copies)
    halo_.copies[local(c.destination)].push_back(
      {local(c.source), detail::brick::of(c.from), detail::brick::of(c.to)});
  const auto flatten = [&](const auto& messages, auto& into) {
    for(const auto& m : messages) {
      detail::halo_plan::message flat{m.peer, static_cast<std::int64_t>(m.size), {}};
      for(const auto& p : m.parts)
        flat.parts.push_back(
          {local(p.color), detail::brick::of(p.points), static_cast<std::int64_t>(p.offset)});
      into.push_back(std::move(flat));
    }
  };
  flatten(plan.outgoing, halo_.outgoing);
  flatten(plan.incoming, halo_.incoming);
  for(std::size_t a = 0; a != D; ++a)
    halo_.is_nowhere = halo_.is_nowhere && coloring.depth(a) == 0;
}

template<std::size_t D>
structured<D>::~structured() {
  home_.let_go(); // tasks look at it
}

template class structured<1>;
template class structured<2>;
template class structured<3>;

} // namespace rondo
