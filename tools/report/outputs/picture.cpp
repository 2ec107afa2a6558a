#include "picture.hpp"

#include "names.hpp"
#include "picture_style.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rondo::report {

picture::picture(const detail::timeline& t, int width)
    : t_(t), width_(std::clamp(width, 400, 32'000)), span_(span_of(t)), colors_(t) {
  choose_lanes();
  measure();
  draw_title();
  draw_lanes();
  draw_axis();
  draw_legend();
}

/// Threads that have only launched, or seen to messages, would be empty.
void picture::choose_lanes() {
  for(const auto& rank : t_.ranks) {
    shown_rank shown{&rank, {}};
    for(const auto& lane : rank.lanes)
      if(lane.is_of_worker || !lane.times.empty() || !lane.tasks.empty())
        shown.lanes.push_back(&lane);
    if(!shown.lanes.empty())
      ranks_.push_back(std::move(shown));
  }
}

void picture::measure() {
  canvas measuring(1, 1);
  double of_rank = 0;
  double of_lane = 0;
  double lanes = 0;
  for(const shown_rank& r : ranks_) {
    if(ranks_.size() > 1)
      of_rank = std::max(of_rank, measuring.width_of(label_of(*r.rank), of_ranks) + 12);
    for(const auto* const lane : r.lanes)
      of_lane = std::max(of_lane, measuring.width_of(label_of(*lane), of_lanes) + 8);
    lanes += static_cast<double>(r.lanes.size());
  }
  top_ = margin + 50 + 18 * static_cast<double>(warnings().size()) + height_of_axis;
  const double rows_of_legend = most_names + 4; // at the worst: one below the other
  const double room =
    most_height - top_ - height_of_axis - height_of_legend * rows_of_legend - 2 * margin;
  const auto spaces = static_cast<double>(std::max<std::size_t>(1, ranks_.size()) - 1);
  lane_height_ =
    std::clamp(std::floor(high_enough / std::max(1.0, lanes)), usual_lane, highest_lane);
  space_of_rank_ = 8;
  if(lanes * lane_height_ + spaces * space_of_rank_ > room) {
    space_of_rank_ = spaces * 4 < room / 4 ? 4 : 0;
    lane_height_ = std::floor((room - spaces * space_of_rank_) / lanes);
  }
  if(lane_height_ < 1) {
    space_of_rank_ = 0;
    lane_height_ = 1;
    lanes_in_row_ = static_cast<std::size_t>(std::ceil(lanes / std::max(1.0, room)));
  }
  if(lane_height_ < labelled_lane)
    of_lane = 0;
  left_ = margin + std::min(of_rank + of_lane, width_ / 3);
  columns_ = static_cast<std::size_t>(width_ - left_ - margin);

  std::size_t lane = 0;
  for(std::size_t i = 0; i != ranks_.size(); ++i) {
    const auto y = [&](std::size_t of) {
      return top_ + static_cast<double>(of / lanes_in_row_) * lane_height_ +
             static_cast<double>(i) * space_of_rank_;
    };
    ranks_[i].first = lane;
    ranks_[i].top = y(lane);
    lane += ranks_[i].lanes.size();
    ranks_[i].height = std::max(lane_height_, y(lane) - ranks_[i].top);
  }
  height_ = ranks_.empty() ? 40 : ranks_.back().top + ranks_.back().height - top_;
  canvas_ = std::make_unique<canvas>(static_cast<int>(width_),
    static_cast<int>(bottom() + height_of_axis + height_of_legend * rows_of_legend + 2 * margin));
}

double picture::x_of(double moment) const {
  return left_ + (moment - static_cast<double>(span_.begin)) * static_cast<double>(columns_) /
                   static_cast<double>(std::max<std::int64_t>(1, span_.length()));
}

void picture::draw_axis() {
  constexpr double for_each_label = 110;
  for(const auto& [moment, label] :
    ticks_of(span_, static_cast<double>(columns_) / for_each_label)) {
    const double x = std::floor(x_of(moment));
    if(x > right())
      continue;
    canvas_->fill(x, top_ - 5, 1, 5, line_ink);
    canvas_->fill(x, bottom(), 1, 5, line_ink);
    for(const double y : {top_ - 13, bottom() + 13}) {
      const double half = canvas_->width_of(label, of_axis) / 2;
      canvas_->text(std::min(x, width_ - 4 - half), y, label, of_axis, align::center);
    }
  }
}

} // namespace rondo::report
