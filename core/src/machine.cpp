#include "rondo/core/machine.hpp"

#include "cgroup.hpp"
#include "machine_source.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <sched.h>
#include <span>
#include <sstream>

namespace rondo {
namespace {

std::string in_units(std::uint64_t bytes) {
  std::ostringstream out;
  if(bytes >= (std::uint64_t{10} << 30))
    out << (bytes >> 30) << " GiB";
  else if(bytes >= (std::uint64_t{10} << 20))
    out << (bytes >> 20) << " MiB";
  else
    out << (bytes >> 10) << " KiB";
  return out.str();
}

} // namespace

unsigned machine::distance(unsigned a, unsigned b) const {
  const core_info& x = cores[a];
  const core_info& y = cores[b];
  if(a == b)
    return 0;
  if(x.l2_group == y.l2_group)
    return 1;
  if(x.l3_group == y.l3_group)
    return 2;
  if(x.numa_node == y.numa_node)
    return 3;
  const auto n = numa_nodes.size();
  if(numa_latency.size() == n * n) {
    // Tables need not be symmetric; stealing goes both ways, so take the longer one.
    const unsigned there = numa_latency[x.numa_node * n + y.numa_node];
    const unsigned back = numa_latency[y.numa_node * n + x.numa_node];
    return 4 + std::max({there, back, 10U}) - 10;
  }
  return x.package == y.package ? 4 : 5;
}

std::vector<std::vector<unsigned>> near_first(const machine& m, unsigned core) {
  std::map<unsigned, std::vector<unsigned>> groups;
  for(unsigned other = 0; other != m.cores.size(); ++other)
    if(other != core)
      groups[m.distance(core, other)].push_back(other);
  std::vector<std::vector<unsigned>> ordered;
  for(auto& [distance, cores] : groups)
    ordered.push_back(std::move(cores));
  return ordered;
}

const cache_info* machine::cache(unsigned level) const {
  const auto found = std::find_if(
    caches.begin(), caches.end(), [level](const cache_info& c) { return c.level == level; });
  return found == caches.end() ? nullptr : &*found;
}

std::uint64_t machine::memory() const {
  return std::accumulate(numa_nodes.begin(), numa_nodes.end(), std::uint64_t{0},
    [](std::uint64_t sum, const numa_info& node) { return sum + node.bytes; });
}

std::string machine::describe() const {
  const auto counted = [](std::size_t n, const char* noun) {
    return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
  };
  std::ostringstream out;
  out << "cores    " << counted(cores.size(), "core") << " (" << threads_allowed << " of "
      << counted(threads_online, "hardware thread") << ") in " << counted(packages, "package")
      << '\n';
  out << "quota    ";
  if(quota > 0)
    out << quota << " CPUs";
  else
    out << "none";
  out << "\nusable   " << counted(usable, "worker") << '\n';
  for(const cache_info& c : caches)
    out << "L" << c.level << "       " << in_units(c.bytes) << ", lines of " << c.line << " bytes, "
        << (c.shared_by > 1 ? "shared by " + counted(c.shared_by, "core") : "one per core") << '\n';
  out << "memory   " << in_units(memory()) << " in " << counted(numa_nodes.size(), "NUMA node");
  for(std::size_t i = 0; numa_nodes.size() > 1 && i < numa_nodes.size(); ++i)
    out << "\n         node " << numa_nodes[i].os_index << ": " << in_units(numa_nodes[i].bytes)
        << ", " << counted(numa_nodes[i].cores, "core");
  out << '\n';
  return out.str();
}

const machine& this_machine() {
  static const machine seen =
    detail::read_machine({.quota = detail::cgroup_quota(&detail::read_file)});
  return seen;
}

namespace {
/// To these cores.
bool bind_to(std::span<const core_info> cores) {
  unsigned last = 0;
  for(const core_info& c : cores)
    last = std::max(last, c.os_index);
  // Allocated to size: a fixed cpu_set_t ends at 1024 hardware threads.
  const std::size_t count = last + std::size_t{1};
  const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
    CPU_ALLOC(count), [](cpu_set_t* s) { CPU_FREE(s); });
  const std::size_t bytes = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(bytes, set.get());
  for(const core_info& c : cores)
    CPU_SET_S(c.os_index, bytes, set.get());
  return sched_setaffinity(0, bytes, set.get()) == 0;
}
} // namespace

bool bind_this_thread(const core_info& core) { return bind_to({&core, 1}); }
bool unbind_this_thread(const machine& m) { return bind_to(m.cores); }

void move_this_thread(const core_info& core) {
  if(sched_getcpu() == static_cast<int>(core.os_index))
    return;
  // More than any kernel has; it refuses only masks that are too small. No allocation: who moves has just
  // taken a seat, and is not to fail.
  constexpr std::size_t most_threads = std::size_t{1} << 16U;
  std::array<unsigned long, most_threads / (8 * sizeof(unsigned long))> allowed{};
  constexpr std::size_t bytes = sizeof allowed;
  auto* const mask = reinterpret_cast<cpu_set_t*>(allowed.data());
  if(sched_getaffinity(0, bytes, mask) == 0 && CPU_ISSET_S(core.os_index, bytes, mask) &&
     bind_this_thread(core))
    sched_setaffinity(0, bytes, mask);
}

} // namespace rondo
