#include "counts_before.hpp"

#include <cstring>

#include <rondo/distributed/scheduler.hpp>

namespace rondo::detail::inline distributed {

std::vector<reduction_step> steps_of_counts(unsigned rank, unsigned ranks) {
  std::vector<reduction_step> all;
  for(unsigned distance = 1; distance < ranks; distance *= 2) {
    // A step sends the sum as it was before.
    if(rank + distance < ranks)
      all.push_back({rank + distance, true, false});
    if(rank >= distance)
      all.push_back({rank - distance, false, true});
  }
  if(ranks != 1 && rank == ranks - 1)
    all.push_back({0, true, false});
  if(ranks != 1 && rank == 0)
    all.push_back({ranks - 1, false, true});
  return all;
}

counts_before::counts_before(scheduler& s)
    : collective(s), is_first_(s.rank() == 0), region_(s.launches(), *this, "rows in a file") {
  connect(sizeof(row_counts), steps_of_counts(s.rank(), s.ranks()));
}

void counts_before::begin(const row_counts& own, rondo::completion done) {
  before_ = {};
  so_far_ = own;
  begin_steps(done);
}

void counts_before::fill(std::byte* message) const {
  std::memcpy(message, so_far_.data(), sizeof so_far_);
}

void counts_before::join(const std::byte* message) {
  row_counts others;
  std::memcpy(others.data(), message, sizeof others);
  if(is_first_) { // nobody is before it, so these are of all
    so_far_ = others;
    return;
  }
  for(std::size_t i = 0; i != others.size(); ++i) {
    before_[i] += others[i];
    so_far_[i] += others[i];
  }
}

} // namespace rondo::detail::inline distributed
