// The method of Fiduccia and Mattheyses for circuits: the cell goes to the other color that most faces win by, even if that is less than
// none, and then stays there; at the end what was best on the way counts. So a border gets over places where each single step makes it
// longer. Colors give and take in turns, as the counts are to be the same at the end.

#include "border.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace rondo::detail::inline meshes {

namespace {

constexpr std::int32_t no_index = -1;
/// So many cells after the best state nothing better is expected.
constexpr std::size_t patience = 60;
constexpr unsigned most_passes = 4;

/// Cells of a color by what is won if one leaves it.
class leavers {
public:
  leavers(std::size_t cells, std::int32_t most)
      : most_(most), first_(static_cast<std::size_t>(2 * most + 1), no_index), links_(cells) {}

  void put(std::int32_t cell, std::int32_t gain) {
    std::int32_t& first = first_[slot(gain)];
    at(cell) = {no_index, first};
    if(first != no_index)
      at(first).before = cell;
    first = cell;
    best_ = std::max(best_, gain + most_);
  }
  void take(std::int32_t cell, std::int32_t gain) {
    const link its = at(cell);
    if(its.before == no_index)
      first_[slot(gain)] = its.behind;
    else
      at(its.before).behind = its.behind;
    if(its.behind != no_index)
      at(its.behind).before = its.before;
  }
  /// Of the best one; or none.
  std::int32_t best() {
    while(best_ != no_index && first_[static_cast<std::size_t>(best_)] == no_index)
      --best_;
    return best_ == no_index ? no_index : first_[static_cast<std::size_t>(best_)];
  }

private:
  struct link {
    std::int32_t before = no_index;
    std::int32_t behind = no_index;
  };
  [[nodiscard]] std::size_t slot(std::int32_t gain) const {
    return static_cast<std::size_t>(gain + most_);
  }
  link& at(std::int32_t cell) { return links_[static_cast<std::size_t>(cell)]; }

  std::int32_t most_;
  std::int32_t best_ = no_index; ///< No list behind this one has any.
  std::vector<std::int32_t> first_;
  std::vector<link> links_;
};

class shortening {
public:
  explicit shortening(border& b) : b_(b), gain_(b.cells.size()), state_(b.cells.size()) {
    for(std::size_t c = 0; c != b.cells.size(); ++c)
      most_ = std::max(
        most_, b.begins[c + 1] - b.begins[c] + b.cells[c].around[0] + b.cells[c].around[1]);
  }

  std::int64_t run() {
    std::int64_t won = 0;
    for(unsigned pass = 0; pass != most_passes; ++pass) {
      note_gains();
      const std::vector<std::int32_t> lone = pass == 0 ? lone_cells() : std::vector<std::int32_t>();
      const std::int64_t here = go(lone);
      won += here;
      if(here <= 0 && lone.empty())
        break;
    }
    return won;
  }

private:
  enum class state : std::uint8_t { inside, may_leave, has_left };

  [[nodiscard]] std::span<const std::int32_t> linked(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(b_.linked).subspan(static_cast<std::size_t>(b_.begins[c]),
      static_cast<std::size_t>(b_.begins[c + 1] - b_.begins[c]));
  }
  std::uint8_t& color(std::int32_t cell) { return b_.cells[static_cast<std::size_t>(cell)].color; }
  std::int32_t& gain(std::int32_t cell) { return gain_[static_cast<std::size_t>(cell)]; }
  state& state_of(std::int32_t cell) { return state_[static_cast<std::size_t>(cell)]; }

  [[nodiscard]] std::array<std::int32_t, 2> around(std::int32_t cell) {
    std::array<std::int32_t, 2> count = b_.cells[static_cast<std::size_t>(cell)].around;
    for(const std::int32_t other : linked(cell))
      ++count[color(other)];
    return count;
  }
  void note_gains() {
    leavers_.assign(2, leavers(b_.cells.size(), most_));
    for(auto c = static_cast<std::int32_t>(b_.cells.size()); c-- != 0;) {
      const auto count = around(c);
      const unsigned own = color(c);
      gain(c) = count[1 - own] - count[own];
      state_of(c) = count[1 - own] == 0 ? state::inside : state::may_leave;
      if(count[1 - own] != 0)
        leavers_[own].put(c, gain(c));
    }
  }
  /// No cell of their color is beside them.
  std::vector<std::int32_t> lone_cells() {
    std::vector<std::int32_t> made;
    for(std::int32_t c = 0; c != static_cast<std::int32_t>(b_.cells.size()); ++c)
      if(state_of(c) == state::may_leave && around(c)[color(c)] == 0)
        made.push_back(c);
    return made;
  }

  void change(std::int32_t cell) {
    std::uint8_t& its = color(cell);
    if(state_of(cell) == state::may_leave)
      leavers_[its].take(cell, gain(cell));
    state_of(cell) = state::has_left;
    won_ += gain(cell);
    ahead_ += its == 0 ? 1 : -1;
    for(const std::int32_t other : linked(cell)) {
      if(state_of(other) == state::has_left)
        continue;
      if(state_of(other) == state::may_leave)
        leavers_[color(other)].take(other, gain(other));
      gain(other) += color(other) == its ? 2 : -2;
      leavers_[color(other)].put(other, gain(other));
      state_of(other) = state::may_leave;
    }
    its = 1 - its;
    changed_.push_back(cell);
  }

  /// What is to be changed next, or none.
  std::int32_t next() {
    const std::int32_t best[] = {leavers_[0].best(), leavers_[1].best()};
    if(ahead_ != 0)
      return best[ahead_ > 0 ? 1 : 0];
    if(best[0] == no_index || best[1] == no_index)
      return no_index; // nothing would come back
    return gain(best[1]) > gain(best[0]) ? best[1] : best[0];
  }

  /// Lone cells are changed first. They stay so if there is a state then that has no more faces between the colors than now.
  std::int64_t go(const std::vector<std::int32_t>& lone) {
    changed_.clear();
    won_ = 0;
    ahead_ = 0;
    for(const std::int32_t c : lone)
      if(state_of(c) == state::may_leave && around(c)[color(c)] == 0)
        change(c);
    std::int64_t best = lone.empty() ? 0 : -1;
    std::size_t best_at = 0;
    const auto is_best = [&] {
      if(ahead_ != 0 || changed_.empty() || won_ <= best)
        return false;
      best = won_;
      best_at = changed_.size();
      return true;
    };
    std::size_t in_vain = 0;
    is_best();
    while(in_vain != patience) {
      const std::int32_t c = next();
      if(c == no_index)
        break;
      change(c);
      in_vain = is_best() ? 0 : in_vain + 1;
    }
    for(std::size_t k = best_at; k != changed_.size(); ++k)
      color(changed_[k]) ^= 1U;
    return best_at == 0 ? 0 : best;
  }

  border& b_;
  std::int32_t most_ = 0;
  std::vector<leavers> leavers_; ///< Of each color.
  std::vector<std::int32_t> gain_;
  std::vector<state> state_;
  std::vector<std::int32_t> changed_;
  std::int64_t won_ = 0;
  std::int64_t ahead_ = 0; ///< So many more cells have left color 0 than color 1.
};

} // namespace

std::int64_t shorten(border& b) { return shortening(b).run(); }

} // namespace rondo::detail::inline meshes
