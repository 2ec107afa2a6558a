#pragma once

#include <fstream>
#include <unistd.h>

namespace bench {

// The physical memory this process takes now, in bytes.
inline double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double size = 0;
  double resident = 0;
  in >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

} // namespace bench
