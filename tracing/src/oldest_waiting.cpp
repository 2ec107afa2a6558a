#include "oldest_waiting.hpp"

#include <rondo/core/place.hpp>
#include <rondo/tracing/flow.hpp>

#include "describe.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// Launches that have ended are in their body, or behind it; simple ones that were run at once have never begun a stage.
bool is_waiting(const launch& l) {
  if(l.kind->run == nullptr)
    return false; // no launch of the program's
  switch(l.stage) {
  case launch_stage::futures:
    return l.index != 0;
  case launch_stage::answer:
  case launch_stage::turns:
  case launch_stage::edges:
  case launch_stage::locks:
    return true;
  default:
    return false;
  }
}

/// Of what comes first among all that it waits for. Regions live as long as their launches.
std::string what_it_waits_for(const launch& l) {
  switch(l.stage) {
  case launch_stage::futures:
    return l.kind->futures == 1 ? "a future that it was launched with"
                                : "one of the futures that it was launched with";
  case launch_stage::answer:
    return "the answer of a loop, which says whether its pass runs";
  case launch_stage::turns:
    if(l.index != 0 && l.index <= l.kind->accesses)
      return quoted("region", l.accesses()[l.index - 1].to->name());
    break;
  default:
    break;
  }
  return "launches before it";
}

} // namespace

std::string describe_oldest_waiting(const batch& b, std::uint32_t launches) {
  bool has_hinted = false; // the executor has those, and nothing here leads to them
  for(std::uint32_t i = 0; i != launches; ++i) {
    const launch& l = *b.launches[i];
    has_hinted = has_hinted || l.kind == &passed_over_kind;
    if(is_waiting(l))
      return std::string("the oldest") + (has_hinted ? " without hints" : "") + " is " +
             describe_briefly(l) + ", which waits for " + what_it_waits_for(l);
  }
  return {};
}

} // namespace rondo::detail::inline tracing
