#include <rondo/distributed/index.hpp>

#include <stdexcept>

#include <rondo/distributed/scheduler.hpp>

namespace rondo::topo {

namespace {

distribution over(const scheduler& s, const index_options& o) {
  if(o.colors == 0)
    throw std::invalid_argument(
      "rondo::topo::index: no colors; say how many there are: {.colors = n}");
  return {o.colors, s.ranks()};
}

} // namespace

index::index(scheduler& s, const index_options& options, std::source_location where)
    : topology(s, {over(s, options), s.rank(), s.new_cut()}, detail::values_of_colors(1)) {
  s.note_made(detail::step_kind::topology, where, number(), colors(), "index");
}

index::index(const topology& like, std::source_location where)
    : topology(like.home(), like.cut(), detail::values_of_colors(1)) {
  home_.note_made(detail::step_kind::topology, where, number(), like.number(), "index");
}

index::~index() {
  home_.let_go(); // tasks look at it
}

} // namespace rondo::topo
