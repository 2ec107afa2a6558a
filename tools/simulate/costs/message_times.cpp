#include "measuring.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace rondo::simulate {

using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_message;

namespace {

using times_by_size = std::map<std::uint64_t, std::vector<double>>;

/// Most messages wait until somebody looks; what they need is seen in the fastest ones. Of many, not the very fastest.
double fastest(std::vector<double>& times) {
  std::ranges::sort(times);
  constexpr std::size_t parts = 20;
  return times[(times.size() - 1) / parts];
}

/// Weighted least squares, where neither number may be negative.
message_times fit(times_by_size& all) {
  message_times result;
  double n = 0;
  double sum_x = 0;
  double sum_y = 0;
  double sum_xx = 0;
  double sum_xy = 0;
  for(auto& [size, times] : all) {
    const auto weight = static_cast<double>(times.size());
    const auto x = static_cast<double>(size);
    const double y = fastest(times);
    result.count += times.size();
    n += weight;
    sum_x += weight * x;
    sum_y += weight * y;
    sum_xx += weight * x * x;
    sum_xy += weight * x * y;
  }
  if(all.empty())
    return result;
  if(all.size() > 1)
    result.per_byte = std::max(0.0, (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x));
  result.latency = (sum_y - result.per_byte * sum_x) / n;
  if(result.latency < 0) { // the best line through 0
    result.latency = 0;
    result.per_byte = sum_xy / sum_xx;
  }
  return result;
}

} // namespace

all_message_times message_times_of(const detail::timeline& t) {
  using key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
  std::map<key, std::int64_t> arrived; // by the ranks that send and receive, channel, count
  std::unordered_map<std::uint32_t, const timeline_rank*> ranks;
  for(const timeline_rank& r : t.ranks) {
    ranks[r.rank] = &r;
    for(const timeline_lane& l : r.lanes)
      for(const told_message& m : l.messages)
        if(m.what == message_info::what_type::arrived)
          arrived[{m.peer, r.rank, m.channel, m.count}] = m.at;
  }
  times_by_size within;
  times_by_size between;
  for(const timeline_rank& r : t.ranks)
    for(const timeline_lane& l : r.lanes)
      for(const told_message& m : l.messages) {
        if(m.what != message_info::what_type::posted)
          continue;
        const auto at = arrived.find({r.rank, m.peer, m.channel, m.count});
        if(at == arrived.end())
          continue; // nobody has seen it come
        const bool is_near = ranks.at(m.peer)->host == r.host;
        // Clocks of two hosts differ a bit.
        const std::int64_t took = std::max<std::int64_t>(0, at->second - m.at);
        (is_near ? within : between)[m.bytes].push_back(static_cast<double>(took));
      }
  return {.within_node = fit(within), .between_nodes = fit(between)};
}

} // namespace rondo::simulate
