#pragma once

/// \file
/// The timeline of all ranks at the end of a program; or that of each rank, if the program does not end well.

#include <mutex>
#include <optional>
#include <string>

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/timeline/recorder.hpp>
#include <rondo/observe/wishes.hpp>

#include "timeline_file.hpp"

namespace rondo::detail::inline distributed {

class timeline_of_run {
public:
  /// Of what the executor does from here on. All ranks call it. Throws std::runtime_error if the file can't be written.
  timeline_of_run(const wishes& what, transport& t, executor& ex);

  /// The executor is about to end.
  void end();
  /// All ranks call it, after `end`. Rank 0 writes the file, with the digest, if there is one.
  void tell(const std::string& digest);
  /// Any thread calls it, while tasks run as well: writes what this rank has seen, unless it has been written already. The executor may end then.
  void failed(const std::string& why);

private:
  transport& transport_;
  timeline_file file_;
  rank_of_timeline rank_;
  std::mutex mutex_; ///< A thread that waits for another rank never has it.
  std::optional<timeline_recorder>
    recorder_; ///< Empty once somebody has what it has seen, and writes it.
};

} // namespace rondo::detail::inline distributed
