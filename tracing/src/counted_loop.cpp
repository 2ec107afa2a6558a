// The number of a pass of `repeat`: see pass_number.hpp.

#include <rondo/tracing/flow.hpp>

#include <stdexcept>
#include <string>

#include <rondo/core/place.hpp>

namespace rondo {

void detail::refuse_passes(std::uint64_t n, const std::source_location& where) {
  throw std::invalid_argument(detail::place(where) + ": repeat: " + std::to_string(n) +
                              " passes, which is what " +
                              std::to_string(static_cast<std::int64_t>(n)) +
                              " becomes where a number without a sign is taken; say 0 for no pass");
}

flow::counted_loop::counted_loop(flow& of, const std::source_location& where)
    : f_(of), where_(where) {
  if(f_.counting_ == f_.pass_counters_.size())
    f_.pass_counters_.push_back(std::make_unique<detail::pass_counter>(f_));
  of_ = &f_.pass_counters_[f_.counting_]->of;
  f_.submit(named(
              "repeat: no pass yet", [](std::uint64_t& n) { n = ~std::uint64_t{0}; }, where_),
    write(*of_, where_));
  ++f_.counting_;
}

pass_number flow::counted_loop::next() const {
  f_.submit(named(
              "repeat: the next pass", [](std::uint64_t& n) { ++n; }, where_),
    write(*of_, where_));
  return read(*of_, where_);
}

} // namespace rondo
