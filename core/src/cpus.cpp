#include <rondo/core/cpus.hpp>

#include <algorithm>
#include <functional>
#include <string>

#include <sys/stat.h>

#include <rondo/core/machine.hpp>

#include "cgroup.hpp"
#include "usable.hpp"

namespace rondo::detail::inline core {

namespace {

void keep_each_once(std::vector<unsigned>& numbers) {
  std::ranges::sort(numbers);
  const auto twice = std::ranges::unique(numbers);
  numbers.erase(twice.begin(), twice.end());
}

/// Directories of groups mean what they say only within one view of them: containers have a view each.
std::uint64_t view_of_groups() {
  struct stat view {};
  return stat("/proc/self/ns/cgroup", &view) == 0 ? view.st_ino : 0;
}

} // namespace

std::vector<unsigned> cores_of(std::span<const unsigned> threads) {
  if(!is_another_machine())
    if(auto cores = find_cores(threads, &read_file))
      return *std::move(cores);
  return {
    threads.begin(), threads.end()}; // hwloc knows no more than the kernel, or has made them up
}

std::vector<unsigned> cores_here() {
  std::vector<unsigned> cores;
  if(!is_another_machine())
    if(auto found = find_cores(allowed_threads(), &read_file))
      cores = *std::move(found);
  if(cores.empty())
    for(const core_info& core : this_machine().cores)
      cores.push_back(core.os_index);
  keep_each_once(cores);
  return cores;
}

unsigned cores_of_machine() {
  if(!is_another_machine())
    if(const auto list = read_file("/sys/devices/system/cpu/online"))
      if(const auto n = count_cores(parse_cpu_list(*list), &read_file))
        return static_cast<unsigned>(*n);
  return std::max<unsigned>(1, static_cast<unsigned>(cores_here().size()));
}

std::optional<cpu_limit> limit_here() {
  const auto bound = find_cgroup_bound(&read_file);
  if(!bound)
    return std::nullopt;
  const std::uint64_t directory = std::hash<std::string>{}(bound->directory);
  return cpu_limit{bound->cpus, directory ^ (view_of_groups() * 0x9e37'79b9'7f4a'7c15U)};
}

} // namespace rondo::detail::inline core
