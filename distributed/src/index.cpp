#include <rondo/distributed/index.hpp>

#include <memory>
#include <stdexcept>
#include <string>

#include <rondo/distributed/scheduler.hpp>

#include "divergence/aside.hpp"
#include "too_many_colors.hpp"

namespace rondo::topo {

namespace {

distribution over(const scheduler& s, const index_options& o) {
  if(o.colors == 0)
    throw std::invalid_argument(
      "rondo::topo::index: no colors; say how many there are: {.colors = n}");
  return {o.colors, s.ranks()};
}

} // namespace

index_state::index_state(scheduler& s, const detail::partition& cut)
    : topology_state(s, cut, detail::values_of_colors(1)) {}

index_state::~index_state() {
  home().let_go(); // tasks look at it
}

void index_state::move(const detail::partition& to, const detail::color_carrier& /*carrier*/) {
  cut_anew(to, detail::values_of_colors(1));
}

index::index(scheduler& s, const index_options& options, std::source_location where)
    : topology(
        detail::if_there_is_memory("rondo::topo::index", options.colors, s.ranks(), where, [&] {
          return std::make_shared<state_type>(
            s, detail::partition(over(s, options), s.rank(), s.new_cut(where)));
        })) {
  s.note_made(detail::step_kind::topology, where, number(), colors(),
    detail::with_aside("index", {std::to_string(colors()) + " colors"}));
}

index::index(const topology& like, std::source_location where)
    : topology(std::make_shared<state_type>(like.home(), like.any_state().cut())) {
  home().note_made(detail::step_kind::topology, where, number(), like.number(),
    detail::with_aside("index", {"with the colors of topology " + std::to_string(like.number())}));
}

} // namespace rondo::topo
