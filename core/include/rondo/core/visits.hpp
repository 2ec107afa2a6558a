#pragma once

/// \file
/// Threads that are none of an executor's workers, and use it: it does not end meanwhile.

#include <atomic>
#include <cstdint>

namespace rondo::detail::inline core {

class visits {
public:
  void begin() { under_way_.fetch_add(1, std::memory_order_relaxed); }
  /// Release: what the visitor did, before the executor is gone.
  void end() { under_way_.fetch_sub(1, std::memory_order_release); }

  /// Nobody begins one any more: the executor can't be found. They end soon, for none of them waits there for anything else.
  void await_end() const;

  /// One of them.
  class one {
  public:
    explicit one(visits& of) : of_(of) { of.begin(); }
    ~one() { of_.end(); }
    one(const one&) = delete;
    one& operator=(const one&) = delete;

  private:
    visits& of_;
  };

private:
  std::atomic<std::uint32_t> under_way_{0};
};

} // namespace rondo::detail::inline core
