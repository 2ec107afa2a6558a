#pragma once

/// \file
/// Somebody who keeps launches back for a moment, to launch them in a better order; to the program
/// they count as launched. So they are, for real, before anything that makes a difference: a `wait`,
/// the begin and the end of a pass.

namespace rondo::detail::inline tracing {

class gatherer {
public:
  virtual void launch_gathered() = 0;

protected:
  gatherer() = default;
  gatherer(const gatherer&) = default;
  ~gatherer() = default;
};

} // namespace rondo::detail::inline tracing
