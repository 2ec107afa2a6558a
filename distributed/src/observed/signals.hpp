#pragma once

/// \file
/// The process is told to end (SIGTERM, SIGINT), and has something to do before it does.

#include <functional>
#include <thread>

namespace rondo::detail::inline distributed {

/// While it lives. Signals that the program handles itself are left to it. One at a time in a process.
class end_by_signal {
public:
  /// `before` is called by a thread of its own; then the process ends as it would have without.
  explicit end_by_signal(std::function<void(int signal)> before);
  ~end_by_signal();
  end_by_signal(const end_by_signal&) = delete;
  end_by_signal& operator=(const end_by_signal&) = delete;

private:
  void listen();

  std::function<void(int)> before_;
  std::thread thread_;
};

} // namespace rondo::detail::inline distributed
