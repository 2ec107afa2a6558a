#pragma once

/// \file
/// What a run was like, in five lines: for the end of a program.
///
/// \code
///   run_summary summary(s);
///   ...                                     // the program
///   s.wait();
///   const std::string text = summary.text();   // on all ranks; it asks all of them
///   if(s.rank() == 0)
///     std::cout << text;
/// \endcode

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rondo/core/clock.hpp>
#include <rondo/core/observer.hpp>

namespace rondo {

class scheduler;
class trace;

class run_summary final : public observer {
public:
  explicit run_summary(scheduler& s);
  ~run_summary() override;

  /// Since it was made. With the passes of that trace, too, if the program has one.
  [[nodiscard]] std::string text(const trace* t = nullptr) const;

private:
  void task_begin(unsigned worker, const task_info& what) noexcept override;
  void task_end(unsigned worker, const task_info& what) noexcept override;
  void suspend(unsigned worker, const task_info& what) noexcept override;
  void resume(unsigned worker, const task_info& what) noexcept override;
  void waited(const wait_info& what) noexcept override;

  struct suspended_tasks;
  struct alignas(64) of_worker {
    unsigned open =
      0; ///< Tasks on the stack in use, one above the other. With `began` the worker's own.
    std::int64_t began = 0;
    std::atomic<std::int64_t> worked{0};
    std::atomic<std::uint64_t> tasks{0};
  };

  of_worker* of(unsigned worker) noexcept;
  static void begin(of_worker& w, unsigned open);
  static unsigned end(of_worker& w);

  scheduler& scheduler_;
  std::chrono::steady_clock::time_point began_;
  /// Made when they begin their first task: there may be more later than now.
  std::vector<std::atomic<of_worker*>> workers_;
  std::unique_ptr<suspended_tasks> suspended_;
  std::atomic<std::uint64_t> waits_{0};
};

} // namespace rondo
