#pragma once

/// \file
/// Memory that all ranks of a node see: a pipe from each to each, and a bell for each.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "pipe.hpp"

namespace rondo::detail::inline distributed {

/// A rank that sleeps until something comes is woken by the one that sends it.
struct alignas(2 * pipe_memory::line) bell {
  std::atomic<std::uint32_t> sleeps; ///< 1 if somebody is asleep, or about to be.

  /// Something has been written for that rank: wakes it if it sleeps.
  void ring() {
    // seq_cst: either the rank that is about to sleep sees what was written before, or we see that it sleeps.
    if(sleeps.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake();
  }
  void wake();
  /// Before looking for the last time whether there is anything.
  void show_sleep() { sleeps.store(1, std::memory_order_seq_cst); }
  void cancel() { sleeps.store(0, std::memory_order_relaxed); }
  /// After `show_sleep`. Returns when the bell is rung, and at the latest after that time.
  void sleep(std::chrono::nanoseconds most);
};

/// It takes memory only where it is used: a rank has pipes to those it sends to, however many there
/// are.
class node_memory {
public:
  /// Of so many ranks, and new. Throws std::runtime_error.
  explicit node_memory(unsigned ranks);
  /// Made by a process of this node that still has it, and has told what `descriptor()` and
  /// `getpid()` are there. Throws std::runtime_error if it can't be reached.
  node_memory(unsigned ranks, int process, int descriptor);
  ~node_memory();
  node_memory(const node_memory&) = delete;
  node_memory& operator=(const node_memory&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// So many have made it or reached it. When all have tried: fewer than there are ranks means that some have
  /// reached something else.
  [[nodiscard]] unsigned present() const;

  /// Ranks of this node, counted from 0.
  [[nodiscard]] pipe_memory& pipe(unsigned from, unsigned to) const;
  [[nodiscard]] bell& bell_of(unsigned rank) const;

  /// What a rank lends to others, message by message, is in a piece of its own; nobody has made anything there.
  static constexpr std::size_t to_lend = std::size_t{256} << 20U;
  [[nodiscard]] std::uint64_t begin_to_lend(unsigned rank) const;
  /// Places are counted from the begin of all of the memory, since processes see it at different addresses.
  [[nodiscard]] std::byte* at(std::uint64_t place) const { return begin_ + place; }

private:
  void map();
  [[nodiscard]] std::size_t size() const;

  const unsigned ranks_;
  int descriptor_ = -1;
  std::byte* begin_ = nullptr;
};

} // namespace rondo::detail::inline distributed
