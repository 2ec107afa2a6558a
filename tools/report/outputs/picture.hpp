#pragma once

/// \file
/// The picture of a run, drawn from top to bottom: title, axis, lanes, axis, legend.

#include "canvas.hpp"
#include "colors.hpp"
#include "pixels.hpp"
#include "times.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

class picture {
public:
  picture(const detail::timeline& t, int width);

  void save(const std::string& file) const { canvas_->save(file, end_); }

private:
  struct shown_rank {
    const detail::timeline_rank* rank;
    std::vector<const detail::timeline_lane*> lanes;
    std::size_t first = 0; ///< The number of its first lane.
    double top = 0;
    double height = 0;
  };

  void choose_lanes();
  void measure();
  void draw_title();
  void draw_lanes();
  void draw_labels();
  void draw_phases(const detail::timeline_lane& lane, double middle);
  void draw_axis();
  void draw_legend();

  [[nodiscard]] std::string words_of_run() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] double x_of(double moment) const;
  [[nodiscard]] double right() const { return left_ + static_cast<double>(columns_); }
  [[nodiscard]] double bottom() const { return top_ + height_; }

  const detail::timeline& t_;
  const double width_;
  const time_span span_;
  const color_table colors_;
  time_of_names times_;
  std::vector<shown_rank> ranks_;

  double left_ = 0; ///< Of the lanes.
  double top_ = 0;
  double height_ = 0; ///< Of all of them.
  std::size_t columns_ = 1;
  double lane_height_ = 0;   ///< 1 if several share a row of pixels.
  double space_of_rank_ = 0; ///< Between ranks.
  std::size_t lanes_in_row_ = 1;
  int end_ = 1; ///< The height that is used.
  std::unique_ptr<canvas> canvas_;
};

} // namespace rondo::report
