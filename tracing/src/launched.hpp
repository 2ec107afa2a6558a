#pragma once

#include <cstdint>

#include <rondo/tracing/template.hpp>

namespace rondo::detail::inline tracing {

/// Launches that are left out are none, and joins are not the program's.
inline bool is_launched(const template_node& n) { return !n.is_left_out && !n.is_join(); }

/// So many launches does a pass of it make.
inline std::uint64_t launched_in_pass(const trace_template& t) {
  std::uint64_t n = 0;
  for(std::uint32_t i = 0; i != t.size(); ++i)
    n += is_launched(t[i]) ? 1 : 0;
  return n;
}

} // namespace rondo::detail::inline tracing
