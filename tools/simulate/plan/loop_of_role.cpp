#include "loop_of_role.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace rondo::simulate {

namespace {

/// Numbers of what launches are, with all that they wait for and send: equal ones have equal numbers.
std::vector<std::uint32_t> numbers_of(const role& r) {
  const auto is_same = [&r](const launch& a, const launch& b) {
    return a.site == b.site && a.has_task == b.has_task && a.has_result == b.has_result &&
           a.is_wait == b.is_wait && a.waits_for_all == b.waits_for_all &&
           std::ranges::equal(r.before_of(a), r.before_of(b)) &&
           std::ranges::equal(r.actions_of(a), r.actions_of(b));
  };
  std::vector<const launch*> known;
  std::vector<std::uint32_t> all;
  for(const launch& l : r.launches) {
    const auto at =
      std::ranges::find_if(known, [&](const launch* k) { return is_same(*k, l); }) - known.begin();
    if(at == static_cast<std::ptrdiff_t>(known.size()))
      known.push_back(&l);
    all.push_back(static_cast<std::uint32_t>(at));
  }
  return all;
}

struct repeated {
  std::size_t begin = 0;
  std::size_t period = 0;
  std::size_t times = 0;
  [[nodiscard]] std::size_t length() const { return period * times; }
};

repeated longest(const std::vector<std::uint32_t>& n) {
  constexpr std::size_t least = 3;
  repeated best;
  for(std::size_t period = 1; period * least <= n.size(); ++period) {
    std::size_t run = 0; // so many before this one are as the ones a period later
    for(std::size_t i = 0; i + period <= n.size(); ++i) {
      if(i + period != n.size() && n[i] == n[i + period]) {
        ++run;
        continue;
      }
      const repeated here{i - run, period, run / period + 1};
      if(here.times >= least && here.length() > best.length())
        best = here;
      run = 0;
    }
  }
  return best;
}

void copy(const role& from, std::size_t first, std::size_t last, role& to) {
  for(std::size_t i = first; i != last; ++i) {
    launch l = from.launches[i];
    const auto before = from.before_of(l);
    const auto actions = from.actions_of(l);
    l.first_before = static_cast<std::uint32_t>(to.before.size());
    l.first_action = static_cast<std::uint32_t>(to.actions.size());
    to.before.insert(to.before.end(), before.begin(), before.end());
    to.actions.insert(to.actions.end(), actions.begin(), actions.end());
    to.launches.push_back(l);
  }
}

/// Repetitions for each pass, as a fraction of small numbers one of which is 1: the one that explains most of them.
struct rate {
  std::uint32_t repetitions = 1;
  std::uint32_t passes = 1;
};
rate rate_of(std::uint32_t repetitions, std::uint32_t planned) {
  constexpr std::uint32_t most = 64;
  rate best{0, 1};
  double closest =
    -1; // repetitions in all passes: not fewer than there are, and as few as possible
  const auto consider = [&](rate r) {
    const double all = static_cast<double>(planned) * r.repetitions / r.passes;
    if(all >= repetitions && (closest < 0 || all < closest)) {
      best = r;
      closest = all;
    }
  };
  for(std::uint32_t n = 1; n != most; ++n) {
    consider({n, 1});
    consider({1, n});
  }
  return best;
}

} // namespace

role with_loop(const role& whole) {
  const repeated loop = longest(numbers_of(whole));
  if(loop.times == 0)
    return whole;
  role r;
  copy(whole, 0, loop.begin, r);
  r.loop_begin = static_cast<std::uint32_t>(r.launches.size());
  copy(whole, loop.begin, loop.begin + loop.period, r);
  r.loop_end = static_cast<std::uint32_t>(r.launches.size());
  copy(whole, loop.begin + loop.length(), whole.launches.size(), r);
  r.repetitions = static_cast<std::uint32_t>(loop.times);
  return r;
}

void lengthen(plan& p, std::uint32_t planned, std::uint32_t passes) {
  for(role& r : p.roles) {
    if(r.loop_begin == r.loop_end)
      throw std::runtime_error("nothing in the program repeats in the " + std::to_string(planned) +
                               " passes that are planned, so the loop can't be made longer; "
                               "plan more passes (--planned-passes)");
    const rate each = rate_of(r.repetitions, planned);
    const std::int64_t more = (std::int64_t{passes} - std::int64_t{planned}) * each.repetitions;
    if(each.repetitions == 0 || more % each.passes != 0)
      throw std::runtime_error("a repetition of the loop has " + std::to_string(each.passes) +
                               " passes, so " + std::to_string(passes) + " passes, " +
                               std::to_string(planned) +
                               " of which are planned, do not come out even; choose other numbers");
    const std::int64_t all = r.repetitions + more / each.passes;
    if(all < 1)
      throw std::runtime_error("there are fewer passes than are planned; plan fewer");
    r.repetitions = static_cast<std::uint32_t>(all);
  }
}

} // namespace rondo::simulate
