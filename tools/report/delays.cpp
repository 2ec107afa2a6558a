#include "delays.hpp"

namespace rondo::report {

std::vector<readiness> readiness_of(const graph& g) {
  using cause_type = readiness::cause_type;
  std::vector<readiness> all(g.nodes.size());
  std::vector<readiness> over(g.nodes.size()); // when what waits for it may begin, and by what
  for(std::uint32_t n = 0; n != g.nodes.size(); ++n) {
    const node& x = g.nodes[n];
    readiness& r = all[n];
    const auto consider = [](readiness& of, const readiness& other) {
      const bool is_known = of.is_known && other.is_known;
      if(other.at != node::unknown && other.at > of.at)
        of = other;
      of.is_known = is_known;
    };
    r.is_known = x.knows_all && !x.lacks_message;
    consider(r, {x.launched, cause_type::launch, none});
    for(const std::uint32_t m : g.before(n))
      consider(r, over[m]);
    for(const graph::taken_result& t : g.results_for(n)) // unless that can't have been the one
      if(!x.has_run() || over[t.of].at <= x.begin)
        consider(r, over[t.of]);
    for(const std::uint32_t a : g.messages_to(n))
      if(!x.has_run() || g.arrows[a].arrived <= x.begin)
        consider(r, {g.arrows[a].arrived, cause_type::message, a});
    over[n] = x.has_run() ? readiness{x.end, cause_type::task, n} : r;
    if(x.lacks_message || (!x.has_run() && x.may_have_run))
      over[n].is_known = false;
    for(const std::uint32_t a : g.messages_to(n))
      consider(over[n], {g.arrows[a].arrived, cause_type::message, a});
  }
  return all;
}

} // namespace rondo::report
