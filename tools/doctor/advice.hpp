#pragma once

#include <rondo/core/build_info.hpp>
#include <rondo/core/machine.hpp>
#include <string>
#include <vector>

// What a doctor says about findings; pure, so that each sentence can be tested.

namespace doctor {

enum class severity { good, hint, warning };

struct finding {
  severity weight;
  std::string text;   ///< what is
  std::string remedy; ///< what to do about it; empty when nothing
};

struct system_settings {
  std::string huge_pages;      ///< the chosen word of transparent_hugepage/enabled; empty: unknown
  std::string governor;        ///< of the first core's frequency; empty: unknown
  bool managed_by_mpi = false; ///< started by mpirun or a batch system, whose binding counts
};

/// "always [madvise] never" -> "madvise"
std::string chosen_word(const std::string& choices);

std::vector<finding> examine_build(const rondo::build_info& build);
std::vector<finding> examine_machine(const rondo::machine& m, const system_settings& system);

} // namespace doctor
