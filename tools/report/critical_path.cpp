#include "critical_path.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rondo::report {

const char* name_of(path_part::kind_type k) {
  static constexpr const char* names[] = {"task", "message", "launching", "waiting for a worker"};
  return names[static_cast<int>(k)];
}

namespace {

using kind_type = path_part::kind_type;

/// Goes from the end of the run back to its begin.
class walker {
public:
  walker(const spans& s, const graph& g, const std::vector<readiness>& ready)
      : spans_(s), graph_(g), ready_(ready), now_(s.end) {
    for(std::uint32_t i = 0; i != s.all.size(); ++i) {
      const span& x = s.all[i];
      const std::uint32_t rank = s.lanes[x.lane].rank;
      if(s.sites[x.site].kind == span_kind::waited)
        waits_[rank].push_back(i);
      else if(is_task(x))
        by_end_[rank].push_back(i);
    }
    const auto end_of = [&s](std::uint32_t i) { return s.all[i].end; };
    for(auto* of : {&waits_, &by_end_})
      for(auto& [rank, list] : *of)
        std::ranges::sort(list, {}, end_of);
  }

  std::vector<path_part> walk() {
    std::uint32_t at = last_span();
    if(at == none)
      return {};
    take(kind_type::launching, spans_.all[at].end); // the program's own end
    // Each is visited once; more than that only clocks that contradict each other can bring about.
    for(std::size_t left = spans_.all.size(); at != none && now_ > 0 && left != 0; --left)
      at = step(at);
    take(kind_type::launching, 0);
    std::ranges::reverse(parts_);
    return std::move(parts_);
  }

private:
  [[nodiscard]] bool is_task(const span& x) const {
    return spans_.sites[x.site].kind <= span_kind::node;
  }
  [[nodiscard]] std::uint32_t last_span() const {
    std::uint32_t best = none;
    for(const auto& [rank, list] : by_end_)
      if(best == none || spans_.all[list.back()].end > spans_.all[best].end)
        best = list.back();
    return best;
  }

  /// All before `now_` and behind `begin` is a part.
  void take(kind_type kind, std::int64_t begin, std::uint32_t span = none) {
    begin = std::clamp<std::int64_t>(begin, 0, now_);
    if(begin != now_)
      parts_.push_back({kind, begin, now_, span});
    now_ = begin;
  }

  /// From within a span, or its end, to what comes before it; `none` at the begin of all.
  std::uint32_t step(std::uint32_t at) {
    const span& x = spans_.all[at];
    const std::uint32_t n = graph_.node_of[at];
    if(const std::uint32_t a = n != none ? graph_.last_message(n, x.end, now_) : none; a != none) {
      // Its task has ended, but what it does was not over: a reduction goes from message to message.
      take(kind_type::waiting_for_worker, graph_.arrows[a].arrived);
      return before_message(graph_.arrows[a]);
    }
    take(kind_type::task, x.begin, at);
    const std::uint32_t rank = spans_.lanes[x.lane].rank;
    const std::uint32_t before = before_on_lane(at);
    const bool is_unclear =
      n != none && !ready_[n].is_known && ready_[n].cause == readiness::cause_type::launch;
    if(n == none || !x.is_first ||
       is_unclear) { // its launch is not known, or it goes on after a rest
      if(before != none)
        take(kind_type::waiting_for_worker, spans_.all[before].end);
      return before;
    }
    const readiness& r = ready_[n];
    if(before != none && spans_.all[before].end > r.at && spans_.all[before].end <= x.begin) {
      take(kind_type::waiting_for_worker, spans_.all[before].end);
      return before; // it was ready, and the worker busy
    }
    take(kind_type::waiting_for_worker, r.at);
    switch(r.cause) {
    case readiness::cause_type::task:
      return graph_.nodes[r.of].last;
    case readiness::cause_type::message:
      return before_message(graph_.arrows[r.of]);
    default:
      return before_launch(rank);
    }
  }

  std::uint32_t before_message(const arrow& a) {
    take(kind_type::message, a.posted);
    if(a.from != none && graph_.nodes[a.from].first != none)
      return graph_.nodes[a.from].first;
    return task_that_ended_before(spans_.lanes[lane_of_rank(a.from_rank)].rank);
  }

  [[nodiscard]] std::uint32_t lane_of_rank(std::uint32_t place) const {
    // Places are those of `timeline::ranks`, in the order of which lanes are.
    std::uint32_t seen = 0;
    for(std::uint32_t l = 0; l != spans_.lanes.size(); ++l) {
      if(l != 0 && spans_.lanes[l].rank != spans_.lanes[l - 1].rank)
        ++seen;
      if(seen == place)
        return l;
    }
    return 0;
  }

  [[nodiscard]] std::uint32_t before_on_lane(std::uint32_t at) const {
    const span& x = spans_.all[at];
    const std::uint32_t first = spans_.lanes[x.lane].first;
    for(std::uint32_t i = at; i != first;) {
      --i;
      if(is_task(spans_.all[i]) && spans_.all[i].end <= x.begin)
        return i;
    }
    return none;
  }

  [[nodiscard]] std::uint32_t last_ended(
    const std::map<std::uint32_t, std::vector<std::uint32_t>>& of, std::uint32_t rank) const {
    const auto list = of.find(rank);
    if(list == of.end())
      return none;
    const auto at = std::ranges::upper_bound(
      list->second, now_, {}, [this](std::uint32_t i) { return spans_.all[i].end; });
    return at == list->second.begin() ? none : *(at - 1);
  }
  std::uint32_t task_that_ended_before(std::uint32_t rank) {
    const std::uint32_t at = last_ended(by_end_, rank);
    if(at != none)
      take(kind_type::launching, spans_.all[at].end);
    return at;
  }

  /// The program has launched it just now. What has it done before? If it has waited, what it waited for is what counts.
  std::uint32_t before_launch(std::uint32_t rank) {
    const std::uint32_t wait = last_ended(waits_, rank);
    if(wait == none)
      return none;
    take(kind_type::launching, spans_.all[wait].end);
    return task_that_ended_before(rank);
  }

  const spans& spans_;
  const graph& graph_;
  const std::vector<readiness>& ready_;
  std::int64_t now_;
  std::vector<path_part> parts_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> waits_;  ///< By rank, by their end.
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_end_; ///< Tasks, likewise.
};

} // namespace

std::vector<path_part> critical_path(
  const spans& s, const graph& g, const std::vector<readiness>& ready) {
  return walker(s, g, ready).walk();
}

} // namespace rondo::report
