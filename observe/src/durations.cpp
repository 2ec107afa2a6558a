#include <rondo/observe/durations.hpp>

#include <algorithm>
#include <numeric>

namespace rondo::detail::inline observe {

durations durations::copy() {
  durations now;
  for(std::size_t i = 0; i != steps; ++i)
    now.counts[i] = std::atomic_ref(counts[i]).load(std::memory_order_relaxed);
  return now;
}

durations durations::scaled(double factor) const {
  durations in_other;
  for(std::size_t i = 0; i != steps; ++i)
    if(counts[i] != 0)
      in_other.counts[step_of(static_cast<std::uint64_t>(middle_of(i) * factor + 0.5))] +=
        counts[i];
  return in_other;
}

durations& durations::operator+=(const durations& other) {
  for(std::size_t i = 0; i != steps; ++i)
    counts[i] += other.counts[i];
  return *this;
}

std::uint64_t durations::count() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::uint64_t durations::count_up_to(double most) const {
  std::uint64_t sum = 0;
  for(std::size_t i = 0; i != steps && middle_of(i) <= most; ++i)
    sum += counts[i];
  return sum;
}

double durations::quantile(double part) const {
  const double wanted = part * static_cast<double>(count());
  double so_far = 0;
  double last = 0;
  for(std::size_t i = 0; i != steps; ++i)
    if(counts[i] != 0) {
      so_far += static_cast<double>(counts[i]);
      last = middle_of(i);
      if(so_far >= wanted)
        break;
    }
  return last;
}

double durations::sum_up_to(double most) const {
  double sum = 0;
  for(std::size_t i = 0; i != steps; ++i)
    sum += static_cast<double>(counts[i]) * std::min(middle_of(i), most);
  return sum;
}

} // namespace rondo::detail::inline observe
