#pragma once

/// \file
/// What a rank with a role does, launch after launch: the begin, the loop as often as wished, and the end. The repetitions are
/// not written down: a launch is found by its number, and so is what waits for it. 65,536 ranks in the middle of
/// 4,096 launches each would else need lists of hundreds of millions.

#include <cstdint>
#include <utility>
#include <vector>

#include "costs/costs.hpp"
#include "plan/program.hpp"
#include "simulation.hpp"

namespace rondo::simulate {

class course {
public:
  struct step {
    launch what;
    std::uint32_t leading =
      0;             ///< So many of its first actions take messages: they come before the task.
    double cost = 0; ///< Of launching it.
    bool is_left_out = false;  ///< A wait that the variant doesn't have.
    bool waits_for_it = false; ///< The main thread does, as soon as it is launched.
    bool is_first = false;     ///< Of those that are ready: someone else waits for its messages.
    bool is_of_runtime = false;
  };

  course(const plan& p, const role& r, const costs& c, const wishes& w);

  /// Launches and waits.
  [[nodiscard]] std::uint32_t length() const { return length_; }
  [[nodiscard]] const step& at(std::uint32_t number) const { return steps_[place_of(number)]; }
  [[nodiscard]] const action* actions() const { return role_->actions.data(); }

  /// The numbers of those that launch `number` waits for.
  template<class F>
  void for_each_before(const step& s, std::uint32_t number, F&& f) const {
    for(const std::uint32_t d : role_->before_of(s.what))
      if(d <= number)
        f(number - d);
  }

  /// The numbers of those that wait for it.
  template<class F>
  void for_each_after(std::uint32_t number, F&& f) const {
    if(number < loop_begin_)
      begin_.for_each(number, [&](std::uint32_t d) { f(number + d); });
    else if(number < loop_end_)
      loop_.for_each((number - loop_begin_) % loop_length_, [&](std::uint32_t d) {
        if(number + d < loop_end_) // else there is no such repetition
          f(number + d);
      });
    if(number >= tail_begin_)
      tail_.for_each(number - tail_begin_, [&](std::uint32_t d) { f(number + d); });
  }

private:
  /// For each place, how far behind it those are that wait for it.
  class distances {
  public:
    distances() = default;
    /// Of pairs of a place and a distance.
    distances(std::vector<std::pair<std::uint32_t, std::uint32_t>> all, std::uint32_t places);

    template<class F>
    void for_each(std::uint32_t place, F&& f) const {
      for(std::uint32_t i = first_[place]; i != first_[place + 1]; ++i)
        f(distances_[i]);
    }

  private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> distances_;
  };

  [[nodiscard]] std::uint32_t place_of(std::uint32_t number) const {
    if(number < loop_begin_)
      return number;
    if(number < loop_end_)
      return loop_begin_ + (number - loop_begin_) % loop_length_;
    return number - loop_end_ + loop_begin_ + loop_length_;
  }
  void find_what_is_after();

  const role* role_;
  std::vector<step> steps_; ///< By place in the role.
  std::uint32_t length_ = 0;
  std::uint32_t loop_begin_ = 0; ///< Numbers of launches: all repetitions.
  std::uint32_t loop_end_ = 0;
  std::uint32_t loop_length_ = 0; ///< Of one.
  distances begin_;               ///< By number, of launches before the loop.
  distances loop_;                ///< By place in the loop: what waits in the loop.
  /// What waits behind the loop, by number, as that differs for the last repetitions.
  distances tail_;
  std::uint32_t tail_begin_ = 0;
};

} // namespace rondo::simulate
