#include "environment.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <rondo/core/attendant.hpp>
#include <rondo/core/first_rank.hpp>
#include <rondo/core/nearest.hpp>
#include <rondo/core/worker_table.hpp>

namespace rondo::detail::inline core {

namespace {

constexpr std::string_view ours = "RONDO_";

constexpr std::array<setting, 13> variables{{
  {.variable = "RONDO_WORKERS",
    .what = "workers of each rank; otherwise one for each core that it may use",
    .least = 1,
    .most = worker_table::most},
  {.variable = "RONDO_BIND", .what = "1: each worker is tied to one core", .least = 0, .most = 1},
  {.variable = "RONDO_SPIN_US",
    .what = "microseconds that an idle worker looks for work before it sleeps",
    .least = 0,
    .most = 1'000'000},
  {.variable = "RONDO_STACK_KIB",
    .what = "KiB of a task's stack; otherwise 1024",
    .least = 16,
    .most = 1L << 20},
  {.variable = "RONDO_PROGRESS",
    .what = "threads that look after messages",
    .words = "workers thread"},
  {.variable = "RONDO_TRANSPORT",
    .what = "how messages travel between ranks",
    .words = "shm mpi ucx solo"},
  {.variable = "RONDO_DELAY", .what = "holds messages back: latency=5us,jitter=2us"},
  {.variable = "RONDO_PATIENCE",
    .what = "seconds after which tasks are told of that keep all others waiting; otherwise 30",
    .least = 0,
    .most = 1'000'000,
    .is_whole = false},
  {.variable = "RONDO_OBSERVE",
    .what = "digest, digest=FILE.json or timeline=FILE: how the run went, at its end"},
  {.variable = "RONDO_TIMELINE_MEMORY",
    .what = "MiB for the events of a rank's timeline; otherwise 128",
    .least = 1,
    .most = 1L << 20},
  {.variable = "RONDO_PLAN",
    .what = "ranks=N,to=FILE: writes what N ranks would do, without running tasks"},
  {.variable = "RONDO_PROGRESS_LINE",
    .what = "1: how far the program is, on one line of a terminal; 0: no lines that say so",
    .least = 0,
    .most = 1},
  {.variable = "RONDO_WATCH",
    .what = "0: ranks don't look after each other",
    .least = 0,
    .most = 1},
}};
/// Variables of scripts, tests and CMake: not for programs, but no mistakes either.
constexpr std::array<std::string_view, 7> others{"RONDO_JOBS", "RONDO_CMAKE_ARGS", "RONDO_SEED",
  "RONDO_SEEDS", "RONDO_NODES", "RONDO_ROOT", "RONDO_OVERLOOK"};

} // namespace

std::span<const setting> settings() { return variables; }

std::pair<long, long> limits_of(std::string_view variable) {
  const auto* const s = std::ranges::find(variables, variable, &setting::variable);
  return {s->least, s->most};
}

bool is_first_rank() {
  for(const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if(const char* const rank = std::getenv(name))
      return std::string_view(rank) == "0";
  return true;
}

std::vector<std::string> unknown_variables(const char* const* environment) {
  std::vector<std::string> lines;
  for(; *environment != nullptr; ++environment) {
    const std::string_view all = *environment;
    const std::string_view name = all.substr(0, all.find('='));
    if(!name.starts_with(ours) || std::ranges::count(variables, name, &setting::variable) != 0 ||
       std::ranges::count(others, name) != 0)
      continue;
    if(name == "RONDO_CHECKS" || name == "RONDO_CHECK") {
      lines.push_back(
        "rondo: " + std::string(name) +
        " has no effect: checks are compiled in, by cmake -DRONDO_CHECKS=ON for Rondo and "
        "the program alike (docs/mistakes.md)");
      continue;
    }
    // What they all have in common says nothing about which one was meant.
    std::array<std::string_view, variables.size()> rests;
    std::ranges::transform(
      variables, rests.begin(), [](const setting& v) { return v.variable.substr(ours.size()); });
    std::string line = "rondo: there is no variable ";
    line.append(name).append(", so it has no effect");
    if(const auto meant = nearest(name.substr(ours.size()), rests); !meant.empty())
      line.append("; did you mean ").append(ours).append(meant).append("?");
    line.append(" (docs/configuration.md)");
    lines.push_back(line);
  }
  return lines;
}

std::string unheard_wish(const char* observe, bool is_anyone_there) {
  if(observe == nullptr || *observe == '\0' || is_anyone_there)
    return {};
  return "rondo: RONDO_OBSERVE has no effect, since nothing of rondo::observe is linked; link it "
         "as well, without "
         "CMake with -Wl,--undefined=rondo_observes_executors before it (docs/observing.md)";
}

void warn_of_variables_without_effect() {
  static std::once_flag once;
  std::call_once(once, [] {
    if(!is_first_rank())
      return;
    for(const std::string& line : unknown_variables(environ))
      std::fprintf(stderr, "%s\n", line.c_str());
    const bool is_anyone_there = make_attendant.load(std::memory_order_relaxed) != nullptr;
    if(const std::string line = unheard_wish(std::getenv("RONDO_OBSERVE"), is_anyone_there);
       !line.empty())
      std::fprintf(stderr, "%s\n", line.c_str());
  });
}

} // namespace rondo::detail::inline core
