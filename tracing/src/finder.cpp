// Repeats: for each launch, where was one like it seen last? So many launches before, say. If the
// next ones are also those of so many before, for as long as that, it is a loop.
//
// A launch that comes several times in a pass suggests too short a period; that breaks at the
// launch where the pass goes on differently, and the next suggestion is taken. A launch that comes once
// in a pass suggests the right one.

#include <rondo/tracing/finder.hpp>

#include <algorithm>

namespace rondo::detail {

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

/// Where such a launch was seen last, if that is known; else `at`.
std::uint64_t finder::last_like(std::uint64_t at) const {
  const std::uint32_t h = history_[at & mask_];
  const std::uint32_t last = last_[h & table_mask_];
  // Places are kept in 32 bits; more is not needed to tell how far back it is.
  const std::uint64_t before = static_cast<std::uint32_t>(at + 1) - last;
  if(last == 0 || before == 0 || before > mask_ || before > at - begin_)
    return at;
  return history_[(at - before) & mask_] == h ? at - before : at;
}

void finder::plan_next_look() {
  between_ = std::min(2 * between_, most_between);
  std::uint64_t wait = between_;
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
  between_ = 8;
  look_at_ = seen_ + between_;
}

void finder::doubt() {
  least_run_ = std::clamp<std::uint64_t>(4 * least_run_, most_between, most / 8);
}

} // namespace rondo::detail
