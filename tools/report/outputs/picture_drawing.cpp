// The words, lanes and legend of a picture; its measures are in picture.cpp.

#include "names.hpp"
#include "picture.hpp"
#include "picture_style.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <set>

namespace rondo::report {

namespace {

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
  return text.data();
}

} // namespace

std::string picture::words_of_run() const {
  std::set<std::string> hosts;
  std::set<std::uint32_t> workers;
  for(const auto& rank : t_.ranks) {
    hosts.insert(rank.host);
    workers.insert(rank.workers);
  }
  std::string words = counted(t_.ranks.size(), "rank");
  if(hosts.size() > 1)
    words += " on " + counted(hosts.size(), "host");
  else if(!hosts.empty() && !hosts.begin()->empty())
    words += " on " + *hosts.begin();
  if(!workers.empty()) {
    words += ", " + counted(*workers.rbegin(), "worker");
    if(workers.size() > 1)
      words += " at most";
    if(t_.ranks.size() > 1)
      words += " each";
  }
  words += ", " + duration_text(static_cast<double>(span_.length()));
  return t_.began.empty() ? words : words + ", " + t_.began;
}

std::vector<std::string> picture::warnings() const {
  std::vector<std::string> all;
  if(!t_.failure.empty())
    all.push_back("failed: " + t_.failure);
  if(t_.ranks.size() < t_.ranks_of_run)
    all.push_back("what " + std::to_string(t_.ranks_of_run - t_.ranks.size()) + " of " +
                  counted(t_.ranks_of_run, "rank") + " did is not known");
  std::uint64_t dropped = 0;
  for(const auto& rank : t_.ranks)
    for(const auto& lane : rank.lanes)
      dropped += lane.dropped;
  if(dropped != 0)
    all.push_back("there was no room for " + counted(dropped, "event") + ", the oldest ones");
  return all;
}

void picture::draw_title() {
  const double most = width_ - 2 * margin;
  double y = margin + 10;
  canvas_->text(margin, y, t_.program.empty() ? "a run" : t_.program, of_title, align::left, most);
  y += 22;
  canvas_->text(margin, y, words_of_run(), of_words, align::left, most);
  for(const std::string& words : warnings()) {
    y += 18;
    canvas_->text(margin, y, words, of_alarm, align::left, most);
  }
}

void picture::draw_lanes() {
  if(ranks_.empty())
    canvas_->text(left_, top_ + height_ / 2, "Nothing was recorded.", of_words);
  const double space = lane_height_ >= 8 ? 2 : lane_height_ >= 4 ? 1 : 0;
  std::vector<color> row; // the mean of those lanes that share it
  float in_row = 0;
  for(std::size_t r = 0; r != ranks_.size(); ++r) {
    const shown_rank& of = ranks_[r];
    for(std::size_t i = 0; i != of.lanes.size(); ++i) {
      std::vector<color> pixels = pixels_of(*of.lanes[i], colors_, span_, columns_, ground, times_);
      in_row = (of.first + i) % lanes_in_row_ == 0 ? 1 : in_row + 1;
      if(in_row == 1)
        row = std::move(pixels);
      else
        for(std::size_t x = 0; x != row.size(); ++x)
          row[x] = mixed(row[x], pixels[x], 1 / in_row);
      const auto y = static_cast<double>((of.first + i) / lanes_in_row_) * lane_height_;
      canvas_->row(
        left_, top_ + y + static_cast<double>(r) * space_of_rank_, lane_height_ - space, row);
    }
  }
  draw_labels();
  for(const shown_rank& r : ranks_)
    for(std::size_t i = 0; i != r.lanes.size() && lane_height_ >= labelled_lane; ++i)
      draw_phases(*r.lanes[i], r.top + (static_cast<double>(i) + 0.5) * lane_height_ - 1);
}

