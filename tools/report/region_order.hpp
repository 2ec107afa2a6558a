#pragma once

/// \file
/// What a launch waits for, from the accesses of those before it in its flow.

#include <cstdint>
#include <utility>
#include <vector>

#include <rondo/core/observed.hpp>

namespace rondo::report {

/// Of the launches that use one region, as far as later ones wait for them.
class region_order {
public:
  using mode = access_info::mode_type;

  /// To be called before `use` for the same launch. `between(list)` makes a node that waits for all of these, so that many which wait for many
  /// need not have an edge each.
  template<class Between>
  void prepare(mode how, Between&& between) {
    if(joins(how) && before_.size() > 1 && now_.size() == 1)
      before_ = {between(before_)};
  }

  /// Node `n` uses it, before which launches of the flow are missing at so many places (`gaps`). Calls `waits_for(m)` for what it waits for.
  /// Returns whether that is all.
  template<class WaitsFor>
  bool use(std::uint32_t n, mode how, std::uint32_t gaps, WaitsFor&& waits_for) {
    if(how == mode::none)
      return true;
    if(!joins(how)) {
      before_ = std::exchange(now_, {});
      how_ = how;
      // What is missing may be one of those that run side by side.
      whole_before_ =
        std::exchange(whole_now_, how == mode::write || whole_now_ == gaps ? gaps : not_whole);
    }
    for(const std::uint32_t m : before_)
      waits_for(m);
    now_.push_back(n);
    return whole_before_ == gaps;
  }

private:
  /// It may run beside those that use the region now.
  [[nodiscard]] bool joins(mode how) const {
    return how == how_ && how != mode::write && how != mode::none && !now_.empty();
  }

  mode how_ = mode::none;
  std::vector<std::uint32_t> now_; ///< May run side by side: the last ones.
  std::vector<std::uint32_t> before_;
  // How many gaps there were when they began, if none of them is missing. Before all, there is nothing that could be.
  static constexpr std::uint32_t not_whole = 0xffffffff;
  std::uint32_t whole_now_ = 0;
  std::uint32_t whole_before_ = 0;
};

} // namespace rondo::report
