// Repeats: for each launch, where was one like it seen last? So many launches before, say. If the
// next ones are also those of so many before, for as long as that, it is a loop.
//
// A launch that comes several times in a pass suggests too short a period; that breaks at the
// launch where the pass goes on differently, and the next suggestion is taken. A launch that comes once
// in a pass suggests the right one.

#include <rondo/tracing/finder.hpp>

#include <algorithm>

namespace rondo::detail::inline tracing {

std::size_t finder::look() {
  const std::uint64_t oldest = seen_ > mask_ ? seen_ - mask_ : 0;
  for(std::uint64_t i = std::max(looked_at_, oldest); i != seen_; ++i) {
    if(period_ != 0 && history_[i & mask_] == history_[(i - period_) & mask_])
      ++run_;
    else {
      const std::uint64_t last = last_like(i);
      period_ = i - last;
      run_ = period_ != 0 ? 1 : 0;
    }
    put(i);
  }
  looked_at_ = seen_;
  if(seen_ > mask_ / 2 && mask_ + 1 != most)
    grow();
  plan_next_look();
  return period_ != 0 && run_ >= std::max(period_, least_run_) ? period_ : 0;
}

/// Where a hash may be kept.
std::uint32_t* finder::places_of(std::uint32_t hash) const {
  return last_ + (hash & table_mask_ & ~(places - 1));
}

/// Places are kept in 32 bits; more is not needed to tell how far back they are. 0: not known.
std::uint64_t finder::how_long_ago(std::uint64_t at, std::uint32_t place) const {
  const std::uint64_t before = static_cast<std::uint32_t>(at + 1) - place;
  return place == 0 || before > mask_ || before > at - begin_ ? 0 : before;
}

/// Where such a launch was seen last, if that is known; else `at`.
std::uint64_t finder::last_like(std::uint64_t at) const {
  const std::uint32_t hash = history_[at & mask_];
  const std::uint32_t* const kept = places_of(hash);
  for(std::size_t k = 0; k != places; ++k)
    if(const std::uint64_t before = how_long_ago(at, kept[k]);
       before != 0 && history_[(at - before) & mask_] == hash)
      return at - before;
  return at;
}

/// Keeps where it was seen; in place of the same, or of what was not seen for the longest time.
void finder::put(std::uint64_t at) {
  const std::uint32_t hash = history_[at & mask_];
  std::uint32_t* const kept = places_of(hash);
  std::uint32_t* into = kept;
  std::uint64_t longest = 0;
  for(std::size_t k = 0; k != places; ++k) {
    const std::uint64_t before = how_long_ago(at, kept[k]);
    if(before != 0 && history_[(at - before) & mask_] == hash) {
      into = kept + k;
      break;
    }
    const std::uint64_t age = before != 0 ? before : most + 1;
    if(age > longest) {
      longest = age;
      into = kept + k;
    }
  }
  *into = static_cast<std::uint32_t>(at + 1);
}

void finder::plan_next_look() {
  // Soon enough to see within the third pass of a loop what the second one has suggested.
  std::uint64_t wait = std::min<std::uint64_t>((seen_ - begin_) / 2, most_between);
  if(const std::uint64_t enough = std::max(period_, least_run_); period_ != 0 && run_ < enough)
    wait = std::min(wait, enough - run_);
  look_at_ = seen_ + wait;
}

void finder::grow() {
  const std::uint64_t size = mask_ + 1;
  std::vector<std::uint32_t> history(std::min<std::uint64_t>(4 * size, most));
  std::vector<std::uint32_t> last(std::min(history.size(), largest_table));
  const std::uint64_t oldest = seen_ > size ? seen_ - size : 0;
  for(std::uint64_t i = oldest; i != seen_; ++i)
    history[i & (history.size() - 1)] = history_[i & mask_];
  larger_history_ = std::move(history);
  larger_last_ = std::move(last);
  history_ = larger_history_.data();
  last_ = larger_last_.data();
  mask_ = larger_history_.size() - 1;
  table_mask_ = larger_last_.size() - 1;
  for(std::uint64_t i = oldest; i != seen_; ++i)
    put(i);
}

void finder::begin_anew() {
  begin_ = seen_;
  looked_at_ = seen_;
  period_ = 0;
  run_ = 0;
  look_at_ = seen_ + first_look;
}

void finder::doubt() {
  least_run_ = std::clamp<std::uint64_t>(4 * least_run_, most_between, most / 8);
}

} // namespace rondo::detail::inline tracing
