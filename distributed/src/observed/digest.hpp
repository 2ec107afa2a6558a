#pragma once

/// \file
/// The digest of all ranks at the end of a program; or that of one rank, if the program does not end well.

#include <memory>
#include <mutex>
#include <string>

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/measures.hpp>
#include <rondo/observe/recorder.hpp>

namespace rondo {
class scheduler;
}

namespace rondo::detail::inline distributed {

class digest_of_run {
public:
  /// Of what the executor does from here on. No file: it is printed. Throws std::runtime_error if the file can't be written.
  digest_of_run(std::string json_file, transport& t, executor& ex);

  /// All tasks of the scheduler have ended, and it and the executor are still there.
  void end(scheduler& s);
  /// All ranks call it, after `end`. Rank 0 tells the user.
  void tell();
  /// Any thread calls it, while tasks run as well: tells what this rank has done so far, unless the user has been told already.
  void failed(const std::string& why);
  /// The executor is about to end, without `end`.
  void leave();

  /// What `tell` has told; on rank 0.
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  const std::string json_file_;
  transport& transport_;
  std::string text_;

  std::mutex
    mutex_; ///< Of what follows. A thread that waits for another rank, or for tasks, never has it.
  std::unique_ptr<recorder> recorder_; ///< Null once it has left the executor.
  measures measured_;                  ///< By the recorder that has left.
  bool is_told_ = false;
};

} // namespace rondo::detail::inline distributed
