#pragma once

/// \file
/// A program on many ranks that is observed, since its user wants to: docs/observing.md.

#include <optional>
#include <utility>

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/measures.hpp>
#include <rondo/observe/recorder.hpp>
#include <rondo/observe/wishes.hpp>

namespace rondo {
class scheduler;
}

namespace rondo::detail::inline distributed {

class observed_run {
public:
  explicit observed_run(wishes what) : wishes_(std::move(what)) {}

  /// From here on.
  void begin(executor& ex);
  /// All tasks of the scheduler have ended, and it and the executor are still there.
  void end(scheduler& s);
  /// All ranks come here when their schedulers have ended. Rank 0 tells the user.
  void tell(transport& t);

private:
  const wishes wishes_;
  std::optional<recorder> recorder_;
  measures measured_;
};

} // namespace rondo::detail::inline distributed
