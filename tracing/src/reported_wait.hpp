#pragma once

/// \file
/// A wait of the code that launches, for the report of a deadlock: docs/protocols/flow.md, "Waits that can't end".

#include <source_location>
#include <string>

#include <rondo/core/wait_condition.hpp>
#include <rondo/core/waits_for.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo {

/// If nothing can run any more, launches of the flow that wait for futures fail, and so the wait ends.
class flow::reported_wait : public detail::waits_for {
public:
  /// For what `done` says. In words: `what`, such as "the launches of ", and the region, or the flow.
  reported_wait(flow& f, const waiting_code& who, const char* what, detail::wait_condition done,
    const detail::region_base* of = nullptr);

  /// Returns when that is so.
  void help();

private:
  static reported_wait& self(detail::waits_for& w) { return static_cast<reported_wait&>(w); }
  static const reported_wait& self(const detail::waits_for& w) {
    return static_cast<const reported_wait&>(w);
  }
  [[nodiscard]] std::string describe(bool is_still) const;
  bool take_waiting(const detail::report_of_deadlock& report);
  void let_go_on();

  flow& flow_;
  const char* const subject_;
  const char* const what_;
  const detail::region_base* const region_;
  const detail::wait_condition done_;
  detail::turn_wait* taken_ =
    nullptr; ///< Launches that nothing will tell to go on any more, linked.
};

} // namespace rondo
