#include <rondo/distributed/structured.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rondo/distributed/color_grid.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/structured_points.hpp>

#include "divergence/aside.hpp"
#include "refusal.hpp"
#include "the_field.hpp"
#include "too_many_colors.hpp"

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
    .diagonals = o.diagonals,
    .beyond = o.beyond};
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

} // namespace

namespace detail::inline distributed {

template<std::size_t D>
structured_state<D>::structured_state(
  scheduler& s, const structured_coloring<D>& coloring, const partition& cut, std::size_t stages)
    : topology_state(s, cut, structured_points<D>(coloring)), coloring_(coloring), stages_(stages) {
  list_owned();
}

template<std::size_t D>
structured_state<D>::structured_state(
  const structured_state& cells, const std::array<bool, D>& along)
    : topology_state(cells, structured_points<D>(cells.coloring_.staggered(along)),
        !cells.coloring_.is_coarse()),
      coloring_(cells.coloring_.staggered(along)), stages_(cells.stages_) {
  list_owned();
}

template<std::size_t D>
void structured_state<D>::list_owned() {
  owned_.clear();
  for(const color_id c : mine())
    owned_.push_back(coloring_.owned(c));
}

template<std::size_t D>
structured_state<D>::~structured_state() {
  home().let_go(); // tasks look at it
}

template<std::size_t D>
const local_elements& structured_state<D>::elements_with_halo(std::int64_t halo) {
  if(halo == coloring_.shape().halo)
    return elements();
  for(const auto& known : thinner_)
    if(known->halo == halo)
      return known->elements;
  thinner_.push_back(std::make_unique<with_halo>(with_halo{halo, elements_as_deep_as(halo)}));
  return thinner_.back()->elements;
}

template<std::size_t D>
local_elements structured_state<D>::elements_as_deep_as(std::int64_t halo) const {
  return elements_of(cut(), structured_points<D>(coloring_.with_halo(halo)));
}

template<std::size_t D>
void structured_state<D>::move(const partition& to, const color_carrier& /*carrier*/) {
  cut_anew(to, structured_points<D>(coloring_));
  list_owned();
  for(const auto& known : thinner_)
    known->elements = elements_as_deep_as(known->halo);
  find_order();
}

template<std::size_t D>
void structured_state<D>::find_order() {
  set_order(order_waves(elements().plan, elements().owned,
    {.bytes = fields_in_use * sizeof(double),
      .stages = stages_,
      .workers = home().home().workers()}));
}

template<std::size_t D>
mesh_outline structured_state<D>::outline() const {
  mesh_outline all{.dimensions = D, .has_points = true};
  all.points = {{0, 0, 0}, {1, 1, 1}};
  for(std::size_t a = 0; a != D; ++a) {
    all.points.hi[a] = coloring_.shape().extents[a];
    all.halo[a] = coloring_.shape().halo;
    all.periodic[a] = coloring_.shape().periodic[a];
  }
  all.diagonals = coloring_.shape().diagonals;
  all.beyond = coloring_.shape().beyond;
  return all;
}

template class structured_state<1>;
template class structured_state<2>;
template class structured_state<3>;

} // namespace detail::inline distributed

