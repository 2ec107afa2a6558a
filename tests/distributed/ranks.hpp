#pragma once

/// \file
/// Programs on ranks that are threads of a test.

#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/transports.hpp>

#include "rank_threads.hpp"

/// For what several ranks check: Catch2's own assertions are for one thread.
inline void expect(
  bool is_right, const std::source_location& where = std::source_location::current()) {
  if(is_right)
    return;
  std::string what = where.file_name();
  what += ':';
  what += std::to_string(where.line());
  throw std::logic_error(what + ": not as expected");
}

/// What it has thrown; empty: nothing.
template<class F>
std::string thrown_by(F&& f) {
  try {
    f();
  }
  catch(const std::exception& e) {
    return e.what();
  }
  return {};
}

/// Runs the program on each of the ranks that the transports connect, with so many workers each.
/// What a rank throws ends the process: others may wait for it.
inline void on_ranks(std::vector<std::unique_ptr<rondo::transport>> transports, unsigned workers,
  const std::function<void(rondo::scheduler&)>& program, rondo::flow_options options = {}) {
  on_threads(transports, [&](rondo::transport& t) {
    rondo::executor ex({.workers = workers, .shares_cores = true});
    rondo::scheduler s(ex, t, options);
    ex.run([&] {
      program(s);
      s.wait();
    });
    t.meet();
  });
}
