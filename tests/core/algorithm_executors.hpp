#pragma once

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>

/// Runs the body on executors of one worker, of as many as a small machine has, of an odd
/// number, and of more than it has.
template<class Body>
void on_executors(Body body) {
  for(const unsigned workers : {1U, 2U, 3U, 8U}) {
    CAPTURE(workers);
    rondo::executor ex(workers);
    body(ex);
  }
}

/// Lengths at which ranges, blocks, lanes and parts begin and end.
inline constexpr std::size_t interesting_lengths[] = {
  0, 1, 2, 3, 5, 7, 8, 9, 31, 33, 1000, 4095, 4096, 4097, 100'003};
