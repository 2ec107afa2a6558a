#pragma once

/// \file
/// Timelines made by hand, for tests of what is found out about them. Times in microseconds.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace made {

using rondo::access_info;
using rondo::launch_info;
using rondo::message_info;
using namespace rondo::detail;
using mode = access_info::mode_type;

/// {region, what is done with it}
using use = std::pair<std::uint32_t, mode>;

struct launched_as {
  unsigned rank = 0;
  bool has_task = true;
  launch_info::how_type how = launch_info::how_type::analysed;
  std::uint32_t step = 0;
  std::uint64_t passes = 1;
  std::string details = {};
};

struct ran_at {
  unsigned rank = 0;
  unsigned worker = 0;
  std::uint32_t step = 0;
  std::uint64_t pass = 0;
};

class run {
public:
  explicit run(unsigned ranks = 1, unsigned workers = 1) {
    made_.program = "./made";
    made_.began = "2026-01-02 03:04:05 UTC";
    made_.ranks_of_run = ranks;
    for(unsigned r = 0; r != ranks; ++r) {
      timeline_rank one;
      one.rank = r;
      one.host = "host";
      one.workers = workers;
      one.lanes.resize(1 + workers);
      for(unsigned w = 0; w != workers; ++w) {
        one.lanes[1 + w].is_of_worker = true;
        one.lanes[1 + w].worker = w;
      }
      made_.ranks.push_back(std::move(one));
    }
  }

  void launch(double at, std::uint64_t number, const std::string& name, std::vector<use> uses,
    launched_as o = {}) {
    timeline_lane& main = made_.ranks[o.rank].lanes[0];
    launch_shape shape;
    shape.site = site(main, name);
    shape.how = o.how;
    shape.has_task = o.has_task;
    shape.details = o.details;
    for(const auto& [region, how] : uses)
      shape.accesses.push_back({{0, region}, how});
    main.shapes.push_back(std::move(shape));
    main.launches.push_back(
      {ns(at), static_cast<std::uint32_t>(main.shapes.size() - 1), o.step, number, o.passes});
  }

  void task(
    double begin, double end, std::uint64_t number, const std::string& name, ran_at w = {}) {
    timeline_lane& l = made_.ranks[w.rank].lanes[1 + w.worker];
    l.tasks.push_back({.begin = ns(begin),
      .end = ns(end),
      .site = site(l, name),
      .step = w.step,
      .number = number,
      .pass = w.pass});
    end_at(w.rank, ns(end));
  }

  /// From one rank's launch to another's, on a channel of its own.
  void message(std::pair<unsigned, std::uint64_t> from, double posted,
    std::pair<unsigned, std::uint64_t> to, double arrived, std::uint64_t bytes = 8) {
    const auto told = [&](unsigned rank, message_info::what_type what, double at, unsigned peer,
                        std::uint64_t serves) {
      made_.ranks[rank].lanes[0].messages.push_back({.at = ns(at),
        .what = what,
        .channel = channels_,
        .peer = peer,
        .count = 0,
        .bytes = bytes,
        .serves = {.flow = 1, .number = serves}});
    };
    ++channels_;
    told(from.first, message_info::what_type::posted, posted, to.first, from.second);
    told(to.first, message_info::what_type::arrived, arrived, from.first, 0);
    told(to.first, message_info::what_type::taken, arrived, from.first, to.second);
  }

  void wait(double begin, double end, const std::string& place, unsigned rank = 0) {
    timeline_lane& main = made_.ranks[rank].lanes[0];
    main.sites.push_back({.name = {}, .place = place});
    main.times.push_back({ns(begin), ns(end), told_time::what_type::waited_value,
      static_cast<std::uint32_t>(main.sites.size() - 1)});
    end_at(rank, ns(end));
  }

  void end(double at) {
    for(timeline_rank& r : made_.ranks)
      r.ended = ns(at);
  }
  timeline& made() { return made_; }

  static std::int64_t ns(double us) { return static_cast<std::int64_t>(1000 * us); }

private:
  static std::uint32_t site(timeline_lane& l, const std::string& name) {
    l.sites.push_back({.name = name, .place = "made.cpp:1", .flow = 1});
    return static_cast<std::uint32_t>(l.sites.size() - 1);
  }
  void end_at(unsigned rank, std::int64_t at) {
    made_.ranks[rank].ended = std::max(made_.ranks[rank].ended, at);
  }

  timeline made_;
  std::uint32_t channels_ = 0;
};

} // namespace made
