#include <rondo/observe/measures.hpp>

#include <algorithm>

namespace rondo::detail::inline observe {

double work_slices::between(double from, double to) const {
  double sum = 0;
  for(std::size_t i = 0; i != worked.size(); ++i) {
    const double first = seconds_each * static_cast<double>(i);
    const double common = std::min(to, first + seconds_each) - std::max(from, first);
    sum += worked[i] * std::max(0.0, common) / seconds_each;
  }
  return sum;
}

work_slices& work_slices::operator+=(const work_slices& other) {
  if(other.worked.empty())
    return *this;
  if(worked.empty())
    return *this = other;
  const double each = std::max(seconds_each, other.seconds_each);
  const double all = std::max(seconds_each * static_cast<double>(worked.size()),
    other.seconds_each * static_cast<double>(other.worked.size()));
  work_slices sum{each, {}};
  for(double from = 0; from < all; from = each * static_cast<double>(sum.worked.size()))
    sum.worked.push_back(between(from, from + each) + other.between(from, from + each));
  return *this = std::move(sum);
}

} // namespace rondo::detail::inline observe
