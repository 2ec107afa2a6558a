#include "usable.hpp"

#include "machine_source.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <sched.h>

namespace rondo::detail::inline core {

namespace {

/// More hardware threads than any kernel has; it refuses only masks that are too small.
constexpr std::size_t most_threads = std::size_t{1} << 14U;
constexpr std::size_t bits = 8 * sizeof(unsigned long);
using affinity_mask = std::array<unsigned long, most_threads / bits>;

/// Adds what a thread of this process may run on; 0 is the calling one.
bool add_affinity(int thread, affinity_mask& all) {
  affinity_mask one{};
  if(sched_getaffinity(thread, sizeof one, reinterpret_cast<cpu_set_t*>(one.data())) != 0)
    return false;
  for(std::size_t i = 0; i != all.size(); ++i)
    all[i] |= one[i];
  return true;
}

/// The first number of a list such as "3,19" or "0-1".
std::optional<unsigned> first_of(std::string_view list) {
  unsigned first = 0;
  const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), first);
  if(error != std::errc{})
    return std::nullopt;
  return first;
}

} // namespace

std::vector<unsigned> allowed_threads() {
  affinity_mask mask{};
  bool any = false;
  if(const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), &closedir); tasks)
    while(const dirent* const entry = readdir(tasks.get())) // on a stream of our own
      if(const int thread = std::atoi(entry->d_name); thread > 0)
        any |= add_affinity(thread, mask);
  if(!any)
    add_affinity(0, mask);
  std::vector<unsigned> threads;
  for(std::size_t i = 0; i != mask.size(); ++i)
    for(unsigned long left = mask[i]; left != 0; left &= left - 1)
      threads.push_back(
        static_cast<unsigned>(i * bits) + static_cast<unsigned>(__builtin_ctzl(left)));
  return threads;
}

bool is_another_machine() {
  const auto is_set = [](const char* variable) { return std::getenv(variable) != nullptr; };
  return is_set("HWLOC_XMLFILE") || is_set("HWLOC_SYNTHETIC") || is_set("HWLOC_FSROOT") ||
         is_set("HWLOC_CPUID_PATH") || is_set("HWLOC_THISSYSTEM");
}

std::optional<std::vector<unsigned>> find_cores(
  std::span<const unsigned> threads, const file_reader& read) {
  const std::string cpus = "/sys/devices/system/cpu/";
  std::vector<unsigned> cores(threads.begin(), threads.end());
  if(const auto smt = read(cpus + "smt/active"); smt && smt->starts_with('0'))
    return cores;
  for(unsigned& core : cores) {
    const std::string topology = cpus + "cpu" + std::to_string(core) + "/topology/";
    auto siblings = read(topology + "core_cpus_list");
    if(!siblings)
      siblings = read(topology + "thread_siblings_list"); // its name before Linux 5.3
    const auto first = siblings ? first_of(*siblings) : std::nullopt;
    if(!first)
      return std::nullopt;
    core = *first;
  }
  return cores;
}

std::optional<std::size_t> count_cores(std::span<const unsigned> allowed, const file_reader& read) {
  if(allowed.empty())
    return std::nullopt;
  auto cores = find_cores(allowed, read);
  if(!cores)
    return std::nullopt;
  std::ranges::sort(*cores);
  return static_cast<std::size_t>(std::ranges::unique(*cores).begin() - cores->begin());
}

std::vector<unsigned> parse_cpu_list(std::string_view list) {
  std::vector<unsigned> cpus;
  const char* at = list.data();
  const char* const end = at + list.size();
  const auto number = [&](unsigned& n) {
    const auto [next, error] = std::from_chars(at, end, n);
    at = next;
    return error == std::errc{} && n < most_threads;
  };
  for(;;) {
    unsigned first = 0;
    if(!number(first))
      return {};
    unsigned last = first;
    if(at != end && *at == '-') {
      ++at;
      if(!number(last))
        return {};
    }
    for(unsigned i = first; i <= last; ++i)
      cpus.push_back(i);
    if(at == end || *at != ',')
      return cpus;
    ++at;
  }
}

namespace {

unsigned look() {
  if(!is_another_machine()) {
    const std::vector<unsigned> allowed = allowed_threads();
    if(const auto cores = count_cores(allowed, &read_file))
      return usable_cores(*cores, cgroup_quota(&read_file));
  }
  return this_machine().usable;
}

} // namespace

unsigned usable_here() {
  static const unsigned seen = look();
  return seen;
}

} // namespace rondo::detail::inline core
