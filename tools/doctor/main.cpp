// rondo-doctor: what Rondo sees of this machine, and what would make it faster here.
//
// Exit status: 0, also when there is advice; advice is not an error.

#include "advice.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <rondo/options.hpp>

namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

doctor::system_settings look_around() {
  doctor::system_settings s;
  s.huge_pages = doctor::chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  s.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  s.managed_by_mpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ||
                     std::getenv("PMI_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
  return s;
}

void print(const std::vector<doctor::finding>& findings) {
  for(const auto& f : findings) {
    const char* mark = f.weight == doctor::severity::good   ? "  ok  "
                       : f.weight == doctor::severity::hint ? "  hint  "
                                                            : "  WARNING  ";
    std::cout << mark << f.text << '\n';
    if(!f.remedy.empty())
      std::cout << "        -> " << f.remedy << '\n';
  }
}

} // namespace

int main(int argc, char** argv) {
  rondo::options o("What Rondo sees of this machine, and what would make it faster here.");
  o.parse(argc, argv);
  const auto build = rondo::library_build();
  const auto& machine = rondo::this_machine();

  std::cout << "Machine\n" << machine.describe();
  std::cout << "\nBuild\n"
            << "rondo    " << build.version << "\ncompiler " << build.compiler << "\ntype     "
            << (build.build_type.empty() ? "unknown" : build.build_type)
            << (build.optimized ? "" : ", not optimized")
            << (build.assertions ? ", assertions" : "")
            << (build.sanitizer.empty() ? "" : ", sanitized") << "\n\nFindings\n";

  print(doctor::examine_build(build));
  print(doctor::examine_machine(machine, look_around()));

  std::cout << "\nRecommended here: " << machine.usable
            << (machine.usable == 1 ? " worker" : " workers")
            << ", which is what executor{} takes.\n";
}
