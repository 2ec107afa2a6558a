// Observers: the list of them, and what an executor's workers know of it.

#include <rondo/core/executor.hpp>
#include <rondo/core/observed_task.hpp>
#include <rondo/core/observer_list.hpp>

#include <stdexcept>
#include <string>
#include <thread>

namespace rondo {

namespace detail::inline core {

void observer_list::tell_sources() {
  is_any_.store(is_any(), std::memory_order_relaxed);
  const bool is_observed = follow_launches();
  const fiber* const here = &fiber::here();
  for(event_source* s = sources_; s != nullptr; s = s->next_) {
    s->is_observed_.store(is_observed, std::memory_order_relaxed);
    if(&s->owner_ == here)
      s->notice_(s->of_);
  }
}

void observer_list::add(observer& o, function_ref<void()> tell_workers) {
  const std::lock_guard lock(mutex_);
  for(unsigned i = 0; i != most; ++i)
    if(places_[i].load(std::memory_order_relaxed) == nullptr) {
      places_[i].store(&o, std::memory_order_release);
      if(i >= used_.load(std::memory_order_relaxed))
        used_.store(i + 1, std::memory_order_release);
      tell_workers();
      tell_sources();
      return;
    }
  throw std::length_error(
    "rondo::executor::attach(): at most " + std::to_string(most) + " observers at a time");
}

void observer_list::remove(observer& o, function_ref<void(bool)> see_off) {
  const std::lock_guard lock(mutex_);
  for(auto& place : places_)
    if(place.load(std::memory_order_relaxed) == &o)
      place.store(nullptr, std::memory_order_relaxed);
  tell_sources();
  heavy_fence(); // with the light one of those who tell
  see_off(is_any());
  for(const event_source* s = sources_; s != nullptr; s = s->next_)
    while(s->inside_.load(std::memory_order_acquire)) // it may be inside a call to `o`
      std::this_thread::yield();
}

void observer_list::admit(function_ref<void(bool)> make_known) {
  const std::lock_guard lock(mutex_);
  make_known(is_any());
}

bool observer_list::is_any() const {
  bool any = false;
  for(const auto& place : places_)
    any = any || place.load(std::memory_order_relaxed) != nullptr;
  return any;
}

bool observer_list::follow_launches() const {
  bool any = false;
  for(const auto& place : places_)
    if(const observer* const o = place.load(std::memory_order_relaxed))
      any = any || o->follows_launches();
  return any;
}

void observer_list::add(event_source& s) {
  const std::lock_guard lock(mutex_);
  s.next_ = sources_;
  if(sources_ != nullptr)
    sources_->before_ = &s;
  sources_ = &s;
  s.is_observed_.store(follow_launches(), std::memory_order_relaxed);
  s.notice_(s.of_);
}

void observer_list::remove(event_source& s) {
  const std::lock_guard lock(mutex_);
  (s.before_ != nullptr ? s.before_->next_ : sources_) = s.next_;
  if(s.next_ != nullptr)
    s.next_->before_ = s.before_;
}

void observer_list::tell_from_outside(function_ref<void(observer&)> tell_one) {
  const std::lock_guard lock(mutex_);
  for(auto& place : places_)
    if(observer* const o = place.load(std::memory_order_relaxed))
      tell_one(*o);
}

// ---- a task that is observed -----------------------------------------------------------------

namespace {

/// Of those that no flow has launched. Only the worker that the task begins on counts.
std::uint64_t number_for(const worker& w, std::uint64_t tasks_before) {
  constexpr unsigned bits_of_worker = 10;
  static_assert(executor::most_workers <= 1U << bits_of_worker);
  return tasks_before << bits_of_worker | w.index();
}

} // namespace

const char* known_task::name_of(const void* of) {
  return static_cast<const known_task*>(of)->info_.name;
}

const known_task* known_task::innermost() { return static_cast<const known_task*>(find(&name_of)); }

void observed_task::begin(worker& w) {
  if(info_.get_id == nullptr && info_.known_id.flow == 0)
    info_.known_id.number = number_for(w, w.numbered_tasks_++);
  info_.comes_at_once = w.comes_at_once();
  w.engine().tell_observers([&](observer& o) { o.task_begin(w.index(), info_); }, w);
}

observed_task::~observed_task() {
  worker& w = worker_here(); // the body may have waited, and moved
  w.engine().tell_observers([&](observer& o) { o.task_end(w.index(), info_); }, w);
  w.note_observed_end();
}

} // namespace detail::inline core

void executor::attach(observer& o) {
  observers_.add(o, [this] {
    workers_.each([](worker& w) { w.observed_.store(true, std::memory_order_relaxed); });
  });
}

void executor::detach(observer& o) {
  observers_.remove(o, [this](bool any_left) {
    workers_.each([any_left](worker& w) {
      if(!any_left)
        w.observed_.store(false, std::memory_order_relaxed);
      while(w.in_observer_.load(std::memory_order_acquire)) // it may be inside a call to `o`
        std::this_thread::yield();
    });
  });
}

const detail::known_task* detail::engine::tell_suspend(worker& w) {
  const auto* const task = detail::known_task::innermost();
  if(task != nullptr)
    tell_observers([&](observer& o) { o.suspend(w.index(), task->info()); }, w);
  return task;
}

void detail::engine::tell_resume(const detail::known_task& task) {
  worker& w = detail::worker_here();
  tell_observers([&](observer& o) { o.resume(w.index(), task.info()); }, w);
}

void detail::engine::tell(function_ref<void(observer&)> tell_one) {
  worker* const w = this_worker();
  if(w != nullptr && &w->home() == this)
    tell_observers(tell_one, *w);
  else
    observers_.tell_from_outside(tell_one);
}

} // namespace rondo
