#include "course.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rondo::simulate {

namespace {

double first_above_0(double a, double b) { return a > 0 ? a : b; }

double cost_of(const costs& c, const site& s, bool is_replayed) {
  const auto wanted = [&](const launch_times& t) {
    return is_replayed ? first_above_0(t.replayed, t.analysed)
                       : first_above_0(t.analysed, t.replayed);
  };
  const auto at = c.launches.find(key_of(s.name, s.place));
  return first_above_0(at == c.launches.end() ? 0 : wanted(at->second), wanted(c.any_launch));
}

std::uint32_t leading_of(const role& r, const launch& l) {
  const auto actions = r.actions_of(l);
  const auto sent = std::ranges::find(actions, true, &action::is_sent);
  return static_cast<std::uint32_t>(sent - actions.begin());
}

} // namespace

course::course(const plan& p, const role& r, const costs& c, const wishes& w) : role_(&r) {
  const auto places = static_cast<std::uint32_t>(r.launches.size());
  const std::uint64_t repetitions = r.repetitions;
  loop_begin_ = r.loop_begin;
  loop_length_ = r.loop_end - r.loop_begin;
  // One bit less than a number has: the simulation needs it.
  const std::uint64_t length = places - loop_length_ + repetitions * loop_length_;
  if(length >= std::uint64_t{1} << 31)
    throw std::runtime_error("a rank would launch " + std::to_string(length) +
                             " times, which is too much to simulate: ask for fewer repetitions");
  length_ = static_cast<std::uint32_t>(length);
  loop_end_ = loop_begin_ + static_cast<std::uint32_t>(repetitions * loop_length_);

  std::vector<double> analysed;
  std::vector<double> replayed;
  std::vector<bool> of_runtime;
  for(const site& s : p.sites) {
    analysed.push_back(cost_of(c, s, false));
    replayed.push_back(cost_of(c, s, true));
    of_runtime.push_back(is_of_runtime(s.name));
  }
  for(std::uint32_t i = 0; i != places; ++i) {
    const launch& l = r.launches[i];
    const bool in_loop = i >= r.loop_begin && i < r.loop_end;
    step s;
    s.what = l;
    if(l.is_wait)
      s.is_left_out = in_loop && !l.waits_for_all && !w.how.is_blocking;
    else {
      s.leading = leading_of(r, l);
      s.cost = (in_loop && w.how.is_traced ? replayed : analysed)[l.site];
      s.waits_for_it = in_loop && l.has_result && w.how.is_blocking;
      s.is_of_runtime = of_runtime[l.site];
      s.is_first = s.is_of_runtime || l.actions != 0;
    }
    steps_.push_back(s);
  }
  find_what_is_after();
}

void course::find_what_is_after() {
  using pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  pairs begin;
  pairs loop;
  pairs tail;
  const auto add = [&](std::uint32_t place, auto&& f) {
    const step& s = steps_[place];
    if(!s.is_left_out && !s.what.waits_for_all)
      for(const std::uint32_t d : role_->before_of(s.what))
        if(d < length_) // else it reaches before the begin
          f(d);
  };
  for(std::uint32_t i = 0; i != loop_begin_; ++i)
    add(i, [&](std::uint32_t d) {
      if(d <= i)
        begin.emplace_back(i - d, d);
    });
  for(std::uint32_t i = 0; i != loop_length_; ++i)
    add(loop_begin_ + i, [&](std::uint32_t d) {
      const std::uint32_t back = d % loop_length_;
      loop.emplace_back(i >= back ? i - back : i + loop_length_ - back, d);
      // In its first repetitions it reaches the begin.
      for(std::uint32_t n = loop_begin_ + i; n < loop_end_ && n < d + loop_begin_;
          n += loop_length_)
        if(d <= n)
          begin.emplace_back(n - d, d);
    });
  tail_begin_ = loop_end_;
  for(std::uint32_t n = loop_end_; n != length_; ++n)
    add(place_of(n), [&](std::uint32_t d) {
      if(d > n)
        return;
      if(n - d < loop_begin_)
        begin.emplace_back(n - d, d);
      else {
        tail.emplace_back(n - d, d);
        tail_begin_ = std::min(tail_begin_, n - d);
      }
    });
  for(auto& [number, d] : tail)
    number -= tail_begin_;
  begin_ = distances(std::move(begin), loop_begin_);
  loop_ = distances(std::move(loop), loop_length_);
  tail_ = distances(std::move(tail), length_ - tail_begin_);
}

course::distances::distances(
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all, std::uint32_t places)
    : first_(places + 1U) {
  std::ranges::sort(all);
  for(const auto& [place, distance] : all) {
    ++first_[place + 1U];
    distances_.push_back(distance);
  }
  for(std::uint32_t i = 0; i != places; ++i)
    first_[i + 1U] += first_[i];
}

} // namespace rondo::simulate
