#include "harness/machine.hpp"

#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/utsname.h>

#include <nlohmann/json.hpp>

namespace bench {

namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for(std::string line; std::getline(in, line);)
    if(line.starts_with("model name"))
      return line.substr(line.find(':') + 2);
  return "unknown";
}

int cores_allowed() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

} // namespace

nlohmann::json describe_machine() {
  utsname os{};
  uname(&os);
  double load[1] = {0};
  getloadavg(load, 1);
#if defined(__clang__)
  const std::string compiler = std::string("clang ") + __clang_version__;
#else
  const std::string compiler = std::string("g++ ") + __VERSION__;
#endif
#ifdef NDEBUG
  const std::string build = BENCH_BUILD_TYPE;
#else
  const std::string build = BENCH_BUILD_TYPE " with assertions";
#endif
  return {{"processor", processor()}, {"cores", cores_allowed()},
    {"system", std::string(os.sysname) + " " + os.release}, {"compiler", compiler},
    {"build", build}, {"load", load[0]}};
}

} // namespace bench
