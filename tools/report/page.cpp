#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "columns.hpp"
#include "loop_graph.hpp"
#include "page_template.hpp"

namespace rondo::report {

namespace {

using json = nlohmann::json;

json lanes_of(const analysis& a) {
  json all = json::array();
  for(const lane& l : a.spans.lanes)
    all.push_back(
      {{"rank", l.rank}, {"label", l.label}, {"kind", l.is_of_worker ? "worker" : "thread"},
        {"host", l.host}, {"first", l.first}, {"count", l.count}});
  return all;
}

json sites_of(const analysis& a) {
  json all = json::array();
  for(const site& s : a.spans.sites)
    all.push_back({{"name", s.name}, {"place", s.place}, {"kind", name_of(s.kind)}});
  return all;
}

/// A number of each span.
template<class T, class F>
json column_of(const analysis& a, columns& to, const F& number) {
  std::vector<T> numbers;
  numbers.reserve(a.spans.all.size());
  for(const span& s : a.spans.all)
    numbers.push_back(static_cast<T>(number(s)));
  return to.add(numbers);
}

json spans_of(const analysis& a, columns& to) {
  const auto delay = [&a](const span& s) {
    const auto i = static_cast<std::uint32_t>(&s - a.spans.all.data());
    const std::int64_t ns = delay_of(i, a.spans, a.graph, a.ready);
    return ns < 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(ns);
  };
  return {{"begin", column_of<double>(a, to, [](const span& s) { return s.begin; })},
    {"length", column_of<float>(a, to, [](const span& s) { return s.length(); })},
    {"site", column_of<std::uint32_t>(a, to, [](const span& s) { return s.site; })},
    {"detail", column_of<std::uint32_t>(a, to, [](const span& s) { return s.detail; })},
    {"number", column_of<double>(a, to, [](const span& s) { return s.number; })},
    {"step", column_of<std::uint32_t>(a, to, [](const span& s) { return s.step; })},
    {"pass", column_of<double>(a, to, [](const span& s) { return s.pass; })},
    {"delay", column_of<float>(a, to, delay)},
    {"depth", column_of<std::uint8_t>(a, to, [](const span& s) { return s.depth; })}};
}

json messages_of(const analysis& a, columns& to) {
  std::vector<std::uint32_t> from_lane;
  std::vector<std::uint32_t> to_lane;
  std::vector<std::uint32_t> from_span;
  std::vector<std::uint32_t> to_span;
  std::vector<double> posted;
  std::vector<double> arrived;
  std::vector<double> bytes;
  const auto first_of = [&a](std::uint32_t n) { return n == none ? none : a.graph.nodes[n].first; };
  // Where its task is not known: the first lane of its rank.
  const auto lane_of = [&a](std::uint32_t span, std::uint32_t place) {
    if(span != none)
      return a.spans.all[span].lane;
    const auto at = std::ranges::find(a.spans.lanes, a.run.ranks[place].rank, &lane::rank);
    return at == a.spans.lanes.end() ? none
                                     : static_cast<std::uint32_t>(at - a.spans.lanes.begin());
  };
  for(const arrow& m : a.graph.arrows) {
    from_span.push_back(first_of(m.from));
    to_span.push_back(first_of(m.to));
    from_lane.push_back(lane_of(from_span.back(), m.from_rank));
    to_lane.push_back(lane_of(to_span.back(), m.to_rank));
    posted.push_back(static_cast<double>(m.posted));
    arrived.push_back(static_cast<double>(m.arrived));
    bytes.push_back(static_cast<double>(m.bytes));
  }
  return {{"from_lane", to.add(from_lane)}, {"to_lane", to.add(to_lane)},
    {"posted", to.add(posted)}, {"arrived", to.add(arrived)}, {"bytes", to.add(bytes)},
    {"from_span", to.add(from_span)}, {"to_span", to.add(to_span)}};
}

json critical_of(const analysis& a, columns& to) {
  std::vector<std::uint32_t> on_path;
  for(const path_part& p : a.path)
    if(p.span != none)
      on_path.push_back(p.span);
  return {{"span", to.add(on_path)}};
}

json parts_of(const analysis& a) {
  json all = json::array();
  for(const part_row& p : a.parts)
    all.push_back(
      {{"what", p.what}, {"kind", name_of(p.kind)}, {"seconds", p.seconds}, {"share", p.share}});
  return all;
}

json table_of(const analysis& a) {
  const auto known = [](double seconds) {
    return seconds == not_known ? json(nullptr) : json(seconds);
  };
  json all = json::array();
  for(const table_row& r : a.table)
    all.push_back({{"site", r.site}, {"count", r.count}, {"total", r.total}, {"mean", r.mean},
      {"longest", r.longest}, {"share", r.share}, {"delay_mean", known(r.delay_mean)},
      {"delay_p99", known(r.delay_p99)}, {"critical_share", r.critical_share},
      {"imbalance", r.imbalance}});
  return all;
}

json waits_of(const analysis& a) {
  json all = json::array();
  for(const wait_row& w : a.waits)
    all.push_back(
      {{"place", w.place}, {"what", w.what}, {"count", w.count}, {"seconds", w.seconds}});
  return all;
}

json parallelism_of(const analysis& a, columns& to) {
  constexpr std::size_t steps = 2000;
  std::vector<float> tasks;
  for(const double x : report::parallelism_of(a.spans, steps))
    tasks.push_back(static_cast<float>(x));
  return {{"step_ns", static_cast<double>(a.spans.end) / static_cast<double>(steps)},
    {"tasks", to.add(tasks)}};
}

json graphs_of(const analysis& a) {
  json all = json::array();
  for(const drawn_graph& g : loop_graphs(a)) {
    json nodes = json::array();
    for(const drawn_node& n : g.nodes)
      nodes.push_back({{"name", n.name}, {"details", n.details}, {"rank", n.rank}, {"mean", n.mean},
        {"column", n.column}, {"row", n.row}});
    all.push_back(
      {{"title", g.title}, {"passes", g.passes}, {"nodes", std::move(nodes)}, {"edges", g.edges}});
  }
  return all;
}

json comparison_of(const analysis& a, const analysis* before) {
  if(before == nullptr)
    return nullptr;
  const comparison c = compared(*before, a);
  json rows = json::array();
  for(const changed_row& r : c.rows)
    rows.push_back({{"name", r.name}, {"count", r.count}, {"total", r.total}, {"mean", r.mean},
      {"share", r.share}});
  return {{"before", c.before}, {"seconds_before", c.seconds_before}, {"words", c.words},
    {"rows", std::move(rows)}};
}

void replace(std::string& in, std::string_view what, const std::string& by) {
  const std::size_t at = in.find(what);
  if(at != std::string::npos)
    in.replace(at, what.size(), by);
}

} // namespace

std::string page_of(const analysis& a, const analysis* before) {
  columns numbers;
  json run{{"title", a.run.program}, {"when", a.run.began}, {"hardware", hardware_of(a.run)},
    {"failure", a.run.failure}, {"seconds", a.seconds()}, {"skew_ns", a.skew()},
    {"dropped", a.spans.dropped}, {"digest", a.run.digest}, {"words", words_of(a)},
    {"lanes", lanes_of(a)}, {"sites", sites_of(a)}, {"shapes", a.spans.details},
    {"spans", spans_of(a, numbers)}, {"messages", messages_of(a, numbers)},
    {"critical", critical_of(a, numbers)}, {"critical_parts", parts_of(a)}, {"table", table_of(a)},
    {"waits", waits_of(a)}, {"parallelism", parallelism_of(a, numbers)}, {"graphs", graphs_of(a)},
    {"compared", comparison_of(a, before)}};
  std::string words = run.dump(-1, ' ', false, json::error_handler_t::replace);
  // Nothing in a name ends the script that it stands in.
  for(std::size_t at = words.find('<'); at != std::string::npos; at = words.find('<', at))
    words.replace(at, 1, "\\u003c");
  std::string page(page_template());
  replace(page, "{{COLUMNS}}", numbers.text());
  replace(page, "{{RUN}}", words);
  return page;
}

} // namespace rondo::report
