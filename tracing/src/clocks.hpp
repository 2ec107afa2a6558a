#pragma once

/// \file
/// Which events of a recorded pass come after which, as far as `compile` has looked: for each event the last one of each of some chains
/// that it comes after. What the chains leave out is taken for not known, which costs an edge too many and nothing else.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rondo::detail::inline tracing {

using event = std::uint32_t; ///< In the order of the launches, those of the second pass behind.
constexpr event no_event = ~event{0};

/// What an event comes after.
class clocks {
public:
  clocks(std::size_t events, std::size_t chains)
      : width_(width(events, chains)),
        after_(std::make_unique_for_overwrite<std::int32_t[]>(events * width_)), seen_(events),
        chain_(events, none), place_(events) {
    tails_.reserve(width_);
  }

  void begin(event e) {
    mine_ = &after_[std::size_t{e} * width_];
    seen_[e] = static_cast<std::uint32_t>(tails_.size());
    std::fill_n(mine_, seen_[e], 0);
  }
  [[nodiscard]] bool knows(event e) const {
    return chain_[e] != none && mine_[chain_[e]] >= place_[e];
  }
  void come_after(event e) {
    const std::int32_t* const other = &after_[std::size_t{e} * width_];
    std::int32_t* const mine = mine_;
    const std::uint32_t seen = seen_[e];
    for(std::uint32_t i = 0; i != seen; ++i)
      mine[i] = std::max(mine[i], other[i]);
    if(chain_[e] != none) {
      mine[chain_[e]] = std::max(mine[chain_[e]], place_[e]);
      if(tails_[chain_[e]] == e)
        candidate_ = chain_[e];
    }
  }
  /// It is not there: no event comes after it.
  void drop() { candidate_ = none; }
  /// The end of the chain of one that it comes after, or a chain of its own if there is room.
  void end(event e) {
    std::uint32_t c = candidate_;
    candidate_ = none;
    if(c == none) {
      if(tails_.size() == width_)
        return;
      c = static_cast<std::uint32_t>(tails_.size());
      tails_.push_back(e);
      place_[e] = 1;
    }
    else {
      place_[e] = place_[tails_[c]] + 1;
      tails_[c] = e;
    }
    chain_[e] = c;
  }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t most_numbers = std::size_t{1} << 24;

  static std::size_t width(std::size_t events, std::size_t chains) {
    const std::size_t wanted = std::min<std::size_t>((chains + 7) / 8 * 8, 256);
    return std::max<std::size_t>(std::min(wanted, most_numbers / events), 4);
  }

  std::size_t width_;
  /// Most loops have few chains, however large they are: the rest of the memory is never touched.
  std::unique_ptr<std::int32_t[]> after_;
  std::vector<std::uint32_t> seen_; ///< So many chains had begun before the event.
  std::vector<std::uint32_t> chain_;
  std::vector<std::int32_t> place_;
  std::vector<event> tails_;
  std::int32_t* mine_ = nullptr;
  std::uint32_t candidate_ = none;
};

} // namespace rondo::detail::inline tracing
