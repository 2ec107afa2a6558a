#pragma once

/// \file
/// Whether a promise is kept: `still` ghosts are those that nobody writes in this launch.
///
/// Each color notes which of these ghosts its task has looked at, and which of its own elements have changed. Of two colors
/// of this rank whose tasks of a launch have both ended, the second one compares. Colors of other ranks are not asked:
/// ghosts are copies of these, as they were before the launch. The same program on one rank sees all.
///
/// Which launch it is follows from counting: all colors run the same launches that write the field and have `still`
/// ghosts of it, and none begins the next one before its neighbours have ended this one, as its ghosts are stale.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/block_limits.hpp>

namespace rondo::detail::inline distributed {

/// Of a field for one color. Members that change after a task has ended, or are another color's, only with the mutex.
struct still_record {
  /// Some of our ghosts, and where their owner has them.
  struct seen {
    std::size_t ghosts; ///< Which of the boxes.
    const block_limits* owner;
    box<3> there;
  };
  std::vector<seen> of_others;
  std::vector<const block_limits*> seen_by;
  std::vector<std::vector<unsigned char>>
    looked_at;                        ///< For each box of ghosts, in the order of its elements.
  std::vector<std::byte> before;      ///< What is owned, as the task found it.
  std::vector<unsigned char> changed; ///< Of what is owned, in order.
  std::uint64_t launches = 0;
  bool has_ended = true;
  const std::uint64_t failures_before = failures(); ///< When the field was made.

  static std::uint64_t failures();
};

/// A task looks at that element of a box of ghosts. It may do so by several threads.
void note_look(const block_limits& in, std::size_t ghosts, const point<3>& at);

/// Before and after a task that writes what is owned and has `still` ghosts. Throws std::logic_error.
void begin_still(const color_block& b);
void end_still(const color_block& b);
/// A task has failed. Others may be skipped, so launches of the fields that there are can't be counted any more.
void note_failure();

} // namespace rondo::detail::inline distributed
