#include "read_rank.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "stream.hpp"

namespace rondo::detail::inline observe {

namespace {

using json = nlohmann::json;

/// Ticks of a rank as nanoseconds since the run began.
struct tick_line {
  double ns_per_tick = 1;
  std::uint64_t begin_ticks = 0;
  std::int64_t begin = 0;

  explicit tick_line(const json& words)
      : begin_ticks(words.at("begin_ticks")), begin(words.at("begin")) {
    const std::uint64_t ticks = words.at("end_ticks").get<std::uint64_t>() - begin_ticks;
    const std::int64_t time = words.at("end").get<std::int64_t>() - begin;
    if(ticks != 0)
      ns_per_tick = static_cast<double>(time) / static_cast<double>(ticks);
  }
  [[nodiscard]] std::int64_t at(std::uint64_t ticks) const {
    return begin + std::llround(ns_per_tick * static_cast<double>(
                                                static_cast<std::int64_t>(ticks - begin_ticks)));
  }
};

/// Makes the events of a lane of what was written down.
class lane_reader {
public:
  lane_reader(timeline_lane& lane, const tick_line& times, std::vector<std::uint32_t> steps,
    std::vector<std::uint32_t> steps_of_shapes)
      : lane_(lane), times_(times), steps_(std::move(steps)),
        steps_of_shapes_(std::move(steps_of_shapes)) {}

  void add(const timeline_event& e) {
    switch(e.kind()) {
    case event_kind::task_whole:
    case event_kind::task_first:
    case event_kind::task_middle:
    case event_kind::task_last:
      add_task(e);
      break;
    case event_kind::of_loop:
      loop_ = e.id;
      break;
    case event_kind::launch:
      add_launch(e);
      break;
    case event_kind::message_posted:
    case event_kind::message_sent:
    case event_kind::message_arrived:
    case event_kind::message_taken:
      add_message(e);
      break;
    case event_kind::serves:
      if(!lane_.messages.empty())
        lane_.messages.back().serves = {e.index(), e.length, e.at, e.id};
      break;
    case event_kind::pass_begun:
    case event_kind::pass_ended:
    case event_kind::pass_in_vain:
      add_pass(e);
      break;
    case event_kind::pass_numbers:
      add_numbers(e);
      break;
    case event_kind::waited_value:
    case event_kind::waited_launches:
    case event_kind::waited_region:
    case event_kind::waited_window:
    case event_kind::slept:
    case event_kind::phase:
      add_time(e);
      break;
    case event_kind::count:
      break;
    }
  }

private:
  [[nodiscard]] std::uint32_t site(std::uint32_t number) const {
    if(number >= lane_.sites.size())
      throw std::runtime_error("an event has a name that there is not");
    return number;
  }

  void add_task(const timeline_event& e) {
    task_piece t;
    t.begin = times_.at(e.at);
    t.end = times_.at(e.at + unpack_length(e.length));
    t.site = site(e.index());
    t.step = steps_[t.site];
    t.number = t.step != 0 ? loop_ : e.id;
    t.pass = t.step != 0 ? e.id : 0;
    t.is_first = e.kind() == event_kind::task_whole || e.kind() == event_kind::task_first;
    t.is_last = e.kind() == event_kind::task_whole || e.kind() == event_kind::task_last;
    lane_.tasks.push_back(t);
  }

  void add_launch(const timeline_event& e) {
    if(e.index() >= lane_.shapes.size())
      return; // there was no memory for its shape
    lane_.launches.push_back({.at = times_.at(e.at),
      .shape = e.index(),
      .step = steps_of_shapes_[e.index()],
      .number = e.id,
      .passes = lane_.shapes[e.index()].how == launch_info::how_type::repeated ? 0U : 1U});
  }

  void add_message(const timeline_event& e) {
    const auto what =
      static_cast<unsigned>(e.kind()) - static_cast<unsigned>(event_kind::message_posted);
    lane_.messages.push_back({.at = times_.at(e.at),
      .what = static_cast<message_info::what_type>(what),
      .channel = static_cast<std::uint32_t>(e.id),
      .peer = e.index(),
      .count = e.id >> 32U,
      .bytes = unpack_length(e.length)});
  }

