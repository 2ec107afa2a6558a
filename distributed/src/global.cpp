#include <rondo/distributed/global.hpp>

#include <memory>
#include <stdexcept>
#include <string>

#include <rondo/distributed/scheduler.hpp>

#include "divergence/aside.hpp"

namespace rondo::topo {

namespace {

std::int64_t checked_size(const global_options& o) {
  if(o.size < 1)
    throw std::invalid_argument("rondo::topo::global: a size of " + std::to_string(o.size) +
                                "; there has to be one value at least");
  return o.size;
}

} // namespace

global_state::global_state(scheduler& s, std::int64_t size)
    : topology_state(
        s, detail::partition::replicated(s.ranks(), s.rank()), detail::values_of_colors(size)),
      size_(size) {}

global_state::~global_state() {
  home().let_go(); // tasks look at it
}

global::global(scheduler& s, const global_options& options, std::source_location where)
    : topology(std::make_shared<state_type>(s, checked_size(options))) {
  const std::string what = "size " + std::to_string(size());
  s.note_made(detail::step_kind::topology, where, number(), static_cast<std::uint64_t>(size()),
    detail::with_aside("global", {what}));
}

} // namespace rondo::topo
