#pragma once

/// \file
/// The workers of an executor. Workers that have retired stay here, since thieves may look at them at any time.

#include <atomic>
#include <memory>

namespace rondo {

class worker;

namespace detail::inline core {

class worker_table {
public:
  static constexpr unsigned most = 1024;

  worker_table();
  ~worker_table();
  worker_table(const worker_table&) = delete;
  worker_table& operator=(const worker_table&) = delete;

  /// So many have been made. Acquire: they are there.
  [[nodiscard]] unsigned size() const { return size_.load(std::memory_order_acquire); }
  /// The same for a hint.
  [[nodiscard]] bool has_several() const { return size_.load(std::memory_order_relaxed) > 1; }

  /// By the one thread that adds workers: known to all from now on.
  void add(std::unique_ptr<worker> w);

  /// Acquire: thieves look at what was made by another thread.
  [[nodiscard]] worker& operator[](unsigned index) const {
    return *workers_[index].load(std::memory_order_acquire);
  }

  template<class F>
  void each(F&& f) const {
    for(unsigned i = 0, n = size(); i != n; ++i)
      f((*this)[i]);
  }
  template<class P>
  [[nodiscard]] bool any(P&& p) const {
    for(unsigned i = 0, n = size(); i != n; ++i)
      if(p((*this)[i]))
        return true;
    return false;
  }

private:
  std::atomic<unsigned> size_{0};
  const std::unique_ptr<std::atomic<worker*>[]> workers_;
};

} // namespace detail::inline core
} // namespace rondo
