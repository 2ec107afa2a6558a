#pragma once

/// \file
/// Bytes from one process to another, through memory of both: docs/protocols/shared_memory.md.
///
/// Each message has a cell, one cache line, with what it says about itself, and, if it is short, all
/// of its bytes: so it takes one cache line on its way from core to core. Longer ones are in a ring of
/// bytes, piece by piece, with a cell for each.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rondo::detail::inline distributed {

/// What both processes see. All zero to begin with.
struct pipe_memory {
  static constexpr std::size_t line = 64;
  static constexpr std::size_t most_cells = 64;
  static constexpr std::size_t most_bytes = std::size_t{128} << 10U;
  static constexpr std::size_t short_bytes = 48; ///< In a cell.
  static constexpr std::size_t piece = std::size_t{16} << 10U;

  struct alignas(line) cell {
    /// Of the message's piece in it, counted from 1; what it was in the round before: not yet there.
    std::atomic<std::uint32_t> number;
    std::uint32_t channel;
    std::uint64_t size; ///< Of the whole message; and `is_elsewhere`.
    std::array<std::byte, short_bytes> bytes;
  };
  /// The message is not in the pipe but in memory that its sender lends: in `bytes` is where.
  static constexpr std::uint64_t is_elsewhere = std::uint64_t{1} << 63U;
  static_assert(sizeof(cell) == line && std::atomic<std::uint32_t>::is_always_lock_free);

  /// Written by the rank that reads, looked at by the one that writes if it finds no room.
  struct alignas(2 * line) {
    std::atomic<std::uint64_t> cells;
    std::atomic<std::uint64_t> bytes;
  } read;
  alignas(2 * line) std::array<cell, most_cells> cells;
  std::array<std::byte, most_bytes> bytes;

  /// How much of so many bytes the next cell stands for.
  static constexpr std::size_t next_piece(std::size_t left) { return std::min(left, piece); }
  /// And how much of the ring that takes.
  static constexpr std::size_t room_of(std::size_t n) { return (n + line - 1) / line * line; }
};

/// The end that writes. One thread at a time.
class pipe_out {
public:
  explicit pipe_out(pipe_memory& m) : memory_(m) {}

  /// A message that is being written.
  struct message {
    std::uint32_t channel;
    std::size_t size;
    const std::byte* next;
    std::size_t left;
    bool is_written = false; ///< All of it.
    std::uint64_t lent = 0;  ///< Not 0: only this is written, which says where the message is.
  };
  /// As much as there is room for. Returns true if that was some.
  bool write(message& m);

private:
  bool has_cell();
  bool has_room(std::size_t n);
  pipe_memory::cell& begin_cell(const message& m);
  void end_cell(pipe_memory::cell& c);
  bool write_lent(message& m);
  void copy(const std::byte* from, std::size_t n);

  pipe_memory& memory_;
  std::uint64_t cells_ = 0;      ///< Written.
  std::uint64_t bytes_ = 0;      ///< The same.
  std::uint64_t read_cells_ = 0; ///< As was seen last.
  std::uint64_t read_bytes_ = 0;
};

/// The end that reads. One thread at a time, but for next().
class pipe_in {
public:
  explicit pipe_in(pipe_memory& m) : memory_(m) {}

  /// The next cell, or null if it isn't there yet.
  [[nodiscard]] const pipe_memory::cell* next() const {
    const std::uint64_t read = cells_.load(std::memory_order_relaxed);
    const pipe_memory::cell& c = memory_.cells[read % pipe_memory::most_cells];
    // seq_cst: for a rank that is about to sleep. As acquire it reads what was written before the number.
    return c.number.load(std::memory_order_seq_cst) == std::uint32_t(read + 1) ? &c : nullptr;
  }

  /// Its bytes, `left` being what there is left of its message: so many are copied to where `into`
  /// points, unless that is null. The cell is no more.
  std::size_t read(std::byte* into, std::size_t left);

  /// Where the message of the next cell is, if it `is_elsewhere`. The cell is no more.
  std::uint64_t read_lent();

private:
  void end_cell(std::uint64_t read);

  pipe_memory& memory_;
  std::atomic<std::uint64_t> cells_{0}; ///< Read.
  std::uint64_t bytes_ = 0;
};

} // namespace rondo::detail::inline distributed
