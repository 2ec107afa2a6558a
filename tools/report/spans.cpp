#include "spans.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace rondo::report {

using detail::launch_shape;
using detail::task_piece;
using detail::timeline_lane;
using detail::timeline_rank;
using detail::timeline_site;
using detail::told_launch;
using detail::told_pass;
using detail::told_time;

const char* name_of(span_kind k) {
  static constexpr const char* names[] = {
    "task", "fork", "node", "waited", "slept", "phase", "pass"};
  return names[static_cast<int>(k)];
}

namespace {

/// Numbers for what is met again and again.
template<class Key>
class numbers {
public:
  std::uint32_t of(const Key& key) {
    return all_.emplace(key, static_cast<std::uint32_t>(all_.size())).first->second;
  }

private:
  std::map<Key, std::uint32_t> all_;
};

class maker {
public:
  explicit maker(const detail::timeline& t) {
    detail_of("");
    for(const timeline_rank& r : t.ranks) {
      note_details(r);
      result_.end = std::max(result_.end, r.ended);
      for(const bool workers : {false, true})
        for(const timeline_lane& l : r.lanes)
          if(l.is_of_worker == workers)
            add(r, l);
    }
    for(const span& s : result_.all)
      result_.end = std::max(result_.end, s.end);
  }
  spans result() { return std::move(result_); }

private:
  std::uint32_t site_of(site s) {
    const std::uint32_t n = sites_.of({s.name, s.place, static_cast<int>(s.kind), s.what});
    if(n == result_.sites.size())
      result_.sites.push_back(std::move(s));
    return n;
  }
  std::uint32_t detail_of(const std::string& text) {
    const std::uint32_t n = details_.of(text);
    if(n == result_.details.size())
      result_.details.push_back(text);
    return n;
  }

  /// What launches say of themselves, for their tasks.
  void note_details(const timeline_rank& r) {
    of_launch_.clear();
    of_step_.clear();
    for(const timeline_lane& l : r.lanes)
      for(const told_launch& launch : l.launches) {
        const launch_shape& shape = l.shapes[launch.shape];
        if(shape.details.empty() || !shape.has_task)
          continue;
        const std::uint32_t flow = l.sites[shape.site].flow;
        const std::uint32_t detail = detail_of(shape.details);
        if(launch.step != 0)
          of_step_[{flow, launch.number, launch.step}] = detail;
        else
          of_launch_.push_back({flow, launch.number, detail});
      }
    std::ranges::sort(of_launch_);
  }
  std::uint32_t detail_of(const span& s) const {
    if(s.flow == 0)
      return 0;
    if(s.step != 0) {
      const auto at = of_step_.find({s.flow, s.number, s.step});
      return at != of_step_.end() ? at->second : 0;
    }
    const auto at = std::ranges::lower_bound(of_launch_, std::tuple(s.flow, s.number, 0U));
    return at != of_launch_.end() && std::get<0>(*at) == s.flow && std::get<1>(*at) == s.number
             ? std::get<2>(*at)
             : 0;
  }

