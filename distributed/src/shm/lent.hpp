#pragma once

/// \file
/// Memory for messages that a rank lends to another one of its node, which reads them there:
/// docs/protocols/shared_memory.md.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "memory.hpp"

namespace rondo::detail::inline distributed {

/// Where one message at a time is. All zero: its sender has it.
class lent_memory {
public:
  /// Before the cell that says where it is.
  void lend() { is_lent_.store(1, std::memory_order_relaxed); }
  /// Of the reader, which has copied what it needs.
  void give_back() { is_lent_.store(0, std::memory_order_release); }
  /// Acquire: nobody reads it any more.
  [[nodiscard]] bool is_back() const { return is_lent_.load(std::memory_order_acquire) == 0; }

  [[nodiscard]] std::byte* bytes() { return reinterpret_cast<std::byte*>(this) + before; }

  /// The first bytes share a cache line with what is before them: one line less on the way of short messages.
  static constexpr std::size_t before = 16;

private:
  std::atomic<std::uint32_t> is_lent_;
};
static_assert(sizeof(lent_memory) <= lent_memory::before);

/// What a rank has to lend. One thread at a time.
class lending_office {
public:
  lending_office(const node_memory& m, unsigned rank)
      : memory_(m), next_(m.begin_to_lend(rank)), end_(m.begin_to_lend(rank + 1)) {}

  struct loan {
    std::uint64_t place = 0; ///< 0 if there is none.
    std::size_t size = 0;
  };
  /// For messages of at most so many bytes, if there is any left.
  loan find(std::size_t bytes);
  /// Not needed any more, though it may still be read.
  void drop(const loan& l) { dropped_.push_back(l); }

private:
  static std::size_t size_for(std::size_t bytes) {
    return (lent_memory::before + bytes + pipe_memory::line - 1) / pipe_memory::line *
           pipe_memory::line;
  }
  void collect();

  const node_memory& memory_;
  std::uint64_t next_; ///< From here on nothing was ever lent.
  const std::uint64_t end_;
  std::multimap<std::size_t, std::uint64_t> free_; ///< By their sizes.
  std::vector<loan> dropped_;                      ///< Perhaps still lent.
};

} // namespace rondo::detail::inline distributed
