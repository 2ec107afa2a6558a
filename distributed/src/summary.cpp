#include <rondo/distributed/summary.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include <rondo/distributed/index.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/trace.hpp>

namespace rondo {

namespace {

/// Numbers of one rank, and then of all.
struct numbers {
  double seconds = 0;
  double worked = 0;
  double workers = 0;
  double tasks = 0;
  double launches = 0;
  double replayed = 0;
  double passes = 0;
  double messages = 0;
  double bytes = 0;
  double waits = 0;
};

struct add_up {
  void operator()(numbers& into, const numbers& part) const {
    into.seconds = std::max(into.seconds, part.seconds);
    into.worked += part.worked;
    into.workers += part.workers;
    into.tasks += part.tasks;
    into.launches += part.launches;
    into.replayed += part.replayed;
    into.passes = std::max(into.passes, part.passes);
    into.messages += part.messages;
    into.bytes += part.bytes;
    into.waits += part.waits;
  }
};

numbers of_rank(topo::index::view, numbers here) { return here; }

std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/// 1234567 as "1,234,567".
std::string with_commas(double x) {
  const std::string digits = std::to_string(static_cast<std::int64_t>(x));
  std::string text;
  for(std::size_t i = 0; i != digits.size(); ++i) {
    if(i != 0 && (digits.size() - i) % 3 == 0)
      text += ',';
    text += digits[i];
  }
  return text;
}

std::string formatted(const char* format, double x) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, x);
  return text.data();
}

} // namespace

struct run_summary::suspended_tasks {
  std::mutex mutex;
  std::map<task_id, unsigned> open; ///< How many tasks are on the stack of each.
};

run_summary::run_summary(scheduler& s)
    : scheduler_(s), began_(std::chrono::steady_clock::now()), workers_(executor::most_workers),
      suspended_(std::make_unique<suspended_tasks>()) {
  s.home().attach(*this);
}

run_summary::~run_summary() {
  scheduler_.home().detach(*this);
  for(const auto& w : workers_)
    delete w.load(std::memory_order_relaxed);
}

/// Called by that worker. Without memory it is not counted.
run_summary::of_worker* run_summary::of(unsigned worker) noexcept {
  of_worker* w = workers_[worker].load(std::memory_order_relaxed);
  if(w == nullptr) {
    w = new(std::nothrow) of_worker;
    workers_[worker].store(w, std::memory_order_release); // for `text`
  }
  return w;
}

/// So many tasks are on the stack that the worker is on from now on.
void run_summary::begin(of_worker& w, unsigned open) {
  w.open = open;
  w.began = now();
}

/// What is on the stack ends or is left: how many tasks are there?
unsigned run_summary::end(of_worker& w) {
  const unsigned open = std::exchange(w.open, 0);
  if(open != 0)
    w.worked.store(
      w.worked.load(std::memory_order_relaxed) + now() - w.began, std::memory_order_relaxed);
  return open;
}

void run_summary::task_begin(unsigned worker, const task_info&) noexcept {
  of_worker* const w = of(worker);
  if(w != nullptr && w->open++ == 0)
    begin(*w, 1);
}

void run_summary::task_end(unsigned worker, const task_info&) noexcept {
  of_worker* const w = of(worker);
  if(w == nullptr)
    return;
  w->tasks.store(w->tasks.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if(w->open == 1)
    end(*w);
  else if(w->open != 0) // else it began before this observed
    --w->open;
}

/// Called on the stack that is left, and when somebody has gone back to it; perhaps another worker.
void run_summary::suspend(unsigned worker, const task_info& what) noexcept {
  of_worker* const w = of(worker);
  const unsigned open = w != nullptr ? end(*w) : 0;
  if(open == 0)
    return;
  try {
    const std::lock_guard lock(suspended_->mutex);
    suspended_->open[what.id()] = open;
  }
  catch(const std::bad_alloc&) { // then the rest of it is not counted
  }
}

void run_summary::resume(unsigned worker, const task_info& what) noexcept {
  unsigned open = 0;
  {
    const std::lock_guard lock(suspended_->mutex);
    const auto found = suspended_->open.find(what.id());
    if(found == suspended_->open.end())
      return;
    open = found->second;
    suspended_->open.erase(found);
  }
  if(of_worker* const w = of(worker))
    begin(*w, open);
}

void run_summary::waited(const wait_info&) noexcept {
  waits_.fetch_add(1, std::memory_order_relaxed);
}

std::string run_summary::text(const trace* t) const {
  scheduler& s = scheduler_;
  numbers here;
  here.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  here.workers = s.home().workers();
  for(const auto& place : workers_)
    if(const of_worker* const w = place.load(std::memory_order_acquire)) {
      here.worked += 1e-9 * static_cast<double>(w->worked.load(std::memory_order_relaxed));
      here.tasks += static_cast<double>(w->tasks.load(std::memory_order_relaxed));
    }
  const flow& f = s.launches();
  here.launches = static_cast<double>(f.launched());
  here.replayed = static_cast<double>(f.repeats().launches);
  here.passes = static_cast<double>(f.repeats().passes);
  if(t != nullptr) {
    const trace_statistics told = t->statistics();
    here.replayed += static_cast<double>(told.replayed * told.launches);
    here.passes += static_cast<double>(told.replayed);
  }
  const detail::message_poller::traffic sent = s.messages().sent();
  here.messages = static_cast<double>(sent.messages);
  here.bytes = static_cast<double>(sent.bytes);
  here.waits = static_cast<double>(waits_.load(std::memory_order_relaxed));

  topo::index all(s, {.colors = s.ranks()}); // one for each
  const numbers n = s.reduce<of_rank, add_up{}>(all, here).get();

  std::string text;
  const auto line = [&text](const char* what) -> std::string& {
    if(!text.empty())
      text += '\n';
    return text += what;
  };
  const auto plural = [](double x) { return x == 1 ? "" : "s"; };
  line("tasks                ")
    .append(with_commas(n.tasks))
    .append(formatted(" in %.3g s on ", n.seconds))
    .append(with_commas(n.workers))
    .append(" worker")
    .append(plural(n.workers));
  line("working              ")
    .append(formatted("%.0f %% of the time", 100 * n.worked / (n.workers * n.seconds)));
  line("replayed             ")
    .append(formatted("%.0f %% of the launches, ", 100 * n.replayed / n.launches))
    .append(with_commas(n.passes))
    .append(" passes");
  line("messages             ")
    .append(with_commas(n.messages))
    .append(formatted(", %.3g MB", 1e-6 * n.bytes));
  line("main thread blocked  ")
    .append(with_commas(n.waits))
    .append(" time")
    .append(plural(n.waits))
    .append("\n");
  return text;
}

} // namespace rondo
