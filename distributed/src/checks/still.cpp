#include "still.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "place_in.hpp"
#include "text.hpp"

namespace rondo::detail::inline distributed {

#ifdef RONDO_CHECKS

namespace {

std::mutex of_all_records;
std::atomic<std::uint64_t> failures_so_far{0};

/// Calls `f(row, length in bytes)` for each row that the color owns.
template<class F>
void each_owned_row(const color_block& b, F&& f) {
  const block_limits& l = *b.limits;
  const auto size = static_cast<std::int64_t>(l.value_size);
  l.owned.for_each_row([&](const point<3>& p, std::int64_t length) {
    f(b.origin + (p[0] + p[1] * b.stride[0] + p[2] * b.stride[1]) * size,
      static_cast<std::size_t>(length * size));
  });
}

/// Elements that `here` has looked at and the owner has changed.
void compare(const block_limits& here, const block_limits& owner) {
  const still_record& mine = *here.still;
  const still_record& theirs = *owner.still;
  if(!mine.has_ended || !theirs.has_ended || mine.launches != theirs.launches ||
     theirs.changed.empty())
    return;
  for(const still_record::seen& s : mine.of_others) {
    if(s.owner != &owner)
      continue;
    const box<3>& ghosts = here.ghosts[s.ghosts];
    ghosts.for_each_row([&](point<3> p, std::int64_t length) {
      for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0]) {
        if(mine.looked_at[s.ghosts][place_in(ghosts, p)] == 0)
          continue;
        point<3> there = p;
        for(std::size_t a = 0; a != 3; ++a)
          there[a] += s.there.lo[a] - ghosts.lo[a];
        if(theirs.changed[place_in(owner.owned, there)] != 0)
          refuse_use(checked_mistake::changed_ghost, here,
            name_of(here, p) + " was looked at, and color " + std::to_string(owner.color) +
              ", whose it is, has changed it in the same launch, though `still` promises that "
              "nobody does",
            "declare accessor<rw, ro>");
      }
    });
  }
}

} // namespace

void note_look(const block_limits& in, std::size_t ghosts, const point<3>& at) {
  if(in.still->looked_at.size() <= ghosts)
    return; // of a task that doesn't write the field
  unsigned char& mark = in.still->looked_at[ghosts][place_in(in.ghosts[ghosts], at)];
  std::atomic_ref(mark).store(1, std::memory_order_relaxed); // read after the task has ended
}

void begin_still(const color_block& b) {
  const block_limits& l = *b.limits;
  still_record& mine = *l.still;
  const std::lock_guard lock(of_all_records);
  ++mine.launches;
  mine.has_ended = false;
  mine.looked_at.resize(l.ghosts.size());
  for(std::size_t g = 0; g != l.ghosts.size(); ++g)
    mine.looked_at[g].assign(static_cast<std::size_t>(l.ghosts[g].size()), 0);
  mine.before.clear();
  each_owned_row(b, [&](const std::byte* row, std::size_t bytes) {
    mine.before.insert(mine.before.end(), row, row + bytes);
  });
}

void end_still(const color_block& b) {
  const block_limits& l = *b.limits;
  still_record& mine = *l.still;
  const std::lock_guard lock(of_all_records);
  mine.changed.clear();
  const std::byte* before = mine.before.data();
  each_owned_row(b, [&](const std::byte* row, std::size_t bytes) {
    for(std::size_t k = 0; k != bytes; k += l.value_size)
      mine.changed.push_back(std::memcmp(row + k, before + k, l.value_size) != 0 ? 1 : 0);
    before += bytes;
  });
  mine.has_ended = true;
  if(mine.failures_before != still_record::failures())
    return;
  for(const still_record::seen& s : mine.of_others)
    compare(l, *s.owner);
  for(const block_limits* const other : mine.seen_by)
    compare(*other, l);
}

void note_failure() { failures_so_far.fetch_add(1, std::memory_order_relaxed); }
std::uint64_t still_record::failures() { return failures_so_far.load(std::memory_order_relaxed); }

#else

std::uint64_t still_record::failures() { return 0; }

void note_look(const block_limits& /*in*/, std::size_t /*ghosts*/, const point<3>& /*at*/) {}

#endif

} // namespace rondo::detail::inline distributed
