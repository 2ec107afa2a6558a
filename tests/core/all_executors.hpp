#pragma once

// Executors of many sizes for tests of graphs, with threads that run all the time and without.

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>

inline rondo::executor_options with(unsigned workers, bool background = false) {
  rondo::executor_options o;
  o.workers = workers;
  o.background = background;
  return o;
}

#define FOR_ALL_EXECUTORS()                                                                        \
  const auto workers = GENERATE(1U, 2U, 3U, 8U);                                                   \
  const auto background = GENERATE(false, true);                                                   \
  CAPTURE(workers, background);                                                                    \
  rondo::executor ex(with(workers, background))
