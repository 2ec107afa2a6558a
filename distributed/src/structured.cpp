#include <rondo/distributed/structured.hpp>

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
  if(!any)
    shape.colors =
      default_color_grid(shape, s.ranks(), s.workers(), fields_in_use * sizeof(double));
  return structured_coloring<D>(shape);
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
    name.append(a == 0 ? "" : "x").append(std::to_string(options.extents[a]));
  }
  add(options.halo);
  add(options.diagonals);
  s.note_made(detail::step_kind::topology, where, number(), all, std::move(name));
}

template<std::size_t D>
structured<D>::structured(
  scheduler& s, const structured_coloring<D>& coloring, unsigned ranks, unsigned rank)
    : topology(s, coloring.over(ranks)), coloring_(coloring) {
  const exchange_plan<D> plan = plan_exchange(coloring, ranks, rank);
  const color_id first = plan.colors.first;
  for(color_id c = first; c != plan.colors.last; ++c) {
    owned_.push_back(coloring.owned(c));
    layouts_.push_back(detail::block_layout::around(coloring.with_ghosts(c)));
  }
  const auto local = [first](color_id c) { return static_cast<std::size_t>(c - first); };
  halo_.copies.resize(layouts_.size());
  for(const auto& c : plan.copies)
    halo_.copies[local(c.destination)].push_back(
      {local(c.source), layouts_[local(c.source)].template brick_of<D>(c.from),
        layouts_[local(c.destination)].template brick_of<D>(c.to)});
  const auto flatten = [&](const auto& messages, auto& into) {
    for(const auto& m : messages) {
      detail::halo_plan::message flat{m.peer, static_cast<std::int64_t>(m.size), {}};
      for(const auto& p : m.parts)
        flat.parts.push_back(
          {local(p.color), layouts_[local(p.color)].template brick_of<D>(p.points),
            static_cast<std::int64_t>(p.offset)});
      into.push_back(std::move(flat));
    }
  };
  flatten(plan.outgoing, halo_.outgoing);
  flatten(plan.incoming, halo_.incoming);
  for(std::size_t a = 0; a != D; ++a)
    halo_.is_nowhere = halo_.is_nowhere && coloring.depth(a) == 0;
  find_order();
}

template<std::size_t D>
structured<D>::~structured() {
  home_.let_go(); // tasks look at it
}

template class structured<1>;
template class structured<2>;
template class structured<3>;

} // namespace rondo
