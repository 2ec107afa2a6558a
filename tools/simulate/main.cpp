// rondo-simulate-ranks: the part of rondo-simulate that reads timelines and plans, and plays plans.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <rondo/observe/timeline/file.hpp>

#include "costs/costs.hpp"
#include "plan/loop_of_role.hpp"
#include "plan/plan_reader.hpp"
#include "play/network.hpp"
#include "play/simulation.hpp"

using namespace rondo::simulate;
using nlohmann::json;

namespace {

json read_json(const std::string& file) {
  std::ifstream in(file);
  if(!in)
    throw std::runtime_error(file + ": it can't be opened");
  try {
    return json::parse(in);
  }
  catch(const json::exception& e) {
    throw std::runtime_error(file + ": " + e.what());
  }
}

variant variant_of(const std::string& name) {
  for(const bool blocks : {false, true})
    for(const bool is_traced : {false, true})
      if(name ==
         std::string(blocks ? "blocking" : "future") + (is_traced ? "-traced" : "-untraced"))
        return {blocks, is_traced};
  throw std::runtime_error("--variant " + name +
                           ": expected future-traced, future-untraced, "
                           "blocking-traced or blocking-untraced");
}

/// As messages were between ranks of one host, or else between hosts; for both.
network network_as_measured(const costs& c) {
  const message_times& m = c.within_node.count != 0 ? c.within_node : c.between_nodes;
  network n;
  n.name = "as measured";
  n.source = "the messages of the measured runs";
  n.within_node = {m.latency, 0, m.per_byte};
  const message_times& far = c.between_nodes.count != 0 ? c.between_nodes : m;
  n.between_nodes = {far.latency, 0, far.per_byte};
  return n;
}

struct wanted {
  std::vector<std::string> costs;
  std::vector<std::string> variants{
    "future-traced", "future-untraced", "blocking-traced", "blocking-untraced"};
  std::vector<std::uint32_t> passes; ///< All, and those that are planned.
  std::string network;
  std::uint32_t seeds = 1;
  bool has_progress_thread = false;
  std::string plan;
};

void tell_costs(const std::string& file) {
  const auto t = rondo::detail::read_timeline(file);
  const json j{{"costs", costs_of(t)}, {"components", components_of(t)}};
  std::puts(j.dump(1).c_str());
}

void count(const std::string& file, const std::vector<std::uint32_t>& passes) {
  plan p = read_plan(file);
  if(!passes.empty())
    lengthen(p, passes[1], passes[0]);
  std::uint64_t launches = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  for(const rank& r : p.ranks) {
    const role& does = p.roles[r.role];
    for(std::uint32_t i = 0; i != does.launches.size(); ++i) {
      const std::uint64_t times = i >= does.loop_begin && i < does.loop_end ? does.repetitions : 1U;
      launches += does.launches[i].has_task ? times : 0;
      for(const action& a : does.actions_of(does.launches[i]))
        if(a.is_sent) {
          messages += times;
          bytes += times * a.bytes;
        }
    }
  }
  const json j{{"ranks", p.ranks.size()}, {"roles", p.roles.size()}, {"launches", launches},
    {"messages", messages}, {"bytes", bytes}};
  std::puts(j.dump().c_str());
}

struct played {
  std::string variant;
  std::uint32_t seed;
  outcome result;
  double wall = 0;
};

void play(played& one, const plan& p, const costs& c, const network& n, bool has_progress_thread) {
  const auto began = std::chrono::steady_clock::now();
  wishes w;
  w.how = variant_of(one.variant);
  w.has_progress_thread = has_progress_thread;
  w.seed = one.seed;
  one.result = simulate(p, c, n, w);
  if(one.result.stuck != 0)
    throw std::runtime_error(
      "the plan comes to a stop: " + std::to_string(one.result.stuck) +
      " ranks wait for messages that are never sent. Ranks have loops of different lengths in it; "
      "plan all passes (no {passes})");
  one.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// One by each core, until all are played. What throws ends the others as well.
template<class F>
void for_all(std::vector<played>& all, const F& f) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for(std::size_t i = next++; i < all.size(); i = next++)
      try {
        f(all[i]);
      }
      catch(...) {
        next = all.size();
        throw;
      }
  };
  std::vector<std::future<void>> others;
  for(unsigned n = 1; n < std::thread::hardware_concurrency(); ++n)
    others.push_back(std::async(std::launch::async, take));
  take();
  for(std::future<void>& o : others)
    o.get();
}

