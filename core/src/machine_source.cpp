#include "machine_source.hpp"

#include <algorithm>
#include <cmath>
#include <hwloc.h>
#include <map>
#include <memory>
#include <thread>
#include <utility>

// The only file that knows hwloc.

namespace rondo::detail::inline core {
namespace {

using topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;
using bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

topology load(const machine_source& source) {
  hwloc_topology_t raw = nullptr;
  if(hwloc_topology_init(&raw) != 0)
    return {nullptr, &hwloc_topology_destroy};
  topology loaded(raw, &hwloc_topology_destroy);
  if(!source.synthetic.empty() && hwloc_topology_set_synthetic(raw, source.synthetic.c_str()) != 0)
    return {nullptr, &hwloc_topology_destroy};
  if(hwloc_topology_load(raw) != 0)
    return {nullptr, &hwloc_topology_destroy};
  return loaded;
}

/// The hardware threads this process may use.
bitmap allowed_set(hwloc_topology_t topo, const machine_source& source) {
  bitmap set(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topo)), &hwloc_bitmap_free);
  if(!source.allowed.empty()) {
    hwloc_bitmap_zero(set.get());
    for(const unsigned index : source.allowed)
      hwloc_bitmap_set(set.get(), index);
  }
  else if(hwloc_topology_is_thissystem(topo)) {
    // Of the process, not the thread: some library may have bound the calling thread already.
    const bitmap bound(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
    if(hwloc_get_cpubind(topo, bound.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
       hwloc_bitmap_intersects(set.get(), bound.get()))
      hwloc_bitmap_and(set.get(), set.get(), bound.get());
  }
  return set;
}

unsigned ancestor_index(
  hwloc_topology_t topo, hwloc_obj_t object, hwloc_obj_type_t type, unsigned otherwise) {
  const hwloc_obj_t ancestor = hwloc_get_ancestor_obj_by_type(topo, type, object);
  return ancestor ? ancestor->logical_index : otherwise;
}

/// Position of the first NUMA node near `object` in hwloc's logical order.
unsigned node_of(hwloc_topology_t topo, hwloc_obj_t object) {
  for(hwloc_obj_t node = nullptr;
      (node = hwloc_get_next_obj_by_type(topo, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
    if(hwloc_bitmap_intersects(node->cpuset, object->cpuset))
      return node->logical_index;
  return 0;
}

void add_cores(machine& m, hwloc_topology_t topo, hwloc_const_bitmap_t allowed) {
  // Some virtual machines show no cores, only threads.
  const auto type =
    hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  const bitmap ours(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
  for(hwloc_obj_t core = nullptr;
      (core = hwloc_get_next_obj_by_type(topo, type, core)) != nullptr;) {
    hwloc_bitmap_and(ours.get(), core->cpuset, allowed);
    if(hwloc_bitmap_iszero(ours.get()))
      continue;
    const unsigned package = ancestor_index(topo, core, HWLOC_OBJ_PACKAGE, 0);
    m.cores.push_back({
      .os_index = static_cast<unsigned>(hwloc_bitmap_first(ours.get())),
      .numa_node = node_of(topo, core),
      .package = package,
      // Unknown caches: each core has its own L2, and a package shares the L3.
      .l3_group = ancestor_index(topo, core, HWLOC_OBJ_L3CACHE, package),
      .l2_group = ancestor_index(topo, core, HWLOC_OBJ_L2CACHE, core->logical_index),
      .threads = static_cast<unsigned>(hwloc_bitmap_weight(ours.get())),
    });
  }
}

void add_numa_nodes(machine& m, hwloc_topology_t topo) {
  for(hwloc_obj_t node = nullptr;
      (node = hwloc_get_next_obj_by_type(topo, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
    m.numa_nodes.push_back({node->os_index, 0, node->attr->numanode.local_memory});
  if(m.numa_nodes.empty())
    m.numa_nodes.push_back({0, 0, 0});
  for(const auto& core : m.cores)
    ++m.numa_nodes[core.numa_node].cores;

  unsigned count = 1;
  hwloc_distances_s* latency = nullptr;
  if(hwloc_distances_get_by_type(
       topo, HWLOC_OBJ_NUMANODE, &count, &latency, HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
     count == 0)
    return;
  const auto n = m.numa_nodes.size();
  if(latency->nbobjs == n) {
    m.numa_latency.resize(n * n);
    for(unsigned i = 0; i < n; ++i)
      for(unsigned j = 0; j < n; ++j)
        m.numa_latency[latency->objs[i]->logical_index * n + latency->objs[j]->logical_index] =
          static_cast<unsigned>(latency->values[i * n + j]);
  }
  hwloc_distances_release(topo, latency);
}

void add_caches(machine& m, hwloc_topology_t topo, hwloc_const_bitmap_t allowed) {
  constexpr std::pair<unsigned, hwloc_obj_type_t> levels[] = {
    {1, HWLOC_OBJ_L1CACHE}, {2, HWLOC_OBJ_L2CACHE}, {3, HWLOC_OBJ_L3CACHE}};
  for(const auto& [level, type] : levels) {
    cache_info found{level, 0, 64, 0};
    for(hwloc_obj_t cache = nullptr;
        (cache = hwloc_get_next_obj_by_type(topo, type, cache)) != nullptr;) {
      if(!hwloc_bitmap_intersects(cache->cpuset, allowed))
        continue;
      const auto behind = std::count_if(m.cores.begin(), m.cores.end(),
        [&](const core_info& c) { return hwloc_bitmap_isset(cache->cpuset, c.os_index) != 0; });
      found.bytes = std::max<std::size_t>(found.bytes, cache->attr->cache.size);
      if(cache->attr->cache.linesize != 0)
        found.line = cache->attr->cache.linesize;
      found.shared_by = std::max(found.shared_by, static_cast<unsigned>(behind));
    }
    if(found.bytes != 0)
      m.caches.push_back(found);
  }
}

/// When hwloc tells nothing: that many cores side by side.
void add_plain_cores(machine& m) {
  const unsigned count = std::max(1U, std::thread::hardware_concurrency());
  for(unsigned i = 0; i < count; ++i)
    m.cores.push_back({i, 0, 0, 0, i, 1});
  m.numa_nodes = {{0, count, 0}};
  m.numa_latency.clear();
  m.threads_online = m.threads_allowed = count;
}

} // namespace

unsigned usable_cores(std::size_t cores, std::optional<double> quota) {
  double count = static_cast<double>(std::max<std::size_t>(cores, 1));
  if(quota)
    count = std::clamp(std::ceil(*quota), 1.0, count);
  return static_cast<unsigned>(count);
}

machine read_machine(const machine_source& source) {
  machine m;
  if(const topology topo = load(source)) {
    const bitmap allowed = allowed_set(topo.get(), source);
    add_cores(m, topo.get(), allowed.get());
    add_numa_nodes(m, topo.get());
    add_caches(m, topo.get(), allowed.get());
    m.threads_online = static_cast<unsigned>(
      std::max(1, hwloc_bitmap_weight(hwloc_topology_get_complete_cpuset(topo.get()))));
    m.threads_allowed = static_cast<unsigned>(std::max(1, hwloc_bitmap_weight(allowed.get())));
  }
  if(m.cores.empty())
    add_plain_cores(m);

  std::map<unsigned, unsigned> cores_of_package;
  for(const auto& core : m.cores)
    ++cores_of_package[core.package];
  m.packages = static_cast<unsigned>(cores_of_package.size());

  m.quota = source.quota.value_or(0);
  m.usable = usable_cores(m.cores.size(), source.quota);
  return m;
}

} // namespace rondo::detail::inline core
