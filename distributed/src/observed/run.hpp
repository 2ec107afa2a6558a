#pragma once

/// \file
/// A program on many ranks that is observed, since its user wants to: docs/observing.md.

#include <mutex>
#include <optional>
#include <string>

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/live_line.hpp>
#include <rondo/observe/wishes.hpp>

#include "../failure.hpp"
#include "digest.hpp"
#include "signals.hpp"
#include "timeline.hpp"

namespace rondo {
class scheduler;
}

namespace rondo::detail::inline distributed {

/// The main thread may be anywhere in these functions while another one, whose task has failed, or which hears that the process is told to
/// end, is in `failed`.
class observed_run {
public:
  observed_run(wishes what, transport& t);

  /// From here on. All ranks call it. Throws std::runtime_error if what is wished for can't be written.
  void begin(executor& ex);
  /// All tasks of the scheduler have ended, and it and the executor are still there.
  void end(scheduler& s);
  /// The program has failed on one rank, and the executor, which is still there, is about to end.
  void end_by_failure(const std::string& why);
  /// All ranks come here when their schedulers have ended. Rank 0 tells the user.
  void tell();

private:
  /// Of several ranks the one that fails tells what it has seen, and so do the others when they are told to end. Nothing is thrown.
  void failed(const std::string& why);

  const wishes wishes_;
  transport& transport_;
  std::mutex
    telling_; ///< A thread that comes second waits for the first one before it ends the process.
  std::optional<digest_of_run> digest_;
  std::optional<timeline_of_run> timeline_;
  std::optional<live_line> line_;
  // They come when all of the above is there, and go before it does.
  std::optional<last_words> at_failure_;
  std::optional<end_by_signal> at_signal_;
};

} // namespace rondo::detail::inline distributed
