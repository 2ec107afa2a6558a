#include "live_meter.hpp"

#include <algorithm>
#include <utility>

#include <rondo/observe/rates.hpp>

#include "../words.hpp"

namespace rondo::detail::inline observe {

namespace {

/// "12 passes", "1 launch".
std::string many(std::uint64_t n, const char* one, const char* several) {
  return std::to_string(n) + ' ' + (n == 1 ? one : several);
}

std::string passes_of(const loop_now& l) {
  std::string text = many(l.passes, "pass", "passes");
  if(l.loops > 1)
    text.append(" of ").append(many(l.loops, "loop", "loops"));
  return text;
}

/// Of a loop whose end is known, and which lasts: "30 of 100 passes, 30 %".
std::string part_of(const loop_now& l) {
  std::string text = l.loops > 1 ? "loop " + std::to_string(l.loops) + ": " : std::string();
  text.append(std::to_string(l.of_this)).append(l.may_end_before ? " of at most " : " of ");
  text.append(many(l.most, "pass", "passes")).append(", ");
  return text.append(percent_text(static_cast<double>(l.of_this) / static_cast<double>(l.most)));
}

/// In the units of `what`.
std::string rate_text(double rate, const char* what) {
  return ", " + with_prefix(rate) + ' ' + what + "/s";
}

constexpr double longest = 1e7; ///< Seconds. Longer guesses are not shown.

} // namespace

double live_meter::rate(const sample& here) {
  const sample& before = last_[0];
  const double took = here.time - before.time;
  const double found =
    took > 0 ? static_cast<double>(here.count - std::min(here.count, before.count)) / took : 0;
  if(samples_ == last_.size())
    std::shift_left(last_.begin(), last_.end(), 1);
  else
    ++samples_;
  last_[samples_ - 1] = here;
  return found;
}

std::string live_meter::line(const loop_now& l, std::uint64_t launches, double now) {
  const bool is_loop = l.number != 0;
  if(!is_loop && launches == 0)
    return {};
  if(samples_ == 0 || std::exchange(of_, l.number) != l.number) {
    of_ = l.number;
    last_[0] = {is_loop ? l.begun : begin_, 0};
    samples_ = 1;
  }
  const double per_second = rate({now, is_loop ? l.passes : launches});
  if(!is_loop)
    return many(launches, "launch", "launches") + rate_text(per_second, "launches");
  // Of loops that are over before the next line nobody wants to know how far they are.
  const bool lasts = std::exchange(loops_, l.loops) == l.loops || l.loops == 1;
  const bool is_part = lasts && l.most != 0;
  std::string text = is_part ? part_of(l) : passes_of(l);
  text += rate_text(per_second, "passes");
  if(const double left = static_cast<double>(l.most - std::min(l.most, l.of_this)) / per_second;
     is_part && per_second > 0 && left < longest)
    text.append(l.may_end_before ? ", at most " : ", ").append(clock_text(left)).append(" left");
  return text + " (" + l.place + ')';
}

std::string live_meter::end(const loop_now& l, std::uint64_t launches, double now) const {
  const bool is_loop = l.number != 0;
  if(!is_loop && launches == 0)
    return {};
  const std::uint64_t all = is_loop ? l.passes : launches;
  const double took = is_loop ? l.ended - l.begun : now - begin_;
  std::string text = is_loop ? passes_of(l) : many(launches, "launch", "launches");
  text.append(" in ").append(time_text(took));
  if(took > 0)
    text += rate_text(static_cast<double>(all) / took, is_loop ? "passes" : "launches");
  return is_loop ? text + " (" + l.place + ')' : text;
}

} // namespace rondo::detail::inline observe
