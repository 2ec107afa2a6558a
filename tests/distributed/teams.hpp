#pragma once

/// \file
/// Teams whose ranks are threads of a test.

#include <memory>
#include <vector>

#include <rondo/distributed/team.hpp>
#include <rondo/distributed/transports.hpp>

#include "rank_threads.hpp"

/// Runs `program(team&)` on each rank.
template<class F>
void on_team(const std::vector<std::unique_ptr<rondo::transport>>& transports, const F& program) {
  on_threads(transports, [&program](rondo::transport& t) {
    rondo::detail::team all(t);
    program(all);
    t.meet();
  });
}

template<class F>
void on_team(unsigned ranks, const F& program) {
  on_team(rondo::make_local_transports(ranks), program);
}
