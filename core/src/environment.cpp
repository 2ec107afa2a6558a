#include "environment.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include <unistd.h>

#include <rondo/core/nearest.hpp>

namespace rondo::detail::inline core {

namespace {

constexpr std::string_view ours = "RONDO_";

constexpr std::array<std::string_view, 9> variables{"RONDO_WORKERS", "RONDO_BIND", "RONDO_SPIN_US",
  "RONDO_STACK_KIB", "RONDO_PROGRESS", "RONDO_TRANSPORT", "RONDO_DELAY", "RONDO_WATCH",
  "RONDO_PATIENCE"};
/// Those of scripts, tests and CMake: not for programs, but no mistakes either.
constexpr std::array<std::string_view, 6> others{
  "RONDO_JOBS", "RONDO_CMAKE_ARGS", "RONDO_SEED", "RONDO_SEEDS", "RONDO_NODES", "RONDO_ROOT"};

bool is_first_rank() {
  for(const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if(const char* const rank = std::getenv(name))
      return std::string_view(rank) == "0";
  return true;
}

} // namespace

std::vector<std::string> unknown_variables(const char* const* environment) {
  std::vector<std::string> lines;
  for(; *environment != nullptr; ++environment) {
    const std::string_view all = *environment;
    const std::string_view name = all.substr(0, all.find('='));
    if(!name.starts_with(ours) || std::ranges::count(variables, name) != 0 ||
       std::ranges::count(others, name) != 0)
      continue;
    // What they all have in common says nothing about which one was meant.
    std::array<std::string_view, variables.size()> rests;
    std::ranges::transform(
      variables, rests.begin(), [](std::string_view v) { return v.substr(ours.size()); });
    std::string line = "rondo: there is no variable ";
    line.append(name).append(", so it has no effect");
    if(const auto meant = nearest(name.substr(ours.size()), rests); !meant.empty())
      line.append("; did you mean ").append(ours).append(meant).append("?");
    line.append(" (docs/configuration.md)");
    lines.push_back(line);
  }
  return lines;
}

void warn_of_unknown_variables() {
  static std::once_flag once;
  std::call_once(once, [] {
    if(is_first_rank())
      for(const std::string& line : unknown_variables(environ))
        std::fprintf(stderr, "%s\n", line.c_str());
  });
}

} // namespace rondo::detail::inline core
