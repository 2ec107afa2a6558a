#include <rondo/observe/recorder.hpp>

#include <algorithm>
#include <functional>
#include <new>
#include <optional>
#include <utility>

#include <rondo/core/build_info.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/core/ticks.hpp>

#include "names.hpp"
#include "process.hpp"
#include "usual_gap.hpp"
#include "work_over_time.hpp"

namespace rondo::detail::inline observe {

namespace {

/// Of the clock that is read for each task. It is measured against the one of the library, for a fifth of a millisecond: right to
/// some parts in ten thousand.
double measure_tick() {
  using clock = std::chrono::steady_clock;
  const auto began = clock::now();
  const std::uint64_t first = ticks();
  auto now = began;
  while(now - began < std::chrono::microseconds(200))
    now = clock::now();
  const std::uint64_t last = ticks();
  return static_cast<double>((now - began).count()) / static_cast<double>(last - first);
}

std::string place_of(const wait_info& w) {
  if(w.where.line() != 0)
    return short_place(w.where);
  return w.kind == wait_info::kind_type::window ? "a launch" : "the end of the program";
}

} // namespace

/// Tasks that lie one above the other on a stack; of those further up no times are known.
constexpr unsigned deepest = 16;

struct recorder::at_rest {
  unsigned open = 0;
  std::uint64_t elapsed[deepest] = {};
};

struct alignas(64) recorder::worker_page {
  // The worker's own.
  unsigned open = 0;
  bool has_idled = false;            ///< A task has ended here.
  std::uint64_t began[deepest] = {}; ///< As if the tasks above had taken no time.
  std::uint64_t idle_since = 0;      ///< While `open` is 0.
  std::uint64_t arrived_by_then = 0; ///< Messages.
  usual_gap between;

  // Written by it alone.
  own_number worked;
  own_number resting_since; ///< 0 while it has a task.
  own_number with_message;  ///< Waiting for messages, of all workers.
  own_number at_standstill; ///< No worker had a task, and no message came.
  own_number noted_gap; ///< The shortest of the longest ones, once there are so many as are kept.
  own_number stolen;
  durations tasks;
  durations gaps;
  task_names names;
  work_over_time over_time;
  std::vector<idle_gap> longest; ///< The longest first; guarded by the lock of the recorder.

