#include <rondo/distributed/topology.hpp>

#include <string>

#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/task.hpp>

namespace rondo {

topology::topology(scheduler& s, const detail::partition& cut, const detail::index_space& space)
    : home_(s), elements_(detail::elements_of(cut, space)), cut_(cut), number_(s.new_number()) {
  s.refuse_in_body("a topology");
  order_ = detail::order_colors(elements_.plan);
}

topology::~topology() {
  home_.let_go();
  home_.end_reductions(*this);
}

std::string detail::details_of_color(
  std::initializer_list<const topology*> over, std::size_t color) {
  for(const topology* const t : over)
    if(!t->is_replicated())
      return ", color " + std::to_string(t->mine()[color]);
  return over.size() != 0 ? "" : ", color " + std::to_string(color) + " of this rank";
}

} // namespace rondo
