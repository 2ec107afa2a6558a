// How a thread that is no task waits for a value, which may depend on tasks of any executor:
// docs/protocols/fiber.md.

#include <chrono>
#include <thread>
#include <utility>

#include <rondo/core/executor.hpp>

#include "directory.hpp"

namespace rondo {

using detail::directory;
using detail::engine;

bool engine::needs_hand() const { return has_empty_seat() && (work_visible() || orphans_.any()); }

bool engine::is_unfinished() const { return prospects_.any_body() || !quiescent(); }

void engine::if_alive(executor* ex, function_ref<void(executor&)> f) {
  directory::here().if_alive(ex, f);
}

/// Works for an executor that `find_needy` has found until it has nothing to do, or for a while.
void engine::work_at(engine& ex, wait_condition done, detail::lending& turns) {
  const auto left_at = detail::lending::clock::now();
  ex.lend_to_seat(done, left_at + turns.left());
  ex.visits().end();
  turns.came_home(left_at, detail::lending::clock::now());
}

/// Returns when the value is there, or this executor ends.
void engine::help_for_value(wait_condition done) {
  auto& all = directory::here();
  engine* needy = nullptr;
  bool alone = false;
  detail::lending turns;
  // It does not end before code of its own workers has gone on.
  const bool is_guest = my_worker() == nullptr;
  const auto over = [&](wait_phase phase) {
    return done(phase) || (is_guest && ends_.load(std::memory_order_seq_cst));
  };
  const auto over_or_needed = [&](wait_phase phase) {
    if(over(phase))
      return true;
    if(alone) // then it is not looked now and then; see enlist
      return all.count(std::memory_order_seq_cst) != 1;
    if(phase == wait_phase::about_to_sleep)
      turns.has_looked_at_all();
    if(needy == nullptr &&
       turns.may_go(detail::lending::clock::now(), [this] { return work_visible(); }))
      needy = all.find_needy(this);
    return needy != nullptr;
  };
  for(;;) {
    alone = all.count() == 1;
    help_until(over_or_needed, alone ? wait_kind::announced : wait_kind::polling);
    if(needy != nullptr)
      work_at(*std::exchange(needy, nullptr), done, turns);
    else if(over(wait_phase::looking))
      return;
  }
}

/// The same for a thread that does not know of any executor.
void engine::help_anybody(wait_condition done) {
  while(!done(wait_phase::looking)) {
    detail::lending turn; // there is nothing to do at home
    if(engine* const needy = directory::here().find_needy(nullptr))
      work_at(*needy, done, turn);
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void engine::wait_for_value(executor* helped, wait_condition done, detail::waits_for& w) {
  const auto help = [&](executor& of) {
    engine& ex = of;
    ex.resting_.begin(w);
    ex.help_for_value(done);
    ex.resting_.end(w);
  };
  if(helped != nullptr && detail::acting_as::of(*helped) != nullptr) {
    help(*helped);
    return;
  }
  directory::here().if_alive(helped, help);
  help_anybody(done);
}

} // namespace rondo