  void add(const timeline_rank& r, const timeline_lane& from) {
    lane l{.rank = r.rank,
      .is_of_worker = from.is_of_worker,
      .number = from.worker,
      .host = r.host,
      .label = {},
      .first = static_cast<std::uint32_t>(result_.all.size()),
      .count = 0};
    if(from.is_of_worker)
      l.label = "worker " + std::to_string(from.worker);
    else
      l.label = from.worker == 0 ? "main" : "thread " + std::to_string(from.worker);
    result_.dropped += from.dropped;
    const auto here = static_cast<std::uint32_t>(result_.lanes.size());
    add_tasks(from, here);
    add_times(from, here);
    add_passes(from, here, r.ended);
    const auto first = result_.all.begin() + l.first;
    std::stable_sort(first, result_.all.end(), [](const span& a, const span& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    note_depths(l.first);
    l.count = static_cast<std::uint32_t>(result_.all.size()) - l.first;
    if(l.count != 0 || from.is_of_worker)
      result_.lanes.push_back(std::move(l));
  }

  std::vector<std::uint32_t> sites_of(const timeline_lane& from) {
    std::vector<std::uint32_t> own;
    for(const timeline_site& s : from.sites) {
      static constexpr span_kind kinds[] = {span_kind::task, span_kind::fork, span_kind::node};
      static constexpr const char* names[] = {"(task)", "(fork)", "(node)"};
      const auto kind = static_cast<int>(s.kind);
      site named{s.name, s.place, kinds[kind], {}};
      if(named.name.empty())
        named.name = s.place.empty() ? names[kind] : s.place;
      own.push_back(site_of(std::move(named)));
    }
    return own;
  }

  void add_tasks(const timeline_lane& from, std::uint32_t here) {
    if(from.tasks.empty())
      return;
    const std::vector<std::uint32_t> own = sites_of(from);
    result_.all.reserve(result_.all.size() + from.tasks.size());
    for(const task_piece& p : from.tasks) {
      span s;
      s.begin = p.begin;
      s.end = p.end;
      s.lane = here;
      s.site = own[p.site];
      s.flow = from.sites[p.site].flow;
      s.step = p.step;
      s.number = p.number;
      s.pass = p.pass;
      s.is_first = p.is_first;
      s.is_last = p.is_last;
      s.detail = detail_of(s);
      result_.all.push_back(s);
    }
  }

  void add_times(const timeline_lane& from, std::uint32_t here) {
    static constexpr const char* waits[] = {
      "for a value", "for launches", "for a region", "for room in the window"};
    for(const told_time& t : from.times) {
      const timeline_site& s = from.sites[t.site];
      site named;
      if(t.what == told_time::what_type::slept)
        named = {"sleep", {}, span_kind::slept, {}};
      else if(t.what == told_time::what_type::phase)
        named = {s.name, {}, span_kind::phase, {}};
      else {
        const char* const what = waits[static_cast<int>(t.what)];
        named = {std::string("waited ") + what, s.place, span_kind::waited, what};
      }
      span sp;
      sp.begin = t.begin;
      sp.end = t.end;
      sp.lane = here;
      sp.site = site_of(std::move(named));
      result_.all.push_back(sp);
    }
  }

  /// From the begin of each to its end, as far as both are told by this thread: passes of guards, and of `repeat` all together.
  void add_passes(const timeline_lane& from, std::uint32_t here, std::int64_t ended) {
    std::map<std::pair<std::uint32_t, std::uint64_t>, const told_pass*> open;
    const auto close = [&](const told_pass& begun, std::int64_t end) {
      const timeline_site& s = from.sites[begun.site];
      static constexpr const char* names[] = {"iterate", "repeat", "trace"};
      site named{s.name.empty() ? names[static_cast<int>(begun.kind)] : s.name, s.place,
        span_kind::pass, {}};
      span sp;
      sp.begin = begun.at;
      sp.end = end;
      sp.lane = here;
      sp.site = site_of(std::move(named));
      sp.pass = begun.number;
      result_.all.push_back(sp);
    };
    for(const told_pass& p : from.passes) {
      if(p.kind != pass_info::kind_type::guard)
        continue; // others end on whatever thread
      const std::pair key(p.site, p.number);
      if(p.what == told_pass::what_type::begun)
        open[key] = &p;
      else if(const auto at = open.find(key); at != open.end()) {
        close(*at->second, p.at);
        open.erase(at);
      }
    }
    for(const auto& [key, begun] : open)
      close(*begun, ended);
  }

  void note_depths(std::uint32_t first) {
    std::vector<std::int64_t> ends; // of those around
    for(std::size_t i = first; i != result_.all.size(); ++i) {
      span& s = result_.all[i];
      while(!ends.empty() && ends.back() <= s.begin)
        ends.pop_back();
      s.depth = static_cast<std::uint8_t>(std::min<std::size_t>(ends.size(), 255));
      ends.push_back(s.end);
    }
  }

  spans result_;
  numbers<std::tuple<std::string, std::string, int, std::string>> sites_;
  numbers<std::string> details_;
  std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> of_launch_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, std::uint32_t> of_step_;
};

} // namespace

spans spans_of(const detail::timeline& t) { return maker(t).result(); }

} // namespace rondo::report
