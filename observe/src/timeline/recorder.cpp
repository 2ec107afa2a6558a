#include <rondo/observe/timeline/recorder.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/ticks.hpp>

#include "lanes.hpp"

namespace rondo::detail::inline observe {

namespace {
/// The lane of this thread, of the recorder with that number.
struct last_lane {
  std::uint64_t recorder = 0;
  void* lane = nullptr;
};
thread_local last_lane lane_of_thread;

struct two_clocks {
  std::chrono::steady_clock::time_point time;
  std::uint64_t ticks = 0;
};

/// Both at the same time: of some looks the quickest one, since a thread may be put aside between the two.
two_clocks look_at_clocks() {
  two_clocks best;
  std::uint64_t quickest = ~std::uint64_t{0};
  for(int i = 0; i != 5; ++i) {
    const std::uint64_t before = ticks();
    const auto time = std::chrono::steady_clock::now();
    const std::uint64_t took = ticks() - before;
    if(took < quickest) {
      quickest = took;
      best = {time, before + took / 2};
    }
  }
  return best;
}
} // namespace

timeline_recorder::timeline_recorder(executor& ex, std::size_t most_memory)
    : ex_(ex), room_(most_memory / (event_lane::chunk_size * sizeof(timeline_event))),
      workers_lanes_(executor::most_workers) {
  const two_clocks now = look_at_clocks();
  began_ = now.time;
  began_ticks_ = now.ticks;
  ex_.attach(*this);
  listen();
}

timeline_recorder::~timeline_recorder() {
  stop();
  for(const auto& l : workers_lanes_)
    delete l.load(std::memory_order_relaxed);
}

void timeline_recorder::stop() {
  {
    const std::lock_guard lock(mutex_);
    if(std::exchange(is_stopped_, true))
      return;
  }
  listen_no_more();
  ex_.detach(*this);
  const two_clocks now = look_at_clocks();
  ended_ = now.time;
  ended_ticks_ = now.ticks;
  workers_ = ex_.workers();
}

// ---- tasks -----------------------------------------------------------------------------------

timeline_recorder::worker_lane* timeline_recorder::lane_of(unsigned worker) noexcept {
  auto& place = workers_lanes_[worker];
  worker_lane* l = place.load(std::memory_order_relaxed); // its own, or null
  if(l == nullptr) [[unlikely]] {
    try {
      l = new worker_lane(room_);
    }
    catch(const std::exception&) {
      return nullptr;
    }
    place.store(l, std::memory_order_release);
  }
  return l;
}

void timeline_recorder::task_begin(unsigned worker, const task_info& what) noexcept {
  worker_lane* const l = lane_of(worker);
  if(l == nullptr)
    return;
  if(l->open < worker_lane::deepest) {
    open_task& t = l->tasks[l->open];
    const task_id id = what.id();
    t.site = l->sites.number_of(what, id);
    t.number = id.number;
    t.pass = id.pass;
    t.is_in_repeat = id.step != 0;
    t.is_first = true;
    t.began = l->begin_of(what);
  }
  ++l->open;
}

void timeline_recorder::task_end(unsigned worker, const task_info& /*what*/) noexcept {
  worker_lane* const l = lane_of(worker);
  if(l == nullptr || l->open == 0) // it began before this one came
    return;
  const std::uint64_t now = ticks();
  if(--l->open >= worker_lane::deepest)
    return;
  l->ended = now;
  const open_task& t = l->tasks[l->open];
  l->note(t, now, t.is_first ? event_kind::task_whole : event_kind::task_last);
}

void timeline_recorder::suspend(unsigned worker, const task_info& what) noexcept {
  worker_lane* const l = lane_of(worker);
  if(l == nullptr || l->open == 0)
    return;
  const std::uint64_t now = ticks();
  const unsigned open = std::exchange(l->open, 0U);
  try {
    resting_stack rest;
    rest.open = open;
    for(unsigned i = std::min(open, worker_lane::deepest); i-- != 0;) {
      open_task& t = l->tasks[i];
      l->note(t, now, t.is_first ? event_kind::task_first : event_kind::task_middle);
      t.is_first = false;
      rest.tasks.push_back({t, l->sites.known(t.site)});
    }
    rests_.keep(what.id(), std::move(rest));
  }
  catch(const std::exception&) {
    // No memory: it will end without having begun.
  }
}

void timeline_recorder::resume(unsigned worker, const task_info& what) noexcept {
  worker_lane* const l = lane_of(worker);
  if(l == nullptr)
    return;
  std::optional<resting_stack> rest = rests_.take(what.id());
  if(!rest)
    return;
  const std::uint64_t now = ticks();
  l->open = rest->open;
  // The innermost one is the first of those that rest.
  std::ranges::reverse(rest->tasks);
  for(std::size_t i = 0; i != rest->tasks.size(); ++i) {
    l->tasks[i] = rest->tasks[i].task;
    l->tasks[i].site = l->sites.number_of(rest->tasks[i].site);
    l->tasks[i].began = now;
  }
}

void timeline_recorder::park(unsigned worker) noexcept {
  if(worker_lane* const l = lane_of(worker))
    l->slept_at = ticks();
}

void timeline_recorder::wake(unsigned worker) noexcept {
  worker_lane* const l = lane_of(worker);
  if(l != nullptr && l->slept_at != 0)
    note_time(l->events, event_kind::slept, 0, std::exchange(l->slept_at, 0), ticks());
}

// ---- what a thread tells ---------------------------------------------------------------------

timeline_recorder::thread_lane* timeline_recorder::find_lane_here() {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<thread_lane>& l = threads_[std::this_thread::get_id()];
  if(l == nullptr) {
    l = std::make_unique<thread_lane>(room_);
    in_order_.push_back(l.get());
  }
  lane_of_thread = {number(), l.get()};
  return l.get();
}

timeline_recorder::thread_lane* timeline_recorder::lane_here() noexcept {
  if(lane_of_thread.recorder == number()) [[likely]]
    return static_cast<thread_lane*>(lane_of_thread.lane);
  try {
    return find_lane_here();
  }
  catch(const std::exception&) {
    return nullptr;
  }
}

void timeline_recorder::launched(const launch_info& what) noexcept {
  thread_lane* const l = lane_here();
  if(l == nullptr)
    return;
  const std::uint32_t shape = l->shapes.number_of(what, l->sites);
  *l->events.add(1) = {ticks(), what.id.number, 0, timeline_event::pack(event_kind::launch, shape)};
}

void timeline_recorder::note_pass(event_kind kind, const pass_info& what) noexcept {
  thread_lane* const l = lane_here();
  if(l == nullptr)
    return;
  const std::uint32_t site =
    l->sites.number_of(site_key::of(what.name, what.where, what.flow), what.where);
  timeline_event* const e = l->events.add(2);
  e[0] = {
    ticks(), what.loop, static_cast<std::uint32_t>(what.kind), timeline_event::pack(kind, site)};
  e[1] = {what.number, what.count, 0, timeline_event::pack(event_kind::pass_numbers, 0)};
}
void timeline_recorder::pass_begun(const pass_info& what) noexcept {
  note_pass(event_kind::pass_begun, what);
}
void timeline_recorder::pass_ended(const pass_info& what) noexcept {
  note_pass(event_kind::pass_ended, what);
}
void timeline_recorder::pass_in_vain(const pass_info& what) noexcept {
  note_pass(event_kind::pass_in_vain, what);
}

void timeline_recorder::message(const message_info& what) noexcept {
  static_assert(static_cast<int>(message_info::what_type::posted) == 0 &&
                static_cast<int>(message_info::what_type::taken) == 3);
  thread_lane* const l = lane_here();
  if(l == nullptr)
    return;
  const auto kind = static_cast<event_kind>(
    static_cast<unsigned>(event_kind::message_posted) + static_cast<unsigned>(what.what));
  std::uint64_t count = 0;
  try {
    const std::uint64_t key =
      std::uint64_t{what.channel} << 32U | what.peer << 2U | static_cast<std::uint64_t>(what.what);
    const std::lock_guard lock(counts_mutex_);
    count = counts_[key]++;
  }
  catch(const std::exception&) {
    return;
  }
  const bool is_known = what.serves.flow != 0;
  timeline_event* const e = l->events.add(is_known ? 2 : 1);
  e[0] = {ticks(), count << 32U | what.channel, pack_length(what.bytes),
    timeline_event::pack(kind, what.peer)};
  if(is_known)
    e[1] = {what.serves.number, what.serves.pass, what.serves.step,
      timeline_event::pack(event_kind::serves, what.serves.flow)};
}

void timeline_recorder::waited(const wait_info& what) noexcept {
  thread_lane* const l = lane_here();
  if(l == nullptr)
    return;
  const auto kind = static_cast<event_kind>(
    static_cast<unsigned>(event_kind::waited_value) + static_cast<unsigned>(what.kind));
  const std::uint64_t now = ticks();
  const double ns_per_tick =
    static_cast<double>((std::chrono::steady_clock::now() - began_).count()) /
    static_cast<double>(std::max<std::uint64_t>(1, now - began_ticks_));
  const auto length =
    static_cast<std::uint64_t>(static_cast<double>(what.time.count()) / ns_per_tick);
  const std::uint32_t site = l->sites.number_of(site_key::of(what.name, what.where), what.where);
  note_time(l->events, kind, site, now - std::min(length, now - began_ticks_), now);
}

void timeline_recorder::phase_ended(
  const char* name, std::uint64_t began, std::uint64_t ended, std::uint64_t /*worked*/) {
  if(thread_lane* const l = lane_here()) {
    const std::source_location nowhere;
    const std::uint32_t site = l->sites.number_of(site_key::of(name, nowhere), nowhere);
    note_time(l->events, event_kind::phase, site, began, ended);
  }
}

} // namespace rondo::detail::inline observe
