#pragma once

/// \file
/// Makes a plan of what RONDO_PLAN has written: a timeline in which tasks do nothing, rank by rank.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

#include "program.hpp"

namespace rondo::simulate {

class plan_reader {
public:
  /// One rank after the other, in their order.
  void add(detail::timeline_rank r);
  /// Throws std::runtime_error if ranks are missing.
  plan take(std::uint32_t ranks);

private:
  std::uint32_t site_of(const std::string& name, const std::string& place);
  std::uint32_t role_of(const role& all);

  plan plan_;
  std::unordered_map<std::string, std::uint32_t> sites_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> roles_; ///< By what they are as a whole.
  std::vector<role> whole_; ///< Roles without their loops found.
};

/// A file, or "-" for stdin.
plan read_plan(const std::string& file);

} // namespace rondo::simulate
