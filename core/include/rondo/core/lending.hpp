#pragma once

/// \file
/// A worker's turns at home and elsewhere, while tasks of its own wait for other executors that have nobody else
/// to do the work: docs/protocols/fiber.md.

#include <rondo/core/clock.hpp>

namespace rondo::detail::inline core {

/// Used by one thread.
class lending {
public:
  using clock = std::chrono::steady_clock;

  /// Of work elsewhere, and of work at home after that, while there is work in both places.
  static constexpr clock::duration slice = std::chrono::milliseconds(1);

  /// Whether it is time to go elsewhere. `has_jobs()`: there is something to run at home.
  template<class HasJobs>
  [[nodiscard]] bool may_go(clock::time_point now, HasJobs&& has_jobs) {
    if(spent_ < slice)
      return true;
    if(now - came_home_ < slice && (!has_looked_ || has_jobs()))
      return false;
    spent_ = {};
    return true;
  }
  /// The rest of the time for this turn elsewhere.
  [[nodiscard]] clock::duration left() const { return slice - spent_; }

  void came_home(clock::time_point left_at, clock::time_point now) {
    spent_ += now - left_at;
    came_home_ = now;
    has_looked_ = false;
  }
  /// Everybody who waits at home was asked, and nobody could go on. Without that those who go elsewhere
  /// again and again might always be asked first.
  void has_looked_at_all() { has_looked_ = true; }

private:
  clock::duration spent_{};
  clock::time_point came_home_;
  bool has_looked_ = false;
};

} // namespace rondo::detail::inline core