namespace {

/// What `make()` returns, of a mesh that is made there.
template<class F>
auto told_where(const std::source_location& where, F&& make) {
  try {
    return std::forward<F>(make)();
  }
  catch(const std::invalid_argument& e) {
    throw std::invalid_argument(
      "rondo::structured, made at " + detail::place(where) + ": " + detail::without_kind(e.what()));
  }
}

template<std::size_t D>
std::shared_ptr<detail::structured_state<D>> make(
  scheduler& s, const structured_options<D>& options, const std::source_location& where) {
  const auto make_state = [&] {
    const structured_coloring<D> coloring = coloring_of(s, options);
    return detail::if_there_is_memory(
      "rondo::structured", coloring.colors(), s.ranks(), where, [&] {
        const detail::partition cut(coloring.over(s.ranks()), s.rank(), s.new_cut(where));
        return std::make_shared<detail::structured_state<D>>(s, coloring, cut, options.stages);
      });
  };
  return told_where(where, make_state);
}

/// For the check that all ranks make the same.
template<std::size_t D>
std::uint64_t hash_of(const structured_shape<D>& shape, std::uint64_t colors) {
  std::uint64_t all = colors;
  const auto add = [&all](auto n) { all = all * 0x9e3779b97f4a7c15 + std::uint64_t(n); };
  for(std::size_t a = 0; a != D; ++a) {
    add(shape.extents[a]);
    add(shape.periodic[a]);
    add(shape.colors[a]); // 4 by 1 are as many as 1 by 4
  }
  add(shape.halo);
  add(shape.diagonals);
  add(shape.beyond);
  return all;
}

template<std::size_t D>
void check_axis(const char* what, std::size_t axis) {
  if(axis >= D)
    detail::refuse(std::string(what) + " axis " + std::to_string(axis) + " of a mesh of " +
                   std::to_string(D) + " dimensions; axes count from 0");
}

/// " 0 and 2": the axes for which it is so.
template<std::size_t D>
std::string list_axes(const std::array<bool, D>& are) {
  std::string text;
  for(std::size_t a = 0; a != D; ++a)
    if(are[a])
      text.append(text.empty() ? " " : " and ").append(std::to_string(a));
  return text;
}

/// Of the options that `hash_of` looks at those that are not as usual.
template<std::size_t D>
std::vector<std::string> told_options(const structured_shape<D>& shape) {
  const structured_options<D> usual;
  std::vector<std::string> all;
  if(shape.halo != usual.halo)
    all.push_back("halo " + std::to_string(shape.halo));
  if(shape.periodic != usual.periodic)
    all.push_back("periodic along" + list_axes(shape.periodic));
  if(shape.diagonals != usual.diagonals)
    all.emplace_back("diagonals");
  if(shape.beyond != usual.beyond)
    all.push_back("beyond " + std::to_string(shape.beyond));
  return all;
}

template<std::size_t D>
std::string name_of(const point<D>& extents) {
  std::string name = "mesh ";
  for(std::size_t a = 0; a != D; ++a)
    name.append(a == 0 ? "" : "x").append(std::to_string(extents[a]));
  return name;
}

} // namespace

template<std::size_t D>
structured<D>::structured(
  scheduler& s, const structured_options<D>& options, std::source_location where)
    : structured(make(s, options, where)) {
  std::string name = name_of(options.extents);
  if(D > 1 && options.colors != point<D>{})
    for(std::size_t a = 0; a != D; ++a)
      name.append(a == 0 ? " in " : "x").append(std::to_string(options.colors[a]));
  s.note_made(detail::step_kind::topology, where, number(), hash_of(coloring().shape(), colors()),
    detail::with_aside(std::move(name), told_options(coloring().shape())));
  state().find_order();
}

template<std::size_t D>
structured<D> structured<D>::coarsened(const point<D>& by, std::source_location where) const {
  const state_type& fine = state();
  structured coarse(told_where(where, [&] {
    return std::make_shared<state_type>(
      home(), fine.coloring().coarsened(by), fine.cut(), fine.wanted_stages());
  }));
  const structured_shape<D>& shape = coarse.coloring().shape();
  home().note_made(detail::step_kind::topology, where, coarse.number(),
    hash_of(shape, fine.number()), name_of(shape.extents));
  coarse.state().find_order();
  return coarse;
}

template<std::size_t D>
structured<D> structured<D>::staggered(
  const std::array<bool, D>& along, const std::source_location& where) const {
  structured other(std::make_shared<state_type>(state(), along));
  const structured_shape<D>& shape = other.coloring().shape();
  std::uint64_t hash = number();
  for(const bool is : along)
    hash = 2 * hash + (is ? 1 : 0);
  home().note_made(detail::step_kind::topology, where, other.number(), hash_of(shape, hash),
    detail::with_aside(name_of(shape.extents), {"between the cells along" + list_axes(along)}));
  if(!other.state().sees_as(state()))
    other.state().find_order();
  return other;
}

template<std::size_t D>
structured<D> structured<D>::faces(std::size_t across, std::source_location where) const {
  check_axis<D>("faces across", across);
  std::array<bool, D> between{};
  between[across] = true;
  return staggered(between, where);
}

template<std::size_t D>
structured<D> structured<D>::edges(std::size_t along, std::source_location where) const {
  std::array<bool, D> between{};
  check_axis<D>("edges along", along);
  between.fill(true);
  between[along] = false;
  return staggered(between, where);
}

template<std::size_t D>
structured<D> structured<D>::corners(std::source_location where) const {
  std::array<bool, D> between{};
  between.fill(true);
  return staggered(between, where);
}

template class structured<1>;
template class structured<2>;
template class structured<3>;

} // namespace rondo
