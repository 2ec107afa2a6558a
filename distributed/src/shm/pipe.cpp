#include "pipe.hpp"

#include <cstring>

namespace rondo::detail::inline distributed {

bool pipe_out::has_cell() {
  if(cells_ - read_cells_ != pipe_memory::most_cells)
    return true;
  // Acquire: what was in it has been read.
  read_cells_ = memory_.read.cells.load(std::memory_order_acquire);
  return cells_ - read_cells_ != pipe_memory::most_cells;
}

bool pipe_out::has_room(std::size_t n) {
  if(bytes_ + n - read_bytes_ <= pipe_memory::most_bytes)
    return true;
  read_bytes_ = memory_.read.bytes.load(std::memory_order_acquire);
  return bytes_ + n - read_bytes_ <= pipe_memory::most_bytes;
}

void pipe_out::copy(const std::byte* from, std::size_t n) {
  const std::size_t at = bytes_ % pipe_memory::most_bytes;
  const std::size_t first = std::min(n, pipe_memory::most_bytes - at);
  std::memcpy(memory_.bytes.data() + at, from, first);
  std::memcpy(memory_.bytes.data(), from + first, n - first);
  bytes_ += pipe_memory::room_of(n);
}

pipe_memory::cell& pipe_out::begin_cell(const message& m) {
  pipe_memory::cell& c = memory_.cells[cells_ % pipe_memory::most_cells];
  c.channel = m.channel;
  c.size = m.size;
  return c;
}

void pipe_out::end_cell(pipe_memory::cell& c) {
  // Release, for the rank that reads it; seq_cst: this one looks for sleepers next.
  c.number.store(std::uint32_t(++cells_), std::memory_order_seq_cst);
}

bool pipe_out::write_lent(message& m) {
  if(!has_cell())
    return false;
  pipe_memory::cell& c = begin_cell(m);
  c.size |= pipe_memory::is_elsewhere;
  std::memcpy(c.bytes.data(), &m.lent, sizeof(m.lent));
  end_cell(c);
  m.is_written = true;
  return true;
}

bool pipe_out::write(message& m) {
  if(m.lent != 0)
    return write_lent(m);
  const bool is_short = m.size <= pipe_memory::short_bytes;
  bool any = false;
  do {
    const std::size_t n = pipe_memory::next_piece(m.left);
    if(!has_cell() || (!is_short && !has_room(pipe_memory::room_of(n))))
      return any;
    pipe_memory::cell& c = begin_cell(m);
    if(!is_short)
      copy(m.next, n);
    else if(n != 0)
      std::memcpy(c.bytes.data(), m.next, n);
    end_cell(c);
    m.next += n;
    m.left -= n;
    any = true;
  } while(m.left != 0);
  m.is_written = true;
  return true;
}

std::size_t pipe_in::read(std::byte* into, std::size_t left) {
  const std::uint64_t cells = cells_.load(std::memory_order_relaxed);
  const pipe_memory::cell& c = memory_.cells[cells % pipe_memory::most_cells];
  const std::size_t n = pipe_memory::next_piece(left);
  if(c.size <= pipe_memory::short_bytes) {
    if(into != nullptr && n != 0)
      std::memcpy(into, c.bytes.data(), n);
  }
  else {
    const std::size_t at = bytes_ % pipe_memory::most_bytes;
    const std::size_t first = std::min(n, pipe_memory::most_bytes - at);
    if(into != nullptr) {
      std::memcpy(into, memory_.bytes.data() + at, first);
      std::memcpy(into + first, memory_.bytes.data(), n - first);
    }
    bytes_ += pipe_memory::room_of(n);
    memory_.read.bytes.store(bytes_, std::memory_order_release);
  }
  end_cell(cells);
  return n;
}

std::uint64_t pipe_in::read_lent() {
  const std::uint64_t cells = cells_.load(std::memory_order_relaxed);
  std::uint64_t where = 0;
  std::memcpy(&where, memory_.cells[cells % pipe_memory::most_cells].bytes.data(), sizeof(where));
  end_cell(cells);
  return where;
}

void pipe_in::end_cell(std::uint64_t read) {
  cells_.store(read + 1, std::memory_order_relaxed);
  memory_.read.cells.store(read + 1, std::memory_order_release);
}

} // namespace rondo::detail::inline distributed
