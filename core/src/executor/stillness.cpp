#include "stillness.hpp"

#include "directory.hpp"

namespace rondo::detail::inline core {

bool stillness::of(const engine& ex, bool caller_searches) {
  return !ex.prospects_.any_self_ending() && is_at_rest(ex, caller_searches);
}

bool stillness::is_at_rest(const engine& ex, bool caller_searches) {
  if(ex.prospects_.any_external())
    return false;
  if(!ex.prospects_.do_all_waits_sleep()) // one may find something yet
    return false;
  if(ex.post_.has_thread() ? ex.post_.thread_may_bring() : ex.poller_is_wanted())
    return false;
  const unsigned here = workers_here(ex);
  return (caller_searches ? ex.notifier_.all_sleep_but_me(here) : ex.notifier_.all_sleep(here)) &&
         !ex.work_visible();
}

bool stillness::is_left_alone(const engine& ex) {
  const bool is_any_elsewhere = ex.prospects_.covered() != 0;
  return !ex.prospects_.any_external() && !ex.poller_is_wanted() &&
         ex.notifier_.all_sleep(workers_here(ex)) && !ex.work_visible() &&
         !directory::here().any([&ex, is_any_elsewhere](const engine& other) {
           return &other != &ex && (other.is_unfinished() || is_any_elsewhere) &&
                  !is_at_rest(other, false);
         });
}

unsigned stillness::workers_here(const engine& ex) {
  const unsigned empty_seat = ex.has_empty_seat() ? 1 : 0;
  const unsigned away = empty_seat + ex.prospects_.covered();
  const unsigned all = ex.active();
  return away < all ? all - away : 0;
}

std::uint64_t stillness::activity(const engine& ex) {
  std::uint64_t sum = ex.prospects_.events_of_waits();
  ex.workers_.each([&sum](const worker& w) { sum += w.events(); });
  return sum;
}

bool stillness::has_looked_since(const engine& ex, time_point t) {
  const auto ticks = t.time_since_epoch().count();
  if(ex.orphans_.any() && !ex.seat_.is_taken() && !ex.prospects_.is_visited_since(t))
    return false;
  return !ex.workers_.any(
    [ticks](const worker& w) { return w.looked_at_.load(std::memory_order_relaxed) < ticks; });
}

bool stillness::is_awaited(const engine& ex) {
  return ex.seat_.is_taken() || ex.prospects_.waits() != 0;
}

std::size_t stillness::threads(const engine& ex) {
  return ex.active() - (ex.options_.background ? 0U : 1U) + (ex.seat_.has_a_thread() ? 1U : 0U) +
         ex.prospects_.waits() + (ex.post_.has_thread() ? 1U : 0U);
}

} // namespace rondo::detail::inline core
