#pragma once

/// \file
/// What tests of traces need: a program whose launches are also done at once, one after the other.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <rondo/flow.hpp>

#include "random_programs.hpp"

/// Cells in a ring, and a second copy of them, which is what they should be.
class twin {
public:
  twin(rondo::executor& ex, std::size_t n, rondo::flow_options options = {})
      : cells_(n, 1), expected_(n, 1), flow_(ex, options) {
    for(std::size_t i = 0; i != n; ++i)
      names_.push_back("cell " + std::to_string(i));
    for(std::size_t i = 0; i != n; ++i)
      regions_.emplace_back(flow_, cells_[i], names_[i].c_str());
  }

  /// The cell and the next one; `by` is something else each time.
  void step(std::size_t i, std::uint64_t by) {
    const std::size_t to = (i + 1) % cells_.size();
    flow_.submit(rondo::named("step", [by](const std::uint64_t& x,
                                        std::uint64_t& y) { y = random_programs::mix(y, x ^ by); }),
      read(regions_[i]), write(regions_[to]));
    expected_[to] = random_programs::mix(expected_[to], expected_[i] ^ by);
  }
  void turn(std::size_t i, std::uint64_t by) {
    flow_.submit(rondo::named("turn",
                   [](std::uint64_t& x, std::uint64_t b) { x = random_programs::mix(b, x); }),
      write(regions_[i]), by);
    expected_[i] = random_programs::mix(by, expected_[i]);
  }
  /// A step from each cell from `first` on.
  void steps(std::size_t first, std::size_t end, std::uint64_t by) {
    for(std::size_t i = first; i != end; ++i)
      step(i, by + i);
  }

  /// Waits. Returns false if something is not as it should be.
  [[nodiscard]] bool is_right() {
    flow_.wait();
    return cells_ == expected_;
  }

  [[nodiscard]] rondo::flow& home() { return flow_; }
  [[nodiscard]] rondo::region<std::uint64_t>& operator[](std::size_t i) { return regions_[i]; }

private:
  std::deque<std::string> names_;
  std::vector<std::uint64_t> cells_;
  std::vector<std::uint64_t> expected_;
  rondo::flow flow_;
  std::deque<rondo::region<std::uint64_t>> regions_;
};
