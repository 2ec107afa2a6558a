#include "process.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace rondo::detail::inline observe {

namespace {
double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}
/// Linux tells it of each thread, as the second number of a line.
double seconds_without_core() {
  double sum = 0;
  std::error_code failed;
  for(const auto& thread : std::filesystem::directory_iterator("/proc/self/task", failed)) {
    std::FILE* const f = std::fopen((thread.path() / "schedstat").c_str(), "re");
    if(f == nullptr)
      continue;
    unsigned long long ran = 0;
    unsigned long long waited = 0;
    if(std::fscanf(f, "%llu %llu", &ran, &waited) == 2)
      sum += 1e-9 * static_cast<double>(waited);
    std::fclose(f);
  }
  return sum;
}

} // namespace

process_usage usage_of_process() {
  rusage u{};
  if(getrusage(RUSAGE_SELF, &u) != 0)
    return {};
  return {.cpu = seconds(u.ru_utime) + seconds(u.ru_stime),
    .kept = seconds_without_core(),
    .most_memory = static_cast<std::uint64_t>(u.ru_maxrss) * 1024};
}

std::uint64_t memory_of_process() {
  std::FILE* const f = std::fopen("/proc/self/statm", "re");
  if(f == nullptr)
    return 0;
  unsigned long long all = 0;
  unsigned long long resident = 0;
  const bool is_read = std::fscanf(f, "%llu %llu", &all, &resident) == 2;
  std::fclose(f);
  return is_read ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::string host_name() {
  char name[256] = "";
  if(gethostname(name, sizeof name - 1) != 0)
    return "?";
  return name;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for(std::string line; std::getline(file, line);)
    if(line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(": ") + 2));
  return {};
}

} // namespace rondo::detail::inline observe