  void rest(std::uint64_t now, std::uint64_t arrived) {
    has_idled = true;
    idle_since = now;
    resting_since.set(now);
    arrived_by_then = arrived;
  }
};

recorder::recorder(executor& ex)
    : ex_(ex), ns_per_tick_(measure_tick()), pages_(executor::most_workers) {
  begin_measuring();
  ex_.attach(*this);
  listen();
}

recorder::~recorder() {
  listen_no_more();
  ex_.detach(*this);
  for(const auto& p : pages_)
    delete p.load(std::memory_order_relaxed);
}

void recorder::begin_measuring() {
  const process_usage now = usage_of_process();
  cpu_before_ = now.cpu;
  kept_before_ = now.kept;
  memory_.clear();
  memory_.reserve(64);
  look_every_ = static_cast<std::uint64_t>(5e6 / ns_per_tick_);
  // A word that another core has just written is here after some 100 ns: a look may take a tenth of the gap.
  short_look_ = static_cast<std::uint64_t>(1000 * (ex_.workers() - 1) / ns_per_tick_);
  began_at_ = std::chrono::steady_clock::now();
  began_ = ticks();
  look_next_.store(began_ + look_every_, std::memory_order_relaxed);
}

void recorder::clear() {
  const std::lock_guard lock(mutex_);
  for(const auto& place : pages_)
    if(worker_page* const p = place.load(std::memory_order_acquire)) {
      p->worked.set(0);
      p->resting_since.set(0);
      p->with_message.set(0);
      p->at_standstill.set(0);
      p->noted_gap.set(0);
      p->longest.clear();
      p->stolen.set(0);
      p->tasks = {};
      p->gaps = {};
      p->names.clear();
      p->has_idled = false;
    }
  waits_.clear();
  phases_.clear();
  waited_ = 0;
  worked_before_ = 0;
  last_wait_ = 0;
  begin_measuring();
  for(const auto& place : pages_)
    if(worker_page* const p = place.load(std::memory_order_acquire))
      p->over_time.begin(began_, first_slice());
}

/// Ticks. Slices get longer as the program runs.
std::uint64_t recorder::first_slice() const {
  return static_cast<std::uint64_t>(1e5 / ns_per_tick_);
}

recorder::worker_page* recorder::page_of(unsigned worker) noexcept {
  auto& place = pages_[worker];
  worker_page* p = place.load(std::memory_order_relaxed); // its own, or null
  if(p == nullptr) [[unlikely]] {
    p = new(std::nothrow) worker_page;
    if(p != nullptr)
      p->over_time.begin(began_, first_slice());
    place.store(p, std::memory_order_release);
  }
  return p;
}

// ---- tasks -----------------------------------------------------------------------------------

void recorder::task_begin(unsigned worker, const task_info& what) noexcept {
  worker_page* const p = page_of(worker);
  if(p == nullptr)
    return;
  p->resting_since.set(0);
  const bool comes_at_once = what.comes_at_once && p->open == 0 && p->has_idled;
  if(comes_at_once && p->between.can_be_guessed()) {
    p->began[0] = p->idle_since + p->between.guess();
    p->open = 1;
    return;
  }
  const std::uint64_t now = ticks();
  if(p->open == 0 && p->has_idled) {
    const std::uint64_t gap = now - p->idle_since;
    const bool has_message = arrived_.load(std::memory_order_relaxed) != p->arrived_by_then;
    p->gaps.add(gap);
    if(comes_at_once) {
      p->gaps.add(p->between.guess(), p->between.guessed());
      p->between.note(gap);
    }
    if(gap >= short_look_)
      look_at_others(*p, now);
    else if(has_message)
      p->with_message.add(gap);
    if(gap > p->noted_gap.get()) [[unlikely]]
      note_longest(*p, now, what, has_message);
    if(now >= look_next_.load(std::memory_order_relaxed)) [[unlikely]]
      look_at_memory(now);
  }
  if(p->open < deepest)
    p->began[p->open] = now;
  ++p->open;
}

/// A worker that had nothing to do while others had tasks has not waited for a message, though one may have come: the rank had too
/// few tasks. If none had one, all have waited for the last message that came; what goes on after that for something else.
void recorder::look_at_others(worker_page& p, std::uint64_t now) noexcept {
  std::uint64_t since = p.idle_since;
  const unsigned workers = ex_.workers();
  for(unsigned i = 0; i != workers; ++i) {
    const worker_page* const other = pages_[i].load(std::memory_order_acquire);
    if(other == nullptr || other == &p)
      continue;
    const std::uint64_t rests = other->resting_since.get();
    if(rests == 0)
      return;
    since = std::max(since, rests);
  }
  // Several workers may end the same time without tasks: one of them counts it.
  std::uint64_t counted = counted_until_.load(std::memory_order_relaxed);
  do {
    since = std::max(since, counted);
    if(since >= now)
      return;
  } while(!counted_until_.compare_exchange_weak(counted, now, std::memory_order_relaxed));
  const std::uint64_t came = std::clamp(last_arrival_.load(std::memory_order_relaxed), since, now);
  p.with_message.add(workers * (came - since));
  p.at_standstill.add(workers * (now - came));
}

/// From where on no other worker had a task, if none has one now.
std::uint64_t recorder::others_worked_until(const worker_page& p, std::uint64_t now) const {
  std::uint64_t until = p.idle_since;
  for(unsigned i = 0; i != ex_.workers(); ++i) {
    const worker_page* const other = pages_[i].load(std::memory_order_acquire);
    if(other == nullptr || other == &p)
      continue;
    const std::uint64_t rests = other->resting_since.get();
    until = std::max(until, rests == 0 ? now : std::min(rests, now));
  }
  return until;
}

/// Seldom: a gap is longer than all before but two.
void recorder::note_longest(
  worker_page& p, std::uint64_t now, const task_info& before, bool has_message) {
  using waited = idle_gap::waited_type;
  const std::uint64_t gap = now - p.idle_since;
  char name[44];
  call(before, name, sizeof name);
  const bool others = 2 * (others_worked_until(p, now) - p.idle_since) > gap;
  const double ns = ns_per_tick_ * static_cast<double>(gap);
  const std::lock_guard lock(mutex_);
  p.longest.push_back({.seconds = 1e-9 * ns,
    .before = name,
    .waited = others        ? waited::tasks
              : has_message ? waited::message
                            : waited::launch});
  std::ranges::stable_sort(p.longest, std::greater(), &idle_gap::seconds);
  if(p.longest.size() > gaps_kept)
    p.longest.pop_back();
  if(p.longest.size() == gaps_kept)
    p.noted_gap.set(static_cast<std::uint64_t>(1e9 * p.longest.back().seconds / ns_per_tick_));
}

void recorder::task_end(unsigned worker, const task_info& what) noexcept {
  worker_page* const p = page_of(worker);
  if(p == nullptr || p->open == 0) // it began before this one came
    return;
  const std::uint64_t now = ticks();
  if(--p->open >= deepest)
    return;
  // The guess of when it began may be a little late.
  const std::uint64_t took = now - std::min(now, p->began[p->open]);
  if(p->open != 0)
    p->began[p->open - 1] += took;
  else
    p->rest(now, arrived_.load(std::memory_order_relaxed));
  p->worked.add(took);
  p->over_time.add(now, took);
  p->tasks.add(took);
  p->names.add(what, took);
}

void recorder::suspend(unsigned worker, const task_info& what) noexcept {
  worker_page* const p = page_of(worker);
  if(p == nullptr || p->open == 0)
    return;
  auto rest = std::unique_ptr<at_rest>(new(std::nothrow) at_rest);
  const std::uint64_t now = ticks();
  const unsigned open = std::exchange(p->open, 0U);
  p->rest(now, arrived_.load(std::memory_order_relaxed));
  if(rest == nullptr)
    return;
  rest->open = open;
  for(unsigned i = 0; i != std::min(open, deepest); ++i)
    rest->elapsed[i] = now - p->began[i];
  // As long as it rests, what it has done so far counts for nobody: its end will.
  rests_.keep(what.id(), std::move(rest));
}

void recorder::resume(unsigned worker, const task_info& what) noexcept {
  worker_page* const p = page_of(worker);
  if(p == nullptr)
    return;
  const std::optional<std::unique_ptr<at_rest>> found = rests_.take(what.id());
  if(!found)
    return;
  const at_rest& rest = **found;
  const std::uint64_t now = ticks();
  p->open = rest.open;
  p->resting_since.set(0);
  for(unsigned i = 0; i != std::min(rest.open, deepest); ++i)
    p->began[i] = now - rest.elapsed[i];
}

// ---- phases ----------------------------------------------------------------------------------

void recorder::phase_ended(
  const char* name, std::uint64_t began, std::uint64_t ended, std::uint64_t worked_before) {
  const std::uint64_t worked_now = worked();
  if(worked_now < worked_before)
    return; // it was told to forget in between
  constexpr std::size_t most_phases = 32;
  const double s_per_tick = 1e-9 * ns_per_tick_;
  const std::lock_guard lock(mutex_);
  auto at = std::ranges::find(phases_, name, &phase_times::name);
  if(at == phases_.end()) {
    if(phases_.size() == most_phases)
      return;
    at = phases_.insert(phases_.end(), {.name = name});
  }
  ++at->count;
  at->seconds += s_per_tick * static_cast<double>(ended - began);
  at->working += s_per_tick * static_cast<double>(worked_now - worked_before);
}

// ---- everything else -------------------------------------------------------------------------

void recorder::message(const message_info& what) noexcept {
  if(what.what != message_info::what_type::arrived)
    return;
  arrived_.fetch_add(1, std::memory_order_relaxed);
  last_arrival_.store(ticks(), std::memory_order_relaxed);
}

void recorder::steal(unsigned thief, unsigned /*victim*/) noexcept {
  if(worker_page* const p = page_of(thief))
    p->stolen.add(1);
}

std::uint64_t recorder::worked() const {
  std::uint64_t sum = 0;
  for(const auto& place : pages_)
    if(const worker_page* const p = place.load(std::memory_order_acquire))
      sum += p->worked.get();
  return sum;
}

/// Idle time since the wait before is put down to this one: while nobody launches, nothing new can begin. But the
/// launching thread has used a worker's core itself in between.
void recorder::waited(const wait_info& what) noexcept {
  static constexpr const char* kinds[] = {"value", "launches", "region", "window"};
  constexpr std::size_t most_places = 32;
  const std::uint64_t now = ticks();
  const double seconds = std::chrono::duration<double>(what.time).count();
  const std::uint64_t worked_now = worked();
  const unsigned workers = ex_.workers();
  const std::string where = place_of(what);
  const char* const kind = kinds[static_cast<int>(what.kind)];
  const std::lock_guard lock(mutex_);
  waited_ += seconds;
  const double s_per_tick = 1e-9 * ns_per_tick_;
  const double since = s_per_tick * static_cast<double>(now - std::max(last_wait_, began_));
  const double worked_since = s_per_tick * static_cast<double>(worked_now - worked_before_);
  const double launched_since = std::max(0.0, since - seconds);
  worked_before_ = worked_now;
  last_wait_ = now;
  auto at = std::ranges::find_if(
    waits_, [&](const waits_at& w) { return w.where == where && w.what == kind; });
  if(at == waits_.end()) {
    if(waits_.size() == most_places)
      at = waits_.end() - 1; // the rest of them together
    else
      at = waits_.insert(waits_.end(), {.where = where, .what = kind});
  }
  ++at->count;
  at->seconds += seconds;
  const double idle = std::max(0.0, workers * since - worked_since - launched_since);
  at->idle += idle;
  at->longest_idle = std::max(at->longest_idle, idle);
}

void recorder::look_at_memory(std::uint64_t now) {
  const std::uint64_t bytes = memory_of_process();
  const std::lock_guard lock(mutex_);
  if(now < look_next_.load(std::memory_order_relaxed))
    return; // another worker has just done so
  memory_.push_back({1e-9 * ns_per_tick_ * static_cast<double>(now - began_), bytes});
  if(memory_.size() == 64) {
    for(std::size_t i = 0; i != 32; ++i)
      memory_[i] = memory_[2 * i + 1];
    memory_.resize(32);
    look_every_ *= 2;
  }
  look_next_.store(now + look_every_, std::memory_order_relaxed);
}

measures recorder::taken() const {
  measures m;
  const double s_per_tick = 1e-9 * ns_per_tick_;
  const std::lock_guard lock(mutex_);
  m.host = host_name();
  m.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_at_).count();
  m.workers = ex_.workers();
  m.cores = static_cast<std::uint32_t>(this_machine().cores.size());
  m.is_optimized = library_build().optimized;
  for(const auto& place : pages_)
    if(worker_page* const p = place.load(std::memory_order_acquire)) {
      m.working += s_per_tick * static_cast<double>(p->worked.get());
      m.messages += s_per_tick * static_cast<double>(p->with_message.get());
      m.standstill += s_per_tick * static_cast<double>(p->at_standstill.get());
      m.steals += p->stolen.get();
      m.tasks += p->tasks.copy().scaled(ns_per_tick_);
      m.over_time += p->over_time.copy(s_per_tick);
      m.gaps += p->gaps.copy().scaled(ns_per_tick_);
      p->names.add_to(m.names, s_per_tick);
      m.longest_gaps.insert(m.longest_gaps.end(), p->longest.begin(), p->longest.end());
    }
  std::ranges::stable_sort(m.longest_gaps, std::greater(), &idle_gap::seconds);
  m.longest_gaps.resize(std::min(m.longest_gaps.size(), gaps_kept));
  std::ranges::sort(m.names, std::greater(), &named_tasks::seconds);

  m.waits = waits_;
  m.phases = phases_;
  m.launching = std::max(0.0, m.seconds - waited_);
  const process_usage now = usage_of_process();
  m.cpu = now.cpu - cpu_before_;
  m.kept = std::max(0.0, now.kept - kept_before_);
  m.memory = now.most_memory;
  // Not what it has now, when the program may have given back what it had for its loops.
  m.memory_end = memory_.empty() ? memory_of_process() : memory_.back().bytes;
  m.memory_half = m.memory_end;
  const auto half = std::ranges::find_if(
    memory_, [&m](const memory_at& x) { return x.seconds >= 0.5 * m.seconds; });
  if(half != memory_.end())
    m.memory_half = half->bytes;

  // What is needed between two tasks: no gap counts with more than four times what short ones take.
  constexpr double short_ones = 0.05;
  const double all = m.workers * m.seconds;
  double left = std::max(0.0, all - m.working - m.launching);
  m.between = std::min(left, 1e-9 * m.gaps.sum_up_to(4 * m.gaps.quantile(short_ones)));
  left -= m.between;
  m.messages = std::min(left, m.messages);
  m.standstill = std::min(left - m.messages, m.standstill);
  return m;
}

} // namespace rondo::detail::inline observe
