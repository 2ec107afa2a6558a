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
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

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
  void waited(const wait_info& what) noexcept override;

  struct alignas(64) of_worker {
    std::atomic<std::int64_t> began{0};
    std::atomic<std::int64_t> worked{0};
    std::atomic<std::uint64_t> tasks{0};
  };

  scheduler& scheduler_;
  std::chrono::steady_clock::time_point began_;
  std::unique_ptr<of_worker[]> workers_;
  std::atomic<std::uint64_t> waits_{0};
};

} // namespace rondo
