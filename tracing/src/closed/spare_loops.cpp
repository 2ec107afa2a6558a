#include <rondo/tracing/spare_loops.hpp>

#include <algorithm>
#include <utility>

#include <rondo/tracing/closed.hpp>

namespace rondo::detail::inline tracing {

spare_loops::spare_loops() = default;
spare_loops::~spare_loops() = default;

void spare_loops::keep(std::unique_ptr<closed_loop> l) {
  if(!l->is_worth_keeping() || l->instances() > most_instances)
    return;
  l->rest();
  instances_ += l->instances();
  all_.push_back(std::move(l));
  while(all_.size() > most || instances_ > most_instances) {
    instances_ -= all_.front()->instances();
    all_.erase(all_.begin());
  }
}

std::unique_ptr<closed_loop> spare_loops::take_like(const closed_loop& other) {
  // Those that come in turns come in the same turns again: then the oldest is the one.
  const auto found =
    std::ranges::find_if(all_, [&other](const auto& l) { return l->is_like(other); });
  if(found == all_.end())
    return nullptr;
  std::unique_ptr<closed_loop> taken = std::move(*found);
  all_.erase(found);
  instances_ -= taken->instances();
  ++taken_;
  return taken;
}

void spare_loops::forget(const region_base& r) {
  std::erase_if(all_, [&](const auto& l) {
    const bool is_gone = l->made->names(r);
    instances_ -= is_gone ? l->instances() : 0;
    return is_gone;
  });
}

} // namespace rondo::detail::inline tracing
