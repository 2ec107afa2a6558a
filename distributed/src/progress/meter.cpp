#include "meter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <rondo/observe/rates.hpp>

namespace rondo::detail::inline distributed {

namespace {

constexpr double longest = 1e7; ///< Seconds. Longer guesses are not shown.

} // namespace

progress_meter::progress_meter(progress_options options, double begin)
    : options_(std::move(options)), begin_(begin) {
  if(options_.what.empty())
    options_.what = options_.below > 0                 ? "residual"
                    : options_.until == options_.until ? "time"
                                                       : "value";
  last_[samples_++] = {begin, 0, value_};
}

/// An inner loop begins once more: the value is farther from its end than ever since the last time.
bool progress_meter::has_begun_anew(double x) const {
  if(options_.below > 0)
    return x > 10 * farthest_; // residuals go up and down
  return options_.until == options_.until &&
         std::abs(x - options_.until) > std::abs(farthest_ - options_.until);
}

void progress_meter::pass(double value) {
  ++passes_;
  if(has_begun_anew(value)) {
    farthest_ = value;
    samples_ = 0;
  }
  // Of residuals the first one, of what goes to an end the last one that was there.
  if(farthest_ != farthest_ || (options_.below > 0 && value > farthest_))
    farthest_ = value;
  value_ = value;
}

std::string progress_meter::value() const {
  if(value_ != value_)
    return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value_);
  return ", " + options_.what + " " + text;
}

std::string progress_meter::rates(double passes_per_second) const {
  std::string all = ", ";
  all.append(with_prefix(passes_per_second)).append(" passes/s");
  if(options_.points != 0)
    all.append(", ")
      .append(with_prefix(passes_per_second * static_cast<double>(options_.points)))
      .append(" points/s");
  return all;
}

double progress_meter::left(const sample& before, double now) const {
  const double took = now - before.time;
  double shortest = std::numeric_limits<double>::quiet_NaN();
  const auto consider = [&shortest](double seconds) {
    if(seconds >= 0 && seconds < longest)
      shortest = shortest <= seconds ? shortest : seconds;
  };
  if(options_.passes != 0 && passes_ != before.passes) {
    const std::uint64_t done = (passes_ - 1) % options_.passes + 1; // of an inner loop, this time
    consider(took * static_cast<double>(options_.passes - done) /
             static_cast<double>(passes_ - before.passes));
  }
  if(options_.below > 0 && value_ > 0 && before.value > 0)
    consider(took * std::log(options_.below / value_) / std::log(value_ / before.value));
  if(options_.until == options_.until)
    consider(took * (options_.until - value_) / (value_ - before.value));
  return shortest;
}

std::string progress_meter::line(double now) {
  const sample here{now, passes_, value_};
  if(samples_ == 0)
    last_[samples_++] = here;
  const sample& before = last_[0];
  std::string text = std::to_string(passes_) + (passes_ == 1 ? " pass" : " passes") + value();
  if(now > before.time)
    text += rates(static_cast<double>(passes_ - before.passes) / (now - before.time));
  // The first sample may have been before the first value.
  const sample& known =
    before.value != before.value && samples_ > 1 && options_.passes == 0 ? last_[1] : before;
  if(const double seconds = left(known, now); seconds == seconds)
    text.append(", ").append(clock_text(seconds)).append(" left");
  if(samples_ == last_.size())
    std::shift_left(last_.begin(), last_.end(), 1);
  else
    ++samples_;
  last_[samples_ - 1] = here;
  return text;
}

std::string progress_meter::end(double now) const {
  char text[48];
  std::snprintf(text, sizeof text, " passes in %.3g s", now - begin_);
  std::string all = std::to_string(passes_) + text + value();
  if(now > begin_)
    all += rates(static_cast<double>(passes_) / (now - begin_));
  return all;
}

} // namespace rondo::detail::inline distributed
