#pragma once

/// \file
/// The chain of tasks, messages and waits that has taken all of the time: what would have to be quicker for the run to be so.

#include <cstdint>
#include <string>
#include <vector>

#include "delays.hpp"
#include "graph.hpp"
#include "spans.hpp"

namespace rondo::report {

/// A part of it. The parts follow each other without a gap, from the end of the run to its begin.
struct path_part {
  enum class kind_type : std::uint8_t { task, message, launching, waiting_for_worker };

  kind_type kind;
  std::int64_t begin;
  std::int64_t end;
  std::uint32_t span = none; ///< Of tasks.

  [[nodiscard]] std::int64_t length() const { return end - begin; }
};
const char* name_of(path_part::kind_type k);

/// By the time, the first one first. Empty if there are no tasks.
std::vector<path_part> critical_path(
  const spans& s, const graph& g, const std::vector<readiness>& ready);

} // namespace rondo::report
