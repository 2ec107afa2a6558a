#include <rondo/distributed/global.hpp>

#include <stdexcept>
#include <string>

#include <rondo/distributed/scheduler.hpp>

namespace rondo::topo {

global::global(scheduler& s, const global_options& options, std::source_location where)
    : topology(s, replicated{}), size_(options.size) {
  if(size_ < 1)
    throw std::invalid_argument("rondo::topo::global: a size of " + std::to_string(size_) +
                                "; there has to be one value at least");
  layouts_.push_back({.elements = size_, .origin = 0, .stride = {size_, size_}});
  halo_.copies.resize(1);
  find_order();
  s.note_made(
    detail::step_kind::topology, where, number(), static_cast<std::uint64_t>(size_), "global");
}

global::~global() {
  home_.let_go(); // tasks look at it
}

} // namespace rondo::topo