void picture::draw_phases(const detail::timeline_lane& lane, double middle) {
  constexpr double least_width = 30;
  for(const auto& p : lane.times) {
    const double from = x_of(static_cast<double>(p.begin));
    const double room = x_of(static_cast<double>(p.end)) - from;
    if(p.what == detail::told_time::what_type::phase && room > least_width)
      canvas_->text(from + 4, middle, site_of(lane, p.site).name, of_phases, align::left, room - 6);
  }
}

void picture::draw_labels() {
  constexpr double least_height = 13;
  double free_from = 0;
  for(const shown_rank& r : ranks_) {
    const bool has_lane_labels = lane_height_ >= labelled_lane;
    for(std::size_t i = 0; i != r.lanes.size() && has_lane_labels; ++i)
      canvas_->text(left_ - 8, r.top + (static_cast<double>(i) + 0.5) * lane_height_ - 1,
        label_of(*r.lanes[i]), of_lanes, align::right);
    const double middle =
      r.top + std::min(r.height, has_lane_labels ? lane_height_ : r.height) / 2 - 1;
    if(ranks_.size() == 1 || middle - least_height / 2 < free_from)
      continue;
    canvas_->text(margin, middle, label_of(*r.rank), of_ranks, align::left, left_ - margin - 8);
    free_from = middle + least_height / 2;
  }
}

void picture::draw_legend() {
  struct entry {
    std::optional<color> shown;
    std::string text;
  };
  double all = 0; // of all workers
  for(const shown_rank& r : ranks_)
    for(const auto* const lane : r.lanes)
      all += lane->is_of_worker ? static_cast<double>(span_.length()) : 0;
  const auto with_time = [&](const std::string& name, double time, bool is_of_workers) {
    return name + ": " + duration_text(time) +
           (is_of_workers && all > 0 ? ", " + percent(time / all) : "");
  };

  std::vector<std::pair<double, std::string>> names;
  for(const auto& [name, time] : times_.tasks)
    names.emplace_back(-time, name);
  std::sort(names.begin(), names.end());
  std::vector<entry> entries;
  for(std::size_t i = 0; i != std::min(names.size(), most_names); ++i)
    entries.push_back(
      {colors_.of(names[i].second), with_time(names[i].second, -names[i].first, true)});
  if(names.size() > most_names) {
    double rest = 0;
    for(std::size_t i = most_names; i != names.size(); ++i)
      rest -= names[i].first;
    entries.push_back(
      {{}, with_time(counted(names.size() - most_names, "other name"), rest, true)});
  }
  if(times_.slept > 0)
    entries.push_back({grey_of_sleep, with_time("asleep", times_.slept, true)});
  if(times_.waited > 0)
    entries.push_back({grey_of_waits, with_time("waiting, main threads", times_.waited, false)});
  if(!ranks_.empty())
    entries.push_back({ground, "none of these"});

  constexpr double swatch = 12;
  const double room = width_ - 2 * margin;
  double widest = 1;
  for(const entry& e : entries)
    widest = std::max(widest, canvas_->width_of(e.text, of_legend) + swatch + 30);
  widest = std::min(widest, room);
  const auto columns = static_cast<std::size_t>(room / widest);
  const std::size_t rows = (entries.size() + columns - 1) / columns;
  const double top = bottom() + height_of_axis + margin;
  for(std::size_t i = 0; i != entries.size(); ++i) {
    const double x = margin + static_cast<double>(i / rows) * widest;
    const double y = top + static_cast<double>(i % rows) * height_of_legend;
    if(entries[i].shown) {
      canvas_->fill(x, y, swatch, swatch, line_ink);
      canvas_->fill(x + 1, y + 1, swatch - 2, swatch - 2, *entries[i].shown);
    }
    canvas_->text(x + swatch + 6, y + swatch / 2, entries[i].text, of_legend, align::left,
      widest - swatch - 16);
  }
  end_ = static_cast<int>(top + height_of_legend * static_cast<double>(rows) + margin / 2);
}

} // namespace rondo::report
