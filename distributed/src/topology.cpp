#include <rondo/distributed/topology.hpp>

#include <rondo/distributed/lane.hpp>
#include <rondo/distributed/scheduler.hpp>

namespace rondo {

topology::topology(scheduler& s, const distribution& who)
    : home_(s), who_(who), mine_(who.of(s.rank())), number_(s.new_number()) {
  s.refuse_in_body("a topology");
}

topology::~topology() { home_.let_go(); }

void topology::find_order() {
  std::vector<bool> waits(local_colors());
  for(const auto& m : halo_.incoming)
    for(const auto& p : m.parts)
      waits[p.color] = true;
  for(const bool late : {false, true})
    for(std::size_t c = 0; c != waits.size(); ++c)
      if(waits[c] == late)
        order_.push_back(c);
}

} // namespace rondo
