#pragma once

/// \file
/// A program on many ranks that is observed, since its user wants to: docs/observing.md.

#include <mutex>
#include <optional>
#include <string>

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/measures.hpp>
#include <rondo/observe/recorder.hpp>
#include <rondo/observe/timeline/recorder.hpp>
#include <rondo/observe/wishes.hpp>

#include "../failure.hpp"
#include "signals.hpp"
#include "timeline_file.hpp"

namespace rondo {
class scheduler;
}

namespace rondo::detail::inline distributed {

class observed_run {
public:
  observed_run(wishes what, transport& t);

  /// From here on. All ranks call it. Throws std::runtime_error if what is wished for can't be written.
  void begin(executor& ex);
  /// All tasks of the scheduler have ended, and it and the executor are still there.
  void end(scheduler& s);
  /// The program has failed, and the executor is still there: on one rank. Of several the one that fails tells what it has seen, and so do
  /// the others when they are told to end.
  void failed(const std::string& why);
  /// All ranks come here when their schedulers have ended. Rank 0 tells the user.
  void tell();

private:
  struct timeline_parts {
    timeline_parts(const std::string& name, unsigned number) : file(name, number) {}

    timeline_file file;
    std::optional<timeline_recorder> recorder; ///< Guarded by the lock, from `begin` on.
    rank_of_timeline rank;
    std::optional<last_words> at_failure;
    std::optional<end_by_signal> at_signal;
  };
  void begin_timeline(executor& ex);
  void tell_digest();
  void tell_timeline();

  const wishes wishes_;
  transport& transport_;
  std::optional<recorder> recorder_;
  measures measured_;
  std::string digest_; ///< On rank 0.
  std::mutex mutex_;
  std::optional<timeline_parts> timeline_;
};

} // namespace rondo::detail::inline distributed
