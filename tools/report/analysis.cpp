#include "analysis.hpp"

#include <algorithm>
#include <set>

namespace rondo::report {

analysis::analysis(const detail::timeline& t)
    : run(t), spans(spans_of(t)), graph(graph_of(t, spans)), ready(readiness_of(graph)),
      path(critical_path(spans, graph, ready)), parts(parts_of(path, spans)),
      table(table_of(spans, graph, ready, path)), waits(waits_of(spans)),
      efficiencies(efficiencies_of(t, spans, graph)), gaps(longest_gaps(spans, 5)) {}

std::int64_t analysis::skew() const {
  std::int64_t most = 0;
  for(const detail::timeline_rank& r : run.ranks)
    most = std::max(most, r.skew);
  return most;
}

std::string hardware_of(const detail::timeline& t) {
  const auto counted = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::set<std::string> hosts;
  std::size_t workers = 0;
  for(const detail::timeline_rank& r : t.ranks) {
    hosts.insert(r.host);
    workers += r.workers;
  }
  std::string text = counted(t.ranks.size(), "rank");
  if(t.ranks_of_run > t.ranks.size())
    text += " of " + std::to_string(t.ranks_of_run);
  text += " on " + counted(hosts.size(), "node") + ", " + counted(workers, "worker");
  if(!t.ranks.empty()) {
    const detail::timeline_rank& first = t.ranks.front();
    text += "; " + first.host + ": " + counted(first.cores, "core");
    text += first.processor.empty() ? "" : ", " + first.processor;
  }
  return text;
}

} // namespace rondo::report
