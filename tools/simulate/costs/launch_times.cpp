#include "measuring.hpp"
#include "stretches.hpp"

#include <algorithm>
#include <map>

namespace rondo::simulate {

using detail::launch_shape;
using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_launch;
using detail::told_message;
using detail::told_time;

namespace {

struct measured {
  std::vector<double> analysed;
  std::vector<double> replayed;

  [[nodiscard]] launch_times medians(std::size_t fewest) const {
    launch_times times;
    if(analysed.size() >= fewest)
      times.analysed = median(analysed);
    if(replayed.size() >= fewest)
      times.replayed = median(replayed);
    return times;
  }
};

/// What the main thread does other than launching. It is worker 0 while it waits.
stretches other_work(const timeline_lane& main, const timeline_lane* worker) {
  stretches busy;
  for(const told_message& m : main.messages)
    busy.add(m.at);
  for(const told_time& time : main.times)
    if(time.what != told_time::what_type::phase)
      busy.add(time.begin, time.end);
  if(worker != nullptr)
    for(const detail::task_piece& p : worker->tasks)
      busy.add(p.begin, p.end);
  busy.sort();
  return busy;
}

class measurer {
public:
  void add(const timeline_rank& r) {
    const timeline_lane* const main = main_lane(r);
    if(main == nullptr)
      return;
    const timeline_lane* const worker = worker_lane(r, 0);
    const stretches busy = other_work(*main, worker);
    const std::int64_t known = worker != nullptr ? known_from(*worker) : main->launches.front().at;
    const std::vector<std::string> keys = keys_of(*main);
    for(std::size_t i = 1; i < main->launches.size(); ++i) {
      const told_launch& l = main->launches[i];
      const launch_shape& shape = main->shapes[l.shape];
      const std::int64_t before = main->launches[i - 1].at;
      if(shape.how == launch_info::how_type::repeated || before < known ||
         busy.is_between(before, l.at))
        continue;
      const auto took = static_cast<double>(std::max<std::int64_t>(0, l.at - before));
      const bool is_analysed = shape.how == launch_info::how_type::analysed;
      for(measured* const m : {&by_site_[keys[shape.site]], &any_})
        (is_analysed ? m->analysed : m->replayed).push_back(took);
    }
  }

  [[nodiscard]] all_launch_times result() const {
    constexpr std::size_t fewest = 3; // of fewer the median may be anything
    all_launch_times all;
    for(const auto& [key, m] : by_site_)
      if(const launch_times times = m.medians(fewest); times.analysed > 0 || times.replayed > 0)
        all.by_site[key] = times;
    all.any = any_.medians(1);
    return all;
  }

private:
  std::map<std::string, measured> by_site_;
  measured any_;
};

} // namespace

all_launch_times launch_times_of(const detail::timeline& t) {
  measurer m;
  for(const timeline_rank& r : t.ranks)
    m.add(r);
  return m.result();
}

} // namespace rondo::simulate
