#include <rondo/distributed/made_of.hpp>

#include <stdexcept>
#include <utility>

#include <rondo/core/checks.hpp>
#include <rondo/distributed/scheduler.hpp>

#include "space_check.hpp"

namespace rondo::detail::inline distributed {

namespace {

partition cut_for(scheduler& s, std::uint64_t colors, const std::string& name) {
  if(colors == 0)
    refuse_space(name, "its index space has no colors; colors() says how many there are");
  return {distribution(colors, s.ranks()), s.rank(), s.new_cut()};
}

const partition& cut_like(
  const topology_state& like, std::uint64_t colors, const std::string& name) {
  if(like.is_replicated())
    refuse_space(name, "it can't have the colors of a global topology, which every rank has; "
                       "name another one, or the scheduler");
  if(like.colors() != colors)
    refuse_space(name, "its index space has " + std::to_string(colors) +
                         " colors, and the topology whose colors it takes has " +
                         std::to_string(like.colors()) + "; make it with as many");
  return like.cut();
}

/// Before anything else looks at the space.
const index_space& checked(
  const index_space& space, const partition& cut, const std::string& name) {
  for(const color_id c : cut.mine()) {
    check_color(space, c, cut.colors(), name);
    if constexpr(is_checked)
      check_neighbours(space, c, name);
  }
  return space;
}

} // namespace

made_state::made_state(
  scheduler& s, std::uint64_t colors, const index_space& space, const std::string& name)
    : made_state(s, cut_for(s, colors, name), space, name) {}

made_state::made_state(const topology_state& like, std::uint64_t colors, const index_space& space,
  const std::string& name)
    : made_state(like.home(), cut_like(like, colors, name), space, name) {}

made_state::made_state(
  scheduler& s, const partition& cut, const index_space& space, const std::string& name)
    : topology_state(s, cut, checked(space, cut, name)), name_(name) {}

mesh_outline made_state::outline() const {
  return {.has_elements = true, .element = any_space().element_name()};
}

std::optional<std::string> made_state::why_fixed() const {
  if(any_space().can_move())
    return std::nullopt;
  return "'" + name_ +
         "', which has the same colors, can't move: its index space doesn't say that it can. If it "
         "answers "
         "for any color, let it have `bool can_move() const override { return true; }`, and else "
         "hand "
         "over what it knows of colors in `move` as well (docs/balance.md)";
}

void made_state::end_use() const noexcept { home().let_go(); }

void note_made(const topology_state& t, topo::made_options options, std::uint64_t like,
  const std::source_location& where) {
  const std::uint64_t all =
    (t.colors() * 0x9e3779b97f4a7c15 + like) * 0x9e3779b97f4a7c15 + options.fingerprint;
  t.home().note_made(step_kind::topology, where, t.number(), all, std::move(options.name));
}

} // namespace rondo::detail::inline distributed

namespace rondo::topo {

void check(const detail::index_space& space, std::uint64_t colors) {
  for(color_id c = 0; c != colors; ++c)
    detail::check_color(space, c, colors, "index space");
  for(color_id c = 0; c != colors; ++c)
    detail::check_neighbours(space, c, "index space");
}

} // namespace rondo::topo
