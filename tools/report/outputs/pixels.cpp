#include "pixels.hpp"

#include "slices.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace rondo::report {

namespace {

/// Sums of colours, each with the share of the pixel that has it.
class shares {
public:
  shares(const time_span& span, std::size_t width)
      : begin_(span.begin),
        per_nanosecond_(static_cast<double>(width) /
                        static_cast<double>(std::max<std::int64_t>(1, span.length()))),
        sums_(width), covered_(width) {}

  void add(std::int64_t begin, std::int64_t end, const color& c) {
    const auto width = static_cast<double>(sums_.size());
    const double from =
      std::clamp(static_cast<double>(begin - begin_) * per_nanosecond_, 0.0, width);
    const double to = std::clamp(static_cast<double>(end - begin_) * per_nanosecond_, 0.0, width);
    for(auto i = static_cast<std::size_t>(from); i < sums_.size() && static_cast<double>(i) < to;
        ++i) {
      const auto left = static_cast<double>(i);
      const auto share = static_cast<float>(std::min(to, left + 1) - std::max(from, left));
      sums_[i].red += share * c.red;
      sums_[i].green += share * c.green;
      sums_[i].blue += share * c.blue;
      covered_[i] += share;
    }
  }

  std::vector<color> on(const color& ground) && {
    for(std::size_t i = 0; i != sums_.size(); ++i) {
      color& sum = sums_[i];
      const float rest = std::max(0.0F, 1 - covered_[i]);
      sum = {sum.red + rest * ground.red, sum.green + rest * ground.green,
        sum.blue + rest * ground.blue};
    }
    return std::move(sums_);
  }

private:
  std::int64_t begin_;
  double per_nanosecond_;
  std::vector<color> sums_;
  std::vector<float> covered_;
};

} // namespace

std::vector<color> pixels_of(const detail::timeline_lane& lane, const color_table& colors,
  const time_span& span, std::size_t width, const color& ground, time_of_names& times) {
  // Names and colours by site and kind: there are few of them, and many slices.
  struct look {
    color shown;
    double* time = nullptr;
  };
  std::map<std::pair<std::uint32_t, int>, look> looks;
  const auto look_of = [&](const slice& s) -> look& {
    const auto [at, is_new] =
      looks.try_emplace({s.site, s.time == nullptr ? -1 : static_cast<int>(s.time->what)});
    if(is_new) {
      at->second.shown = colors.of(lane, s);
      using what = detail::told_time::what_type;
      at->second.time = s.time == nullptr             ? &times.tasks[name_of(lane, s)]
                        : s.time->what == what::slept ? &times.slept
                        : s.time->what != what::phase ? &times.waited
                                                      : nullptr;
    }
    return at->second;
  };

  shares all(span, width);
  std::vector<look*> open;
  std::int64_t since = 0;
  const auto show_until = [&](std::int64_t time) {
    if(!open.empty()) {
      all.add(since, time, open.back()->shown);
      if(open.back()->time != nullptr)
        *open.back()->time += static_cast<double>(time - since);
    }
    since = time;
  };
  walk(
    slices_of(lane),
    [&](const slice& s) {
      show_until(s.begin);
      open.push_back(&look_of(s));
    },
    [&](const slice& s) {
      show_until(s.end);
      open.pop_back();
    });
  return std::move(all).on(ground);
}

} // namespace rondo::report
