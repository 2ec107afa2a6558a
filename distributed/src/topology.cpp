#include <rondo/distributed/topology.hpp>

#include <stdexcept>
#include <string>

#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/task.hpp>

namespace rondo::detail::inline distributed {

void refuse_moved(const char* what) {
  throw std::logic_error(
    std::string(what) + " that is used here was moved to another object; use that one");
}

namespace {
/// Refused before anything is counted, as fields are.
std::uint32_t number_for_a_topology(scheduler& s) {
  s.refuse_in_body("a topology");
  return s.new_number();
}
} // namespace

topology_state::topology_state(scheduler& s, const partition& cut, const index_space& space)
    : home_(s), elements_(elements_of(cut, space)), cut_(cut), number_(number_for_a_topology(s)),
      neighbours_of_(number_) {
  order_ = order_colors(elements_.plan);
  note_costs();
  home_.begin_use_of(*this);
}

topology_state::topology_state(
  const topology_state& other, const index_space& space, bool sees_as_that)
    : home_(other.home_), order_(other.order_), elements_(elements_of(other.cut_, space)),
      cut_(other.cut_), number_(number_for_a_topology(other.home_)),
      neighbours_of_(sees_as_that ? other.neighbours_of_ : number_) {
  note_costs();
  home_.begin_use_of(*this);
}

void topology_state::cut_anew(const partition& cut, const index_space& space) {
  cut_ = cut;
  owned_before_ = std::move(elements_.owned);
  elements_ = elements_of(cut, space);
  order_ = order_colors(elements_.plan);
}

const local_elements& topology_state::elements_with_halo(std::int64_t /*halo*/) {
  throw std::invalid_argument(
    "rondo::field: only fields of structured meshes have a halo; leave it out");
}

topology_state::~topology_state() { home_.end_use_of(*this); }

std::string details_of_color(std::initializer_list<const topology_state*> over, std::size_t color) {
  for(const topology_state* const t : over)
    if(!t->is_replicated())
      return ", color " + std::to_string(t->mine()[color]);
  return over.size() != 0 ? "" : ", color " + std::to_string(color) + " of this rank";
}

} // namespace rondo::detail::inline distributed
