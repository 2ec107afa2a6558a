#include "harness/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

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

others_watch::sample others_watch::now() {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
  std::ifstream in("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, io = 0, irq = 0, softirq = 0;
  in >> name >> user >> nice >> system >> idle >> io >> irq >> softirq;
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));

  double own = 0;
  for(const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage r{};
    getrusage(who, &r);
    own += static_cast<double>(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
  }
  return {wall.count(), (user + nice + system + irq + softirq) / ticks, own};
}

others_watch::others_watch() : begin_(now()) {}

double others_watch::cores() const {
  const sample end = now();
  const double used = end.machine - begin_.machine - (end.own - begin_.own);
  return end.wall > begin_.wall ? std::max(0.0, used / (end.wall - begin_.wall)) : 0.0;
}

} // namespace bench
