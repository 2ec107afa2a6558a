#pragma once

/// \file
/// The executors that tests of the scheduler run on: alone, as many workers as small machines
/// have cores, more than that; with and without a seat; that sleep at once and that search first.

#include <chrono>
#include <vector>

#include <rondo/core/executor.hpp>

inline std::vector<rondo::executor_options> configurations() {
  std::vector<rondo::executor_options> all;
  for(const unsigned workers : {1U, 2U, 3U, 8U})
    for(const bool background : {false, true})
      for(const auto spin : {std::chrono::microseconds(0), rondo::executor_options{}.spin})
        all.push_back({.workers = workers, .background = background, .spin = spin});
  return all;
}

/// Declares `options`, one configuration after the other; needs <catch2/catch.hpp>.
#define FOR_EACH_CONFIGURATION(options)                                                            \
  const rondo::executor_options options = GENERATE(from_range(configurations()));                  \
  CAPTURE((options).workers, (options).background, (options).spin.count())
