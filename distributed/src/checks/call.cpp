#ifdef RONDO_CHECKS

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include <rondo/distributed/block_limits.hpp>
#include <rondo/distributed/checked_call.hpp>

#include "asked.hpp"
#include "still.hpp"
#include "text.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// A quiet NaN for both kinds of floating-point numbers, and an unlikely integer.
constexpr std::array<unsigned char, least_marked> unwritten{0xd3, 0xa5, 0xfb, 0xff};

/// A value that is smaller may well be written as what it is filled with.
bool is_small(const block_limits& l) { return l.value_size < least_marked; }

std::vector<std::byte> marked_row(const block_limits& l) {
  std::vector<std::byte> row(static_cast<std::size_t>(l.inside.length(0)) * l.value_size);
  for(std::size_t k = 0; k != row.size(); ++k)
    row[k] = std::byte{unwritten[k % l.value_size % unwritten.size()]};
  return row;
}

std::byte* at(const color_block& b, const point<3>& p) {
  const std::int64_t elements = p[0] + p[1] * b.stride[0] + p[2] * b.stride[1];
  return b.origin + elements * static_cast<std::int64_t>(b.limits->value_size);
}

/// The first element of a row that is the same in both; the length if there is none.
std::size_t first_same(
  const std::byte* row, const std::byte* other, std::size_t length, std::size_t value_size) {
  std::size_t i = 0;
  while(i != length && std::memcmp(row + i * value_size, other + i * value_size, value_size) != 0)
    ++i;
  return i;
}
std::size_t first_different(
  const std::byte* row, const std::byte* other, std::size_t length, std::size_t value_size) {
  std::size_t i = 0;
  while(i != length && std::memcmp(row + i * value_size, other + i * value_size, value_size) == 0)
    ++i;
  return i;
}

void mark(const color_block& b) {
  const std::vector<std::byte> row = marked_row(*b.limits);
  b.limits->inside.for_each_row([&](const point<3>& first, std::int64_t /*all*/) {
    std::memcpy(at(b, first), row.data(), row.size());
  });
}

void begin_marks(const color_block& b) {
  mark(b);
  if(is_small(*b.limits))
    begin_asking(*b.limits);
}

void refuse_unwritten(const checked_use& u, const point<3>& p) {
  const block_limits& l = *u.block->limits;
  refuse_use(checked_mistake::unwritten_element, l,
    name_of(l, p) + " was not written, though " + accessor_with(u.owned, u.ghosts) +
      " promises that all are",
    "write all, or declare " + accessor_with(rw, u.ghosts));
}

void check_marks(const checked_use& u) {
  const block_limits& l = *u.block->limits;
  const std::vector<std::byte> row = marked_row(l);
  l.inside.for_each_row([&](point<3> first, std::int64_t length) {
    const auto n = static_cast<std::size_t>(length);
    const std::size_t i = first_same(at(*u.block, first), row.data(), n, l.value_size);
    if(i == n)
      return;
    first[0] += static_cast<std::int64_t>(i);
    refuse_unwritten(u, first);
  });
}

/// Elements that were not asked for were not written, unless the task writes behind a pointer to another element. It has done so
/// if any of these elements has changed; then nothing can be said.
void check_asked(const checked_use& u) {
  const block_limits& l = *u.block->limits;
  const std::vector<std::byte> row = marked_row(l);
  std::optional<point<3>> unasked;
  bool has_changed = false;
  l.inside.for_each_row([&](point<3> p, std::int64_t length) {
    for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0]) {
      if(was_asked(l, p))
        continue;
      if(!unasked)
        unasked = p;
      has_changed = has_changed || std::memcmp(at(*u.block, p), row.data(), l.value_size) != 0;
    }
  });
  if(unasked && !has_changed)
    refuse_unwritten(u, *unasked);
}

void end_marks(const checked_use& u) {
  if(is_small(*u.block->limits))
    check_asked(u);
  else
    check_marks(u);
}

std::vector<std::byte> ghosts_of(const color_block& b) {
  std::vector<std::byte> all;
  for(const box<3>& ghosts : b.limits->ghosts)
    ghosts.for_each_row([&](const point<3>& first, std::int64_t length) {
      const std::byte* const row = at(b, first);
      all.insert(all.end(), row, row + static_cast<std::size_t>(length) * b.limits->value_size);
    });
  return all;
}

void check_ghosts(const checked_use& u, const std::vector<std::byte>& before) {
  const block_limits& l = *u.block->limits;
  const std::byte* next = before.data();
  for(const box<3>& ghosts : l.ghosts)
    ghosts.for_each_row([&](point<3> first, std::int64_t length) {
      const auto n = static_cast<std::size_t>(length);
      const std::size_t i = first_different(at(*u.block, first), next, n, l.value_size);
      next += n * l.value_size;
      if(i == n)
        return;
      first[0] += static_cast<std::int64_t>(i);
      refuse_use(checked_mistake::written_ghost, l,
        name_of(l, first) + " was written, but belongs to another color, which doesn't get that; " +
          accessor_with(u.owned, u.ghosts) + " only reads ghosts",
        "write to m.owned() only: each color computes its own points");
    });
}

/// These are copies, as far as the task may see.
bool keeps_ghosts(const checked_use& u) { return writes(u.owned) && u.ghosts == ro; }
bool watches_still(const checked_use& u) { return writes(u.owned) && u.ghosts == still; }

} // namespace

checked_call::checked_call(const char* task, std::span<const checked_use> uses)
    : here_(task), uses_(uses), before_(uses.size()) {
  for(std::size_t k = 0; k != uses.size(); ++k) {
    const checked_use& u = uses[k];
    if(u.block == nullptr)
      continue;
    if(u.owned == wo)
      begin_marks(*u.block);
    if(keeps_ghosts(u))
      before_[k] = ghosts_of(*u.block);
    if(watches_still(u))
      begin_still(*u.block);
  }
}

checked_call::~checked_call() {
  if(!has_ended_)
    note_failure();
}

void checked_call::end() {
  for(std::size_t k = 0; k != uses_.size(); ++k) {
    const checked_use& u = uses_[k];
    if(u.block == nullptr)
      continue;
    if(u.owned == wo)
      end_marks(u);
    if(keeps_ghosts(u))
      check_ghosts(u, before_[k]);
    if(watches_still(u))
      end_still(*u.block);
  }
  has_ended_ = true;
}

} // namespace rondo::detail::inline distributed

#endif
