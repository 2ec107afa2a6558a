#include "gate.hpp"

#include <rondo/tracing/batch.hpp>

namespace rondo::detail {

namespace {

void skip_nothing(launch&, const std::exception_ptr&) {}
void fold_nothing(launch&, unsigned) {}
void end_nothing(launch&) noexcept {}
bool await_nothing(launch&, unsigned, launch&) { return true; }

/// The crew has advanced the stage, and asks for the next one when we go on: there is one for all.
bool await_gate(launch& l, unsigned, launch&) {
  auto& self = static_cast<gate&>(l);
  l.stage = 0;
  while(self.reached != self.count) {
    const trace_template::awaited a = self.after()[self.reached++];
    if(!a.what->reached(a.turn) && a.what->park(l, a.turn))
      return false; // from here on the launch may be anywhere
  }
  l.stage = 1;
  return true;
}

constexpr access_mode for_writing[] = {access_mode::write};

} // namespace

const launch_kind gate::the_kind = {nullptr, &skip_nothing, &fold_nothing, &end_nothing,
  &await_gate, nullptr, nullptr, for_writing, 1, 1, 0, 0, false, true, false};

const launch_kind gate::without_region = {nullptr, &skip_nothing, &fold_nothing, &end_nothing,
  &await_gate, nullptr, nullptr, nullptr, 1, 0, 0, 0, false, true, false};

const launch_kind absent::the_kind = {nullptr, &skip_nothing, &fold_nothing, &end_nothing,
  &await_nothing, nullptr, nullptr, nullptr, 0, 0, 0, 0, true, true, false};

} // namespace rondo::detail
