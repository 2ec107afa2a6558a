#pragma once

/// \file
/// Ranks that are threads of a test.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/transports.hpp>

/// Runs the program on each of the ranks that the transports connect, with so many workers each.
/// What a rank throws ends the process: others may wait for it.
inline void on_ranks(std::vector<std::unique_ptr<rondo::transport>> transports, unsigned workers,
  const std::function<void(rondo::scheduler&)>& program, rondo::flow_options options = {}) {
  std::vector<std::thread> threads;
  for(const auto& t : transports)
    threads.emplace_back([&program, &t = *t, workers, options] {
      try {
        rondo::executor ex({.workers = workers, .shares_cores = true});
        rondo::scheduler s(ex, t, options);
        ex.run([&] {
          program(s);
          s.wait();
        });
        t.meet();
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
