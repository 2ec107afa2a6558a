#pragma once

/// \file
/// A wait of the code that launches, which observers are told of when it is over.

#include <source_location>

#include <rondo/core/told_wait.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo {

/// Nothing is told where there is nothing to wait for.
class flow::told_wait : detail::told_wait {
public:
  told_wait(
    flow& f, wait_info::kind_type kind, const std::source_location& where, const char* name = "")
      : detail::told_wait(f.home(), where, kind, name, &f.events_,
          engine_of(f.home()).observed() && !f.has_nothing_under_way()) {}
};

} // namespace rondo
