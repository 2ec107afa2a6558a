#pragma once

/// \file
/// Messages for launches, from a poller that brings them.

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo {

/// Numbered messages, of which one is there at a time; the next one comes after some looks, once the last one has been
/// taken, and after so many ticks. For any number of workers.
class numbered_mail final : public poller {
public:
  explicit numbered_mail(executor& ex, std::uint64_t delay = 0) : ex_(ex), delay_(delay) {
    ex.attach(*this);
  }
  ~numbered_mail() override { ex_.detach(*this); }

  [[nodiscard]] bool is_there() {
    const std::scoped_lock lock(mutex_);
    return is_there_;
  }
  int take() {
    const std::scoped_lock lock(mutex_);
    is_there_ = false;
    taken_ = detail::ticks();
    return next_++;
  }
  void ask(completion done) {
    {
      const std::scoped_lock lock(mutex_);
      if(!is_there_) {
        asked_ = done;
        want(ex_);
        return;
      }
    }
    done();
  }
  void poll() noexcept override {
    std::optional<completion> asked;
    {
      const std::scoped_lock lock(mutex_);
      if(!is_there_ && ++looks_ % 5 == 0)
        is_there_ = detail::ticks() - taken_ >= delay_;
      if(is_there_)
        asked = std::exchange(asked_, {});
    }
    if(!asked.has_value())
      return;
    stop_wanting(ex_);
    (*asked)();
  }

private:
  executor& ex_;
  const std::uint64_t delay_;
  std::mutex mutex_;
  bool is_there_ = false;
  std::uint64_t taken_ = 0; ///< When.
  int next_ = 0;
  unsigned looks_ = 0;
  std::optional<completion> asked_;
};

/// A launch that ends when the next message is there.
struct receive {
  using may_be_ready = void;
  numbered_mail* from;
  void operator()(completion done, int&) const { from->ask(done); }
  bool is_ready(const int&) const { return from->is_there(); }
  void now(int&) const {}
};

} // namespace rondo
