#include "oldest_waiting.hpp"

#include <rondo/core/place.hpp>

#include "describe.hpp"

namespace rondo {

namespace detail::inline tracing {

/// Launches that have ended are in their body, or behind it; simple ones that were run at once have never begun a stage.
bool launch::is_waiting() const {
  if(kind->run == nullptr)
    return false; // no launch of the program's
  switch(stage) {
  case launch_stage::futures:
    return index != 0;
  case launch_stage::answer:
  case launch_stage::turns:
  case launch_stage::edges:
  case launch_stage::locks:
    return true;
  default:
    return false;
  }
}

namespace {

/// Of what comes first among all that it waits for. Regions live as long as their launches; futures don't, so they are looked at only
/// if nothing can go on.
std::string what_it_waits_for(launch& l, bool is_still) {
  switch(l.stage) {
  case launch_stage::futures:
    if(is_still && l.kind->future != nullptr)
      return in_words(l.kind->future(l, l.index - 1).value->site());
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
} // namespace detail::inline tracing

std::string flow::describe_oldest_waiting(bool is_still) const {
  detail::launch* oldest = nullptr;
  std::uint64_t its_id = 0;
  each_waiting([&](detail::launch& l, std::uint64_t id) {
    if(oldest == nullptr || id < its_id) {
      oldest = &l;
      its_id = id;
    }
  });
  if(oldest == nullptr)
    return {};
  return "the oldest is " + detail::describe_briefly(*oldest) + ", which waits for " +
         detail::what_it_waits_for(*oldest, is_still);
}

} // namespace rondo
