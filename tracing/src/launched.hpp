#pragma once

#include <cstdint>

#include <rondo/tracing/template.hpp>

namespace rondo::detail::inline tracing {

/// So many launches does a pass of it make: those that are left out are none, and joins are not the program's.
inline std::uint64_t launched_in_pass(const trace_template& t) {
  std::uint64_t n = 0;
  for(std::uint32_t i = 0; i != t.size(); ++i)
    n += t[i].is_left_out || t[i].is_join() ? 0 : 1;
  return n;
}

} // namespace rondo::detail::inline tracing