void predict(const wanted& w) {
  std::vector<costs> all;
  for(const std::string& file : w.costs) {
    const json j = read_json(file);
    all.push_back((j.contains("costs") ? j["costs"] : j).get<costs>());
  }
  // Mistakes in these come before what takes long.
  for(const std::string& v : w.variants)
    variant_of(v);
  std::optional<network> given;
  if(!w.network.empty())
    given = network_from(read_json(w.network));
  plan p = read_plan(w.plan);
  const costs c = together(all, static_cast<std::uint32_t>(p.ranks.size()));
  const network n = given ? *given : network_as_measured(c);
  if(!w.passes.empty())
    lengthen(p, w.passes[1], w.passes[0]);
  std::vector<played> runs;
  for(const std::string& v : w.variants)
    for(std::uint32_t seed = 1; seed <= w.seeds; ++seed)
      runs.push_back({v, seed, {}});
  for_all(runs, [&](played& one) { play(one, p, c, n, w.has_progress_thread); });
  json j{{"ranks", p.ranks.size()}, {"workers", p.workers}, {"roles", p.roles.size()},
    {"network", n}, {"predictions", json::array()}};
  for(const std::string& v : w.variants) {
    json of_variant{{"variant", v}, {"samples", json::array()}};
    std::uint64_t events = 0;
    double wall = 0;
    for(const played& one : runs)
      if(one.variant == v) {
        of_variant["samples"].push_back(one.result.what);
        events += one.result.events;
        wall += one.wall;
      }
    of_variant["events"] = events;
    of_variant["wall"] = wall;
    j["predictions"].push_back(std::move(of_variant));
  }
  std::puts(j.dump(1).c_str());
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("What rondo-simulate calls: reads timelines and plans, and plays plans.");
  app.require_subcommand(1);
  std::string run;
  auto* const costs_command =
    app.add_subcommand("costs", "what tasks, launches and messages took in a run, as JSON");
  costs_command->add_option("TIMELINE", run, "written with RONDO_OBSERVE=timeline=FILE")
    ->required();
  wanted w;
  std::string plan_file;
  auto* const count_command =
    app.add_subcommand("count", "launches and messages of a plan, as JSON");
  count_command->add_option("PLAN", plan_file, "written with RONDO_PLAN; - is stdin")->required();
  constexpr const char* passes = "passes of the program, and those that are planned";
  count_command->add_option("--repetitions-of", w.passes, passes)->expected(2);
  auto* const predict_command = app.add_subcommand("predict", "how long a plan takes, as JSON");
  predict_command->add_option("--costs", w.costs, "what `costs` has written, of several runs")
    ->required();
  predict_command->add_option("--variant", w.variants, "how the loop is written; several times");
  predict_command->add_option("--repetitions-of", w.passes, passes)->expected(2);
  predict_command->add_option(
    "--network", w.network, "a file; without it messages take as long as in the runs");
  predict_command->add_option("--seeds", w.seeds, "so many times, with other random numbers")
    ->check(CLI::Range(1, 1000));
  predict_command->add_flag(
    "--progress-thread", w.has_progress_thread, "ranks look for messages all the time");
  predict_command->add_option("PLAN", w.plan, "written with RONDO_PLAN; - is stdin")->required();
  for(CLI::Option* const o :
    {predict_command->get_option("--costs"), predict_command->get_option("--variant")})
    o->expected(1)->take_all();
  CLI11_PARSE(app, argc, argv);
  try {
    if(*costs_command)
      tell_costs(run);
    else if(*count_command)
      count(plan_file, w.passes);
    else
      predict(w);
    return 0;
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "rondo-simulate-ranks: %s\n", e.what());
  }
  return 1;
}
