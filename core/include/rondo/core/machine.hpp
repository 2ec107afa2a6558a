#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rondo {

/// A core this process may run on, and what it shares with others. Two cores share an L2 (L3)
/// cache when their `l2_group` (`l3_group`) are equal.
struct core_info {
  unsigned os_index;  ///< the first of the core's allowed hardware threads, as the kernel counts
  unsigned numa_node; ///< position in machine::numa_nodes
  unsigned package;
  unsigned l3_group;
  unsigned l2_group;
  unsigned threads; ///< hardware threads of this core that this process may use
};

struct numa_info {
  unsigned os_index;
  unsigned cores; ///< how many of machine::cores are near it
  std::uint64_t bytes;
};

struct cache_info {
  unsigned level;     ///< 1 (data), 2, 3
  std::size_t bytes;  ///< of one such cache
  std::size_t line;   ///< bytes of a cache line
  unsigned shared_by; ///< the most cores (of those this process may use) behind one such cache
};

/// The part of the machine that this process may use.
///
///     const rondo::machine& m = rondo::this_machine();
///     rondo::executor ex{m.usable};
///     std::cout << m.describe();
///
/// `cores` follows the affinity mask (taskset, mpirun's binding, cgroup cpusets); `usable` is
/// further bounded by a CPU quota, for a container with 64 cores in its mask and a quota of two
/// runs worse with 64 threads than with two.
struct machine {
  std::vector<core_info> cores;   ///< at least one; cores that share caches are next to each other
  std::vector<cache_info> caches; ///< innermost first
  std::vector<numa_info> numa_nodes; ///< at least one
  unsigned packages = 1;             ///< packages with at least one core of ours
  unsigned threads_online = 1;       ///< hardware threads of the whole machine
  unsigned threads_allowed = 1;      ///< those in this process' affinity mask
  double quota = 0;                  ///< CPUs granted by cgroups; 0: no limit
  unsigned usable = 1;               ///< cores worth a worker: min(cores, quota rounded up)

  /// How far core `a` is from core `b` (positions in `cores`): 0 the same, 1 same L2, 2 same L3,
  /// 3 same NUMA node, 4 and more: another node, the farther the more. Symmetric.
  unsigned distance(unsigned a, unsigned b) const;

  /// The cache of that level, or nullptr when the machine has none or doesn't tell.
  const cache_info* cache(unsigned level) const;

  /// Memory of all NUMA nodes in bytes.
  std::uint64_t memory() const;

  /// A few lines for people.
  std::string describe() const;

  /// Latency from node to node relative to local = 10, row by row; empty when unknown.
  std::vector<unsigned> numa_latency;
};

/// The machine as it was at the first call: looked at once, then constant. Safe from any thread.
const machine& this_machine();

/// The cores other than `core` (positions in `m.cores`), grouped by their distance from it, the
/// nearest first: the order in which a worker on it looks for work to steal.
std::vector<std::vector<unsigned>> near_first(const machine& m, unsigned core);

/// Binds the calling thread to `core`. Returns false if the system refuses, which is harmless: the
/// thread then runs wherever the scheduler puts it.
bool bind_this_thread(const core_info& core);

/// Lets the calling thread, which another one may have begun that is bound, run on any core of `m`. Returns false as above.
bool unbind_this_thread(const machine& m);

/// Has the calling thread go on on `core`, if it may run there, without binding it: the scheduler may move
/// it again, and threads that it starts run where they like.
void move_this_thread(const core_info& core);

} // namespace rondo
