// A wait that ends, too, when nothing runs any more: docs/protocols/fiber.md.

#include <utility>

#include "deadlock_watch.hpp"
#include "stillness.hpp"

namespace rondo {

using detail::engine;

bool engine::help_while_possible(wait_condition done) {
  using clock = std::chrono::steady_clock;
  bool is_possible = true;
  bool is_quiet = false;
  clock::time_point since;
  const auto over = [&](wait_phase phase) {
    if(done(phase))
      return true;
    if(phase != wait_phase::about_to_sleep)
      return false;
    if(!detail::stillness::is_left_alone(*this)) {
      is_quiet = false;
      return false;
    }
    // One that was about to go on, and counts as asleep, has had half a millisecond by the next look.
    if(!std::exchange(is_quiet, true)) {
      since = clock::now();
      return false;
    }
    is_possible = !detail::deadlock_watch::are_workers_alone() &&
                  clock::now() - since < options_.deadlock_after;
    return !is_possible;
  };
  const detail::prospects::self_ending_wait here(prospects_);
  help_until(over, wait_kind::polling);
  return is_possible;
}

} // namespace rondo
