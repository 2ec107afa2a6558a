#include <rondo/distributed/index.hpp>

#include <stdexcept>

#include <rondo/distributed/scheduler.hpp>

namespace rondo::topo {

namespace {

distribution over(const scheduler& s, const index_options& o) {
  if(o.colors == 0)
    throw std::invalid_argument(
      "rondo::topo::index: no colors; say how many there are: {.colors = n}");
  return {.colors = o.colors, .ranks = s.ranks()};
}

} // namespace

index::index(scheduler& s, const index_options& options, std::source_location where)
    : topology(s, over(s, options)) {
  lay_out();
  s.note_made(detail::step_kind::topology, where, number(), colors(), "index");
}

index::index(const topology& like, std::source_location where) : topology(colors_of{like}) {
  lay_out();
  home_.note_made(detail::step_kind::topology, where, number(), like.number(), "index");
}

index::~index() {
  home_.let_go(); // tasks look at it
}

void index::lay_out() {
  layouts_.assign(mine_.size(), {.elements = 1, .origin = 0, .stride = {1, 1}});
  halo_.copies.resize(layouts_.size());
  find_order();
}

} // namespace rondo::topo