  void add_pass(const timeline_event& e) {
    told_pass p;
    p.at = times_.at(e.at);
    p.what = static_cast<told_pass::what_type>(
      static_cast<unsigned>(e.kind()) - static_cast<unsigned>(event_kind::pass_begun));
    p.kind = static_cast<pass_info::kind_type>(std::min<std::uint32_t>(e.length, 2));
    p.site = site(e.index());
    p.loop = e.id;
    lane_.passes.push_back(p);
  }

  void add_numbers(const timeline_event& e) {
    if(lane_.passes.empty())
      return;
    told_pass& p = lane_.passes.back();
    p.number = e.at;
    p.count = e.id;
    if(p.kind != pass_info::kind_type::repeat || p.what != told_pass::what_type::begun)
      return;
    // The launches of the body were told just before.
    for(auto l = lane_.launches.rbegin(); l != lane_.launches.rend() && l->number == p.loop; ++l)
      l->passes = p.count;
  }

  void add_time(const timeline_event& e) {
    told_time t;
    t.begin = times_.at(e.at);
    t.end = times_.at(e.at + unpack_length(e.length));
    t.what = static_cast<told_time::what_type>(
      static_cast<unsigned>(e.kind()) - static_cast<unsigned>(event_kind::waited_value));
    t.site = site(e.index());
    lane_.times.push_back(t);
  }

  timeline_lane& lane_;
  const tick_line& times_;
  const std::vector<std::uint32_t> steps_; ///< Of sites.
  const std::vector<std::uint32_t> steps_of_shapes_;
  std::uint64_t loop_ = 0;
};
static_assert(
  static_cast<unsigned>(told_time::what_type::phase) ==
  static_cast<unsigned>(event_kind::phase) - static_cast<unsigned>(event_kind::waited_value));

timeline_lane lane_of(const json& words, varint_reader& events, const tick_line& times) {
  timeline_lane lane;
  std::vector<std::uint32_t> steps;
  std::vector<std::uint32_t> steps_of_shapes;
  lane.is_of_worker = words.at("worker");
  lane.worker = words.at("number");
  lane.dropped = words.at("dropped");
  for(const json& s : words.at("sites")) {
    lane.sites.push_back({s.at(0), s.at(1),
      static_cast<task_info::kind_type>(std::min(s.at(2).get<unsigned>(), 2U)), s.at(3)});
    steps.push_back(s.at(4));
  }
  for(const json& s : words.at("shapes")) {
    launch_shape shape{.site = s.at(0),
      .details = s.at(1),
      .how = static_cast<launch_info::how_type>(std::min(s.at(2).get<unsigned>(), 3U)),
      .has_task = s.at(3),
      .futures = s.size() > 7 ? s.at(7).get<std::uint32_t>() : 0, // older files don't say
      .has_result = s.size() > 8 && s.at(8).get<bool>(),
      .knows_accesses = s.at(4),
      .accesses = {}};
    if(shape.site >= lane.sites.size())
      throw std::runtime_error("a launch has a name that there is not");
    const json& accesses = s.at(6);
    for(std::size_t i = 0; i + 2 < accesses.size(); i += 3)
      shape.accesses.push_back({{accesses[i], accesses[i + 1]},
        static_cast<access_info::mode_type>(std::min(accesses[i + 2].get<unsigned>(), 5U))});
    lane.shapes.push_back(std::move(shape));
    steps_of_shapes.push_back(s.at(5));
  }
  lane_reader reader(lane, times, std::move(steps), std::move(steps_of_shapes));
  stream_state state;
  for(std::uint64_t left = words.at("events"); left != 0; --left)
    reader.add(read_event(events, state));
  return lane;
}

} // namespace

timeline_rank rank_of(const nlohmann::json& words, std::span<const std::byte> numbers) {
  timeline_rank r;
  r.rank = words.at("rank");
  r.run = words.at("run");
  r.host = words.at("host");
  r.processor = words.at("processor");
  r.workers = words.at("workers");
  r.cores = words.at("cores");
  r.skew = words.at("skew");
  r.ended = words.at("end");
  const tick_line times(words);
  for(const json& lane : words.at("lanes")) {
    const std::size_t size = lane.at("bytes");
    if(size > numbers.size())
      throw std::runtime_error("it is cut off");
    varint_reader events(numbers.data(), size);
    r.lanes.push_back(lane_of(lane, events, times));
    numbers = numbers.subspan(size);
  }
  return r;
}

} // namespace rondo::detail::inline observe
