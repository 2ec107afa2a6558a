#pragma once

/// \file
/// How much a worker has worked at which time: 64 slices of equal length, which get longer as the program runs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <rondo/observe/measures.hpp>

#include "names.hpp"

namespace rondo::detail::inline observe {

/// The worker writes, others may read meanwhile. In ticks.
class work_over_time {
public:
  static constexpr std::size_t slices = 64;

  /// Time begins then, and slices are at first so long.
  void begin(std::uint64_t now, std::uint64_t length) {
    const std::lock_guard lock(mutex_);
    for(own_number& w : worked_)
      w.set(0);
    began_ = now;
    length_.set(length);
    enter(0);
  }

  /// A task has ended, which took so long without those that it ran while it waited.
  void add(std::uint64_t now, std::uint64_t took) {
    if(now < end_ && took < length_.get()) [[likely]]
      current_->add(took); // perhaps a part of it belongs to the slice before
    else
      add_slowly(now, took);
  }

  /// The same slices, in seconds. Empty if the worker has done nothing.
  [[nodiscard]] work_slices copy(double seconds_per_tick) const {
    work_slices all;
    const std::lock_guard lock(mutex_);
    all.seconds_each = seconds_per_tick * static_cast<double>(length_.get());
    for(const own_number& w : worked_)
      all.worked.push_back(seconds_per_tick * static_cast<double>(w.get()));
    while(!all.worked.empty() && all.worked.back() == 0)
      all.worked.pop_back();
    return all;
  }

private:
  [[gnu::noinline]] void add_slowly(std::uint64_t now, std::uint64_t took) {
    if(length_.get() == 0 || now < began_)
      return; // time has not begun
    while(now - began_ >= slices * length_.get())
      join_pairs();
    // As if it had worked without a pause until now.
    const std::uint64_t length = length_.get();
    std::uint64_t until = now - began_;
    std::uint64_t left = std::min(took, until);
    enter(until / length);
    for(std::size_t slice = until / length; left != 0; --slice) {
      const std::uint64_t here = std::min(left, until - slice * length);
      worked_[slice].add(here);
      left -= here;
      until = slice * length;
    }
  }

  void join_pairs() {
    const std::lock_guard lock(mutex_);
    for(std::size_t i = 0; i != slices / 2; ++i)
      worked_[i].set(worked_[2 * i].get() + worked_[2 * i + 1].get());
    for(std::size_t i = slices / 2; i != slices; ++i)
      worked_[i].set(0);
    length_.set(2 * length_.get());
  }

  void enter(std::size_t slice) {
    current_ = &worked_[slice];
    end_ = began_ + (slice + 1) * length_.get();
  }

  std::uint64_t began_ = 0;
  std::uint64_t end_ = 0; ///< Of the slice that the last task ended in.
  own_number* current_ = nullptr;
  own_number length_;
  std::array<own_number, slices> worked_;
  mutable std::mutex mutex_; ///< For changes of all numbers together.
};

} // namespace rondo::detail::inline observe
