#include "gate.hpp"

namespace rondo::detail::inline tracing {

namespace {

void skip_nothing(launch&, const std::exception_ptr&) {}
void fold_nothing(launch&, unsigned) {}
void end_nothing(launch&) noexcept {}
void run_nothing(launch&, bool) {}
bool await_nothing(launch&, unsigned, launch&) { return true; }

/// The crew has advanced the index, and asks for the next future when we go on: there is one for all.
bool await_gate(launch& l, unsigned, launch&) {
  auto& self = static_cast<gate&>(l);
  l.index = 0;
  while(self.reached != self.count) {
    const trace_template::awaited a = self.after()[self.reached++];
    if(!a.what->reached(a.turn) && a.what->park(l, a.turn))
      return false; // from here on the launch may be anywhere
  }
  l.index = 1;
  return true;
}

constexpr access_mode for_writing[] = {access_mode::write};

/// The one future is all that it waits for, one after the other.
constexpr launch_kind a_gate = {
  .skip = &skip_nothing,
  .fold = &fold_nothing,
  .end = &end_nothing,
  .await = &await_gate,
  .futures = 1,
  .ends_by_itself = true,
};

constexpr launch_kind with_region(launch_kind k) {
  k.modes = for_writing;
  k.accesses = 1;
  return k;
}

} // namespace

const launch_kind gate::the_kind = with_region(a_gate);
const launch_kind gate::without_region = a_gate;

const launch_kind absent::the_kind = {
  .skip = &skip_nothing,
  .fold = &fold_nothing,
  .end = &end_nothing,
  .await = &await_nothing,
  .run_again = &run_nothing,
  .is_plain = true,
  .ends_by_itself = true,
};

} // namespace rondo::detail::inline tracing
