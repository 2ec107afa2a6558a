#pragma once

/// \file
/// Ranks that are threads of a test.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include <rondo/distributed/transport.hpp>

/// Calls `program(transport&)` in a thread for each rank. What a rank throws ends the process: others may wait for it.
template<class F>
void on_threads(
  const std::vector<std::unique_ptr<rondo::transport>>& transports, const F& program) {
  std::vector<std::thread> threads;
  for(const auto& t : transports)
    threads.emplace_back([&program, &t = *t] {
      try {
        program(t);
      }
      catch(const std::exception& e) {
        std::fprintf(stderr, "rank %u: %s\n", t.rank(), e.what());
        std::fflush(nullptr);
        std::_Exit(1);
      }
    });
  for(auto& t : threads)
    t.join();
}
