#include <rondo/distributed/topology.hpp>

#include <algorithm>
#include <string>

#include <rondo/distributed/lane.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/distributed/waves.hpp>

namespace rondo {

topology::topology(scheduler& s, const distribution& who)
    : home_(s), who_(who), mine_(who.of(s.rank())), cut_(s.new_cut()), number_(s.new_number()) {
  s.refuse_in_body("a topology");
}

topology::topology(colors_of other)
    : home_(other.which.home_), who_(other.which.who_), mine_(other.which.mine_),
      cut_(other.which.cut_), number_(home_.new_number()) {
  home_.refuse_in_body("a topology");
}

topology::topology(scheduler& s, replicated)
    : home_(s), who_{.colors = 1, .ranks = s.ranks()}, mine_{0, 1}, cut_(uncut),
      number_(s.new_number()) {
  s.refuse_in_body("a topology");
}

topology::~topology() { home_.let_go(); }

std::string detail::details_of_color(
  std::initializer_list<const topology*> over, std::size_t color) {
  for(const topology* const t : over)
    if(!t->is_replicated())
      return ", color " + std::to_string(t->mine().first + color);
  return over.size() != 0 ? "" : ", color " + std::to_string(color) + " of this rank";
}

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

void topology::find_waves(std::size_t bytes, std::size_t stages) {
  layers_ = detail::layers_of(halo_, local_colors());
  std::size_t largest = 0;
  std::size_t all = 0;
  for(const auto& layer : layers_) {
    std::size_t points = 0; // others' ghosts are mostly read in place
    for(const std::size_t c : layer)
      points += static_cast<std::size_t>(points_[c].size());
    largest = std::max(largest, points * bytes);
    all += points * bytes;
  }
  stages_ = stages != 0 ? std::min(stages, detail::most_stages)
                        : detail::stages_worthwhile(largest, all, home_.home().workers());
  if(layers_.size() < 2)
    stages_ = 1;
}

} // namespace rondo
