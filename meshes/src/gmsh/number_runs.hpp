#pragma once

/// \file
/// Whether a number comes twice.

#include <cstdint>
#include <optional>
#include <vector>

namespace rondo::detail::gmsh {

/// Numbers are kept as runs of consecutive ones: of a usual file there are a few.
class number_runs {
public:
  void add(std::int64_t number) {
    if(!runs_.empty() && runs_.back().last + 1 == number)
      runs_.back().last = number;
    else
      runs_.push_back({number, number});
  }

  /// A number that has been added twice, if there is one.
  [[nodiscard]] std::optional<std::int64_t> twice() const;

private:
  struct run {
    std::int64_t first, last;
  };
  std::vector<run> runs_;
};

} // namespace rondo::detail::gmsh
