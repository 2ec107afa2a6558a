#include "advice.hpp"

namespace doctor {

std::string chosen_word(const std::string& choices) {
  const auto open = choices.find('[');
  const auto close = choices.find(']', open);
  if(open == std::string::npos || close == std::string::npos)
    return {};
  return choices.substr(open + 1, close - open - 1);
}

std::vector<finding> examine_build(const rondo::build_info& build) {
  std::vector<finding> found;
  if(!build.optimized)
    found.push_back({severity::warning,
      "THIS LIBRARY WAS BUILT WITHOUT OPTIMIZATION: no timing of it means anything.",
      "Build with -DCMAKE_BUILD_TYPE=Release (./rondo build)."});
  if(!build.sanitizer.empty())
    found.push_back({severity::warning,
      "THIS LIBRARY WAS BUILT WITH THE " + std::string(build.sanitizer) +
        " SANITIZER: it runs 2 to 20 times slower.",
      "Use the release build for anything but looking for faults."});
  if(build.optimized && build.sanitizer.empty() && build.assertions)
    found.push_back(
      {severity::hint, "assertions are compiled in.", "A Release build (-DNDEBUG) is faster."});
  if(found.empty())
    found.push_back({severity::good, "the library is an optimized build.", {}});
  return found;
}

std::vector<finding> examine_machine(const rondo::machine& m, const system_settings& system) {
  std::vector<finding> found;

  if(m.usable < m.cores.size())
    found.push_back({severity::warning,
      "a CPU quota grants " + std::to_string(m.usable) + " of the " +
        std::to_string(m.cores.size()) +
        " cores in the affinity mask; programs that count cores start too many "
        "threads here.",
      "Rondo uses " + std::to_string(m.usable) +
        " workers by itself. Raise the quota of the container to use more."});

  unsigned nodes_used = 0;
  for(const auto& node : m.numa_nodes)
    nodes_used += node.cores > 0 ? 1 : 0;
  if(nodes_used > 1 && system.managed_by_mpi)
    found.push_back({severity::warning,
      "this rank is not bound to a NUMA node: its cores are spread over " +
        std::to_string(nodes_used) + " of them.",
      "Start one rank per node of memory: mpirun --map-by numa --bind-to numa."});
  else if(nodes_used > 1)
    found.push_back({severity::hint,
      "the cores are spread over " + std::to_string(nodes_used) +
        " NUMA nodes; memory belongs to the node that first writes it.",
      "Let the tasks that use data initialize it, or run one process per node: "
      "numactl --cpunodebind=0 --membind=0 PROGRAM."});

  if(system.huge_pages == "never")
    found.push_back({severity::hint, "transparent huge pages are off.",
      "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"});
  else if(!system.huge_pages.empty())
    found.push_back({severity::good, "transparent huge pages: " + system.huge_pages + ".", {}});

  if(!system.governor.empty() && system.governor != "performance")
    found.push_back({severity::hint,
      "the frequency governor is \"" + system.governor + "\": timings depend on what ran before.",
      "For measurements: sudo cpupower frequency-set -g performance."});

  if(m.usable == 1)
    found.push_back({severity::hint, "one core: everything works, nothing gets faster.", {}});
  return found;
}

} // namespace doctor
