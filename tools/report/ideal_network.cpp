#include "ideal_network.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace rondo::report {

namespace {

/// Goes through the run in the order of its times, and finds new ones.
class replay {
public:
  replay(const spans& s, const graph& g)
      : spans_(s), graph_(g), begin_(s.all.size()), end_(s.all.size()) {
    for(std::uint32_t i = 0; i != s.all.size(); ++i) {
      const span& x = s.all[i];
      if(is_task(x)) {
        events_.push_back({x.begin, i, false});
        ranks_[lane_of(i).rank].by_end.push_back(i);
      }
      else if(s.sites[x.site].kind == span_kind::waited)
        events_.push_back({x.end, i, true});
    }
    std::ranges::stable_sort(events_, {}, &event::at);
    for(auto& [number, rank] : ranks_)
      std::ranges::sort(rank.by_end, {}, [this](std::uint32_t k) { return spans_.all[k].end; });
  }

  std::int64_t end() {
    std::int64_t last = 0;
    std::int64_t ideal_last = 0;
    for(const event& e : events_) {
      e.is_wait ? wait(e.span) : task(e.span);
      last = std::max(last, spans_.all[e.span].end);
      ideal_last = std::max(ideal_last, end_[e.span]);
    }
    return ideal_last + (spans_.end - last);
  }

private:
  struct event {
    std::int64_t at;
    std::uint32_t span;
    bool is_wait;
  };
  struct rank_state {
    std::int64_t saved = 0;            ///< So much sooner does its main thread go on.
    std::vector<std::uint32_t> by_end; ///< Its tasks.
  };

  [[nodiscard]] bool is_task(const span& x) const {
    return spans_.sites[x.site].kind <= span_kind::node;
  }
  [[nodiscard]] const lane& lane_of(std::uint32_t i) const {
    return spans_.lanes[spans_.all[i].lane];
  }

  void task(std::uint32_t i) {
    const span& x = spans_.all[i];
    const rank_state& rank = ranks_[lane_of(i).rank];
    // What it waited for, as it was and as it would have been.
    std::int64_t was = 0;
    std::int64_t would_be = 0;
    const auto consider = [&](std::int64_t then, std::int64_t now) {
      was = std::max(was, std::min(then, x.begin));
      would_be = std::max(would_be, std::min(then, now));
    };
    const std::uint32_t n = graph_.node_of[i];
    if(n != none && x.is_first) {
      const node& of = graph_.nodes[n];
      consider(of.launched, of.launched - rank.saved);
      for(const std::uint32_t m : graph_.before(n))
        consider_node(m, consider);
      for(const graph::taken_result& t : graph_.results_for(n))
        if(!graph_.nodes[t.of].has_run() || graph_.nodes[t.of].end <= x.begin)
          consider_node(t.of, consider);
      consider_messages(n, x.begin, consider);
    }
    if(const auto before = last_on_lane_.find(x.lane); before != last_on_lane_.end()) {
      const std::uint32_t b = before->second;
      if(spans_.all[b].end <= x.begin) // else this one is within
        consider(spans_.all[b].end, end_[b]);
    }
    if(was == 0)
      would_be = std::max<std::int64_t>(0, x.begin - rank.saved), was = x.begin;
    begin_[i] = would_be + (x.begin - was);
    end_[i] = begin_[i] + x.length();
    last_on_lane_[x.lane] = i;
  }

  template<class Consider>
  void consider_node(std::uint32_t m, Consider&& consider) {
    const node& before = graph_.nodes[m];
    consider_messages(m, INT64_MAX, consider);
    if(before.has_run()) {
      consider(before.end, end_[before.last]);
      return;
    }
    for(const std::uint32_t k : graph_.before(m)) // it stands between others
      if(graph_.nodes[k].has_run()) {
        consider(graph_.nodes[k].end, end_[graph_.nodes[k].last]);
        consider_messages(k, INT64_MAX, consider);
      }
  }

  /// Messages that have come by then: they would have been there when they were posted.
  template<class Consider>
  void consider_messages(std::uint32_t n, std::int64_t by, Consider&& consider) {
    for(const std::uint32_t a : graph_.messages_to(n))
      if(graph_.arrows[a].arrived <= by)
        consider(graph_.arrows[a].arrived, posted(graph_.arrows[a]));
  }

  /// Messages take no time.
  [[nodiscard]] std::int64_t posted(const arrow& a) const {
    if(a.from == none || graph_.nodes[a.from].first == none)
      return a.posted;
    const std::uint32_t from = graph_.nodes[a.from].first;
    // A reduction goes from message to message: what it has sent after its task it has sent when another one had come.
    const std::uint32_t b = graph_.last_message(a.from, spans_.all[from].end, a.posted);
    if(b != none && graph_.arrows[b].posted < a.posted) // else clocks contradict each other
      return std::max(end_[from], posted(graph_.arrows[b])) + (a.posted - graph_.arrows[b].arrived);
    return begin_[from] + (a.posted - spans_.all[from].begin);
  }

  void wait(std::uint32_t i) {
    rank_state& rank = ranks_[lane_of(i).rank];
    const span& x = spans_.all[i];
    end_[i] = x.end - rank.saved;
    // What it waited for has ended just before, most likely.
    const auto behind = std::ranges::upper_bound(
      rank.by_end, x.end, {}, [this](std::uint32_t k) { return spans_.all[k].end; });
    if(behind == rank.by_end.begin())
      return;
    const std::uint32_t last = *(behind - 1);
    const std::int64_t then = spans_.all[last].end;
    if(then > x.begin)
      end_[i] = std::max(x.begin - rank.saved, end_[last] + (x.end - then));
    rank.saved = std::max(rank.saved, x.end - end_[i]);
  }

  const spans& spans_;
  const graph& graph_;
  std::vector<std::int64_t> begin_; ///< Of spans, as they would have been.
  std::vector<std::int64_t> end_;
  std::vector<event> events_;
  std::map<std::uint32_t, rank_state> ranks_;
  std::map<std::uint32_t, std::uint32_t> last_on_lane_;
};

} // namespace

std::int64_t ideal_end(const spans& s, const graph& g) {
  return std::clamp<std::int64_t>(replay(s, g).end(), 0, s.end);
}

efficiencies efficiencies_of(const detail::timeline& t, const spans& s, const graph& g) {
  efficiencies e;
  std::map<std::uint32_t, double> worked; // by ranks: the mean of their workers
  std::map<std::uint32_t, double> workers;
  for(const detail::timeline_rank& r : t.ranks)
    workers[r.rank] = r.workers;
  for(const span& x : s.all)
    if(s.sites[x.site].kind <= span_kind::node && x.depth == 0) {
      const std::uint32_t rank = s.lanes[x.lane].rank;
      worked[rank] += static_cast<double>(x.length()) / std::max(1.0, workers[rank]);
    }
  if(worked.empty() || s.end <= 0)
    return e;
  double sum = 0;
  double most = 0;
  for(const auto& [rank, time] : worked) {
    sum += time;
    most = std::max(most, time);
  }
  const auto took = static_cast<double>(s.end);
  const double mean = sum / static_cast<double>(workers.size());
  // It can't end before the rank that has most to do.
  const double ideal = std::max(most, static_cast<double>(ideal_end(s, g)));
  e.parallel = mean / took;
  e.balance = most > 0 ? mean / most : 1;
  e.serialization = ideal > 0 ? most / ideal : 1;
  e.transfer = ideal / took;
  return e;
}

} // namespace rondo::report
