// The digest as JSON.

#include <rondo/observe/whole_run.hpp>

#include <nlohmann/json.hpp>

namespace rondo::detail::inline observe {

namespace {

using nlohmann::json;

json of(const spread& s) {
  return {{"all", s.all}, {"median", s.median}, {"min", s.least}, {"max", s.most}};
}

/// Pairs of the middle of a step, in nanoseconds, and how many there are.
json of(const durations& d) {
  json steps = json::array();
  for(std::size_t i = 0; i != durations::steps; ++i)
    if(d.counts[i] != 0)
      steps.push_back({durations::middle_of(i), d.counts[i]});
  return steps;
}

json of(const std::vector<idle_gap>& gaps) {
  static constexpr const char* words[] = {"launch", "message", "tasks"};
  json all = json::array();
  for(const idle_gap& g : gaps)
    all.push_back({{"seconds", g.seconds}, {"rank", g.rank}, {"before", g.before},
      {"waited_for", words[static_cast<std::size_t>(g.waited)]}});
  return all;
}

/// The most frequent one first.
json of(const std::vector<missed>& misses) {
  json all = json::array();
  for(auto m = misses.rbegin(); m != misses.rend(); ++m)
    all.push_back({{"why", m->why}, {"count", m->count}, {"last_pass", m->pass}});
  return all;
}

json of(const measures& m) {
  return {{"rank", m.rank}, {"host", m.host}, {"workers", m.workers}, {"cores", m.cores},
    {"seconds", m.seconds}, {"working", m.working}, {"launching", m.launching},
    {"between", m.between}, {"messages", m.messages}, {"standstill", m.standstill}, {"cpu", m.cpu},
    {"kept_from_cores", m.kept}, {"launches", m.launches}, {"replayed", m.replayed},
    {"in_loops", m.in_loops}, {"steals", m.steals}, {"messages_sent", m.sent},
    {"bytes_sent", m.bytes}, {"memory", m.memory}, {"longest_gaps", of(m.longest_gaps)}};
}

} // namespace

std::string json_of(const whole_run& j) {
  json out = {{"format", "rondo digest 1"}, {"seconds", j.seconds}, {"workers", j.workers},
    {"ranks", json::array()}, {"tasks", j.tasks.count()},
    {"efficiency",
      {{"parallel", j.efficiency.parallel}, {"load_balance", j.efficiency.balance},
        {"communication", j.efficiency.communication}, {"parallelism", j.efficiency.parallelism},
        {"scheduling", j.efficiency.scheduling}}},
    {"time", {{"tasks", of(j.of_time.working)}, {"launching", of(j.of_time.launching)},
               {"between", of(j.of_time.between)}, {"messages", of(j.of_time.messages)},
               {"idle", of(j.of_time.idle)}}},
    {"busy_over_time", j.busy}, {"task_ns", of(j.tasks)}, {"gap_ns", of(j.gaps)},
    {"launches", j.launches}, {"replayed", j.replayed}, {"in_loops", j.in_loops},
    {"steals", j.steals}, {"messages_sent", j.sent}, {"bytes_sent", j.bytes}, {"memory", j.memory},
    {"memory_grown", j.grown}};
  out["longest_gaps"] = of(j.longest_gaps);
  if(!j.failure.empty()) {
    out["failure"] = j.failure;
    out["ranks_of_run"] = j.ranks_of_run;
  }
  for(const measures& m : j.ranks)
    out["ranks"].push_back(of(m));
  json& verdicts = out["verdicts"] = json::array(); // the one that is told comes first
  for(const verdict& v : judge(j))
    verdicts.push_back(
      {{"name", name_of(v.kind)}, {"lost", v.lost}, {"why", v.why}, {"next", v.advice}});
  json& names = out["names"] = json::array();
  for(const named_part& t : j.names)
    names.push_back({{"name", t.of.name}, {"count", t.of.count}, {"seconds", t.of.seconds},
      {"longest", t.of.longest}, {"part", t.part}, {"imbalance", t.imbalance}});
  json& waits = out["waits"] = json::array();
  for(const waits_at& w : j.waits)
    waits.push_back({{"where", w.where}, {"for", w.what}, {"count", w.count},
      {"seconds", w.seconds}, {"idle", w.idle}});
  json& traces = out["traces"] = json::array();
  for(const traced& t : j.traces)
    traces.push_back({{"name", t.name}, {"passes", t.passes}, {"replayed", t.replayed},
      {"diverged", t.diverged}, {"off", t.is_off}, {"why", t.why()}, {"misses", of(t.misses)}});
  json& phases = out["phases"] = json::array();
  for(const phase_times& p : j.phases)
    phases.push_back(
      {{"name", p.name}, {"count", p.count}, {"seconds", p.seconds}, {"working", p.working}});
  return out.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

} // namespace rondo::detail::inline observe
