// The program of every bench: runs children round robin over the systems, then reports.

#include "harness/child.hpp"
#include "harness/machine.hpp"
#include "harness/report.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace {

using namespace bench;

struct options {
  int reps = 7;
  unsigned limit = 120;
  bool quick = false;
  bool list = false;
  std::string filter;
  std::string json;
  std::vector<unsigned> workers;
  std::vector<std::string> one;
};

struct plan_item {
  const entry* e;
  unsigned workers;
};

bool wanted(const entry& e, unsigned workers, const options& o) {
  const bool count = o.workers.empty() || e.who == role::serial ||
                     std::find(o.workers.begin(), o.workers.end(), workers) != o.workers.end();
  return count && (e.test + "/" + e.system).find(o.filter) != std::string::npos;
}

// Systems of one case are neighbours, so that they are measured in turns: a slow minute of the
// machine hits all of them.
std::vector<std::vector<plan_item>> plan(const options& o) {
  std::vector<std::vector<plan_item>> rounds;
  for(const auto& e : entries())
    for(const unsigned w : e.workers)
      if(wanted(e, w, o)) {
        const auto same = [&](const auto& r) { return r[0].e->test == e.test; };
        const auto at = std::find_if(rounds.begin(), rounds.end(), same);
        if(at == rounds.end())
          rounds.push_back({{&e, w}});
        else
          at->push_back({&e, w});
      }
  std::sort(rounds.begin(), rounds.end(),
    [](const auto& a, const auto& b) { return a[0].e->test < b[0].e->test; });
  return rounds;
}

void record(std::vector<row>& rows, const plan_item& p, const child_result& r) {
  const auto find = [&](const std::string& metric) {
    return std::find_if(rows.begin(), rows.end(), [&](const row& x) {
      return x.test == p.e->test && x.system == p.e->system && x.workers == p.workers &&
             x.metric == metric;
    });
  };
  if(!r.error.empty()) { // one wrong result spoils every figure of that system
    bool known = false;
    for(auto& x : rows)
      if(x.test == p.e->test && x.system == p.e->system && x.workers == p.workers) {
        x.error = r.error;
        known = true;
      }
    if(!known)
      rows.push_back({p.e->test, p.e->system, p.e->who, p.workers, "result", "-", {}, r.error});
    return;
  }
  for(const auto& m : r.values) {
    auto at = find(m.metric);
    if(at == rows.end())
      at = rows.insert(
        rows.end(), {p.e->test, p.e->system, p.e->who, p.workers, m.metric, m.unit, {}, {}});
    at->samples.push_back(m.value);
  }
}

std::vector<row> run_all(const options& o) {
  std::vector<row> rows;
  const bool show = isatty(STDERR_FILENO);
  for(auto& round : plan(o))
    for(int rep = 0; rep < o.reps; ++rep) {
      for(const auto& p : round) {
        if(show)
          fmt::print(stderr, "\r\033[K{} {}/{}: {} with {} worker(s)", p.e->test, rep + 1, o.reps,
            p.e->system, p.workers);
        record(rows, p, run_child(*p.e, {p.workers, o.quick}, o.limit));
      }
      std::rotate(round.begin(), round.begin() + 1,
        round.end()); // nobody always runs after the same neighbour
    }
  if(show)
    fmt::print(stderr, "\r\033[K");
  return rows;
}

int report(const options& o, const std::vector<row>& rows, const nlohmann::json& machine) {
  fmt::print("bench {} on {} ({} cores), {}, {}, load {:.2f}\n", bench_name,
    machine["processor"].get<std::string>(), machine["cores"].get<int>(),
    machine["compiler"].get<std::string>(), machine["build"].get<std::string>(),
    machine["load"].get<double>());
#if !defined(NDEBUG) || !defined(__OPTIMIZE__)
  fmt::print("NOTE: this is not an optimized build; its figures mean nothing.\n");
#endif
  if(const double busy = machine["cores_used_by_others"]; busy > 0.05)
    fmt::print(
      "NOTE: other programs kept {:.2f} cores busy meanwhile; rows with more than one worker "
      "suffer most.\n",
      busy);
  print_table(rows);
  if(!o.json.empty()) {
    std::ofstream out(o.json);
    out << to_json(bench_name, machine, rows).dump(2) << '\n';
    if(!out) {
      fmt::print(stderr, "cannot write {}\n", o.json);
      return 1;
    }
  }
  const auto failed =
    std::count_if(rows.begin(), rows.end(), [](const row& r) { return !r.error.empty(); });
  if(failed != 0)
    fmt::print("\n{} row(s) FAILED\n", failed);
  return failed == 0 && !rows.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app(fmt::format(
    "Rondo's benchmark '{}': systems in turns, each measurement in a process of its own",
    bench_name));
  auto* reps =
    app.add_option("--reps", o.reps, "repetitions per system (default 7, with --quick 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--filter", o.filter, "only where case/system contains this");
  app.add_option("--workers", o.workers, "only these numbers of workers, e.g. 1,2")->delimiter(',');
  app.add_option("--json", o.json, "write the rows to this file");
  app.add_option("--limit", o.limit, "seconds after which a measurement counts as hung");
  app.add_flag("--quick", o.quick, "small problems: a check that everything works");
  app.add_flag("--list", o.list, "print the cases and systems");
  app
    .add_option(
      "--one", o.one, "CASE SYSTEM WORKERS: measure once in this process and print the figures")
    ->expected(3);
  CLI11_PARSE(app, argc, argv);

  if(!o.one.empty())
    return be_child(
      o.one[0], o.one[1], {static_cast<unsigned>(std::stoul(o.one[2])), o.quick}, o.limit);
  if(o.list) {
    for(const auto& e : entries())
      fmt::print("{}/{}\n", e.test, e.system);
    return 0;
  }
  if(o.quick && reps->count() == 0)
    o.reps = 1;
  auto machine = describe_machine(); // before the run: the load it shows is that of others
  const others_watch others;
  const auto rows = run_all(o);
  machine["cores_used_by_others"] = others.cores();
  return report(o, rows, machine);
}
