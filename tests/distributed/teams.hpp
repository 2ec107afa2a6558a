#pragma once

/// \file
/// Teams whose ranks are threads of a test.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include <rondo/distributed/team.hpp>
#include <rondo/distributed/transports.hpp>

/// Runs `program(team&)` on each rank. What a rank throws ends the process: others may wait for it.
template<class F>
void on_team(std::vector<std::unique_ptr<rondo::transport>> transports, const F& program) {
  std::vector<std::thread> threads;
  for(const auto& t : transports)
    threads.emplace_back([&program, &t = *t] {
      try {
        rondo::detail::team all(t);
        program(all);
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

template<class F>
void on_team(unsigned ranks, const F& program) {
  on_team(rondo::make_local_transports(ranks), program);
}
