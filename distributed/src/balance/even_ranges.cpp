#include "even_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rondo::detail::inline distributed {

namespace {

/// Whether ranges exist that take no longer than `limit`, and how far these reach.
class ranges_within {
public:
  ranges_within(const work_of_colors& work, double limit)
      : costs_(work.costs), workers_(work.workers), limit_(limit) {}

  /// The last end of a range of rank r that begins there.
  [[nodiscard]] std::size_t end_of(std::size_t begin, std::size_t rank) const {
    double sum = 0;
    while(begin != costs_.size() && fits(sum, begin, rank))
      sum += costs_[begin++];
    return begin;
  }
  /// The first begin of a range of rank r that ends there.
  [[nodiscard]] std::size_t begin_of(std::size_t end, std::size_t rank) const {
    double sum = 0;
    while(end != 0 && fits(sum, end - 1, rank))
      sum += costs_[--end];
    return end;
  }
  [[nodiscard]] bool hold_all() const {
    std::size_t end = 0;
    for(std::size_t r = 0; r != workers_.size(); ++r)
      end = end_of(end, r);
    return end == costs_.size();
  }

private:
  [[nodiscard]] bool fits(double sum, std::size_t color, std::size_t rank) const {
    return costs_[color] <= limit_ && (sum + costs_[color]) / workers_[rank] <= limit_;
  }

  const std::vector<double>& costs_;
  const std::vector<unsigned>& workers_;
  double limit_;
};

/// The least time that ranges can take, and a bit, so that sums in another order fit as well.
double best_time(const work_of_colors& work) {
  const double largest = *std::max_element(work.costs.begin(), work.costs.end());
  double low = std::max(largest, ideal_time(work));
  double high = std::accumulate(work.costs.begin(), work.costs.end(), 0.0) /
                *std::max_element(work.workers.begin(), work.workers.end());
  high = std::max(high, low);
  constexpr double a_bit = 1e-3;
  while(high - low > a_bit * low) {
    const double middle = (low + high) / 2;
    (ranges_within(work, middle).hold_all() ? high : low) = middle;
  }
  return high * (1 + 1e-9);
}

} // namespace

double ideal_time(const work_of_colors& work) {
  return std::accumulate(work.costs.begin(), work.costs.end(), 0.0) /
         std::accumulate(work.workers.begin(), work.workers.end(), 0U);
}

double time_of_slowest(const work_of_colors& work, std::span<const unsigned> rank_of) {
  std::vector<double> sums(work.workers.size());
  double slowest = 0;
  for(std::size_t c = 0; c != work.costs.size(); ++c) {
    sums[rank_of[c]] += work.costs[c];
    slowest = std::max(slowest, work.costs[c]);
  }
  for(std::size_t r = 0; r != sums.size(); ++r)
    slowest = std::max(slowest, sums[r] / work.workers[r]);
  return slowest;
}

std::vector<color_id> ranges_by_sums(const work_of_colors& work) {
  const double each = ideal_time(work);
  std::vector<color_id> begins{0};
  std::size_t color = 0;
  double before = 0; // of the costs
  double wanted = 0;
  for(const unsigned workers : work.workers) {
    wanted += each * workers;
    while(color != work.costs.size() && before + work.costs[color] / 2 < wanted)
      before += work.costs[color++];
    begins.push_back(color);
  }
  begins.back() = work.costs.size();
  return begins;
}

std::vector<color_id> even_ranges(const work_of_colors& work, std::span<const color_id> now) {
  const std::size_t ranks = work.workers.size();
  const std::size_t colors = work.costs.size();
  const ranges_within best(work, best_time(work));
  // Where a range may begin at the earliest, so that those behind it have room for all the rest.
  std::vector<std::size_t> earliest(ranks + 1);
  earliest[ranks] = colors;
  for(std::size_t r = ranks; r-- != 0;)
    earliest[r] = best.begin_of(earliest[r + 1], r);
  std::vector<color_id> begins{0};
  for(std::size_t r = 0; r + 1 != ranks; ++r) {
    const auto begin = static_cast<std::size_t>(begins.back());
    const std::size_t left = ranks - r - 1; // ranks behind this one
    const bool one_each = colors - begin > left;
    std::size_t last = best.end_of(begin, r);
    if(colors - last < left)
      last = std::max(colors > left ? colors - left : begin, begin);
    const std::size_t first = std::min(std::max(earliest[r + 1], begin + (one_each ? 1 : 0)), last);
    begins.push_back(std::clamp<color_id>(now[r + 1], first, last));
  }
  begins.push_back(colors);
  return begins;
}

} // namespace rondo::detail::inline distributed
