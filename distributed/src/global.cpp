#include <rondo/distributed/global.hpp>

#include <stdexcept>
#include <string>

#include <rondo/distributed/scheduler.hpp>

namespace rondo::topo {

namespace {

std::int64_t checked_size(const global_options& o) {
  if(o.size < 1)
    throw std::invalid_argument("rondo::topo::global: a size of " + std::to_string(o.size) +
                                "; there has to be one value at least");
  return o.size;
}

} // namespace

global::global(scheduler& s, const global_options& options, std::source_location where)
    : topology(s, detail::partition::replicated(s.ranks(), s.rank()),
        detail::values_of_colors(checked_size(options))),
      size_(options.size) {
  s.note_made(
    detail::step_kind::topology, where, number(), static_cast<std::uint64_t>(size_), "global");
}

global::~global() {
  home_.let_go(); // tasks look at it
}

} // namespace rondo::topo
