#pragma once

/// \file
/// Launches that waited for futures when nothing could run any more: instead of their function they throw.

#include <utility>

#include <rondo/core/waits_for.hpp>
#include <rondo/futures/errors.hpp>
#include <rondo/tracing/launch.hpp>

namespace rondo::detail::inline tracing {

/// As the launch's own kind, but the function isn't called: its arguments are not there.
struct given_up_kind : launch_kind {
  given_up_kind(const launch_kind& k, report_of_deadlock why)
      : launch_kind(k), report(std::move(why)) {
    run = &fail;
    run_again = [](launch& l, bool) { fail(l); };
    await = [](launch&, unsigned, launch&) { return true; };
    future = nullptr;
    later = nullptr;
    is_ready = nullptr;
    run_now = nullptr;
    like = k.identity();
  }
  [[noreturn]] static void fail(launch& l) {
    throw deadlock_error(*static_cast<const given_up_kind*>(l.kind)->report);
  }

  report_of_deadlock report;
};

} // namespace rondo::detail::inline tracing
