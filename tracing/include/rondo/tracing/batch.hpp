#pragma once

/// \file
/// How launches get from the code that launches to the workers: batches of launches, each with its
/// memory, in a ring; and crews, which claim them. The protocol: docs/protocols/flow.md.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/core/job.hpp>
#include <rondo/core/split_deque.hpp>
#include <rondo/tracing/claim_size.hpp>
#include <rondo/tracing/lane_queue.hpp>
#include <rondo/tracing/launch_memory.hpp>
#include <rondo/tracing/long_launches.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/seats.hpp>
#include <rondo/tracing/short_launches.hpp>
#include <rondo/tracing/standing_launches.hpp>
#include <rondo/tracing/visitors.hpp>

namespace rondo {

class executor;
class flow;
class worker;

namespace detail::inline tracing {

struct crew;
struct flow_crew;
struct gate;
struct launch;
struct launch_kind;
struct running;

/// Launches in the order of the program, and the memory they are in.
struct batch {
  static constexpr std::uint32_t most = 64;

  explicit batch(flow& f) : home(f) {}

  /// Memory for a launch. It is used again when all launches of the batch have ended.
  void* reserve(std::size_t size, std::size_t alignment) {
    return memory_.reserve(size, alignment);
  }
  void clear();

  /// Observers are told of the launch at this place. It keeps no place of its own in the program where it is replayed.
  /// Returns false if there is no memory for that.
  bool note_seen(std::uint32_t at, const std::source_location& where) noexcept {
    if(seen_ == nullptr)
      seen_.reset(new(std::nothrow) std::source_location[most]);
    if(seen_ != nullptr)
      seen_[at] = where;
    return seen_ != nullptr;
  }
  [[nodiscard]] const std::source_location& seen(std::uint32_t at) const { return seen_[at]; }

  /// The executor has the launch of this place, where another one stands for it. Kept for those who look for what a flow
  /// waits for: without memory it is not found.
  void note_hinted(std::uint32_t at, launch& l) noexcept {
    if(hinted_ == nullptr)
      hinted_.reset(new(std::nothrow) launch*[most]());
    if(hinted_ != nullptr)
      hinted_[at] = &l;
  }
  /// Null if it is not known.
  [[nodiscard]] launch* hinted(std::uint32_t at) const {
    return hinted_ != nullptr ? hinted_[at] : nullptr;
  }

  /// By the code that launches, before the launch at this place may be claimed: it stands, and is launched so.
  void note_standing(std::uint32_t at, const standing_use& use) {
    uses_[at] = use;
    standing_.store(standing_.load(std::memory_order_relaxed) | std::uint64_t{1} << at,
      std::memory_order_relaxed);
  }
  /// By the crew that has claimed `count` launches from `at` on: those that stand are told their batch and their pass.
  void prepare(std::uint32_t at, std::uint32_t count);

  flow& home;
  std::uint64_t first = 0; ///< So many launches are in the batches before.
  bool is_closed = false;  ///< Of a closed loop: all have the number of that.
  launch* launches[most];

private:
  launch_memory memory_;
  std::unique_ptr<std::source_location[]> seen_; ///< Null until somebody observes.
  std::unique_ptr<launch*[]> hinted_;            ///< Null until one has hints.
  std::atomic<std::uint64_t> standing_{0};       ///< A bit for each launch that does. Those
  standing_use uses_[most];                      ///< say here what else they are.

public:
  alignas(cache_line) std::atomic<std::uint32_t> ended{0};
  /// Where one worker is alone, a bit for each launch with hints: a crew has passed over it, or it has ended.
  std::uint64_t met = 0;
};

/// One for each worker. They stay where they are when more are added.
template<class Crew>
class crew_list {
public:
  void grow(unsigned crews) {
    while(size() < crews)
      all_.push_back(std::make_unique<Crew>());
  }
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(all_.size()); }
  Crew& operator[](unsigned seat) { return *all_[seat]; }

private:
  std::vector<std::unique_ptr<Crew>> all_;
};

/// What the crews and the code that launches share.
struct crew_room {
  alignas(cache_line) std::atomic<std::uint64_t> launched{0}; ///< May be claimed.
  alignas(cache_line) std::atomic<std::uint64_t> claimed{0};
  short_launches short_ones;
  claim_size at_a_time{1}; ///< How many a crew claims at most.
  /// New launches go to the lanes, so those left of the shared ones are older; else it is the other way
  /// round.
  std::atomic<bool> uses_lanes{false};
  std::atomic<const lane_queues*> lanes{nullptr}; ///< Null until there are some.

  /// Of the shared ones.
  [[nodiscard]] bool is_anything_left() const {
    return static_cast<std::int64_t>(launched.load(std::memory_order_seq_cst) -
                                     claimed.load(std::memory_order_seq_cst)) > 0;
  }
  /// And of those of the crew's lane.
  [[nodiscard]] bool is_anything_left_for(unsigned seat) const {
    if(is_anything_left())
      return true;
    const lane_queues* const all = lanes.load(std::memory_order_seq_cst);
    return all != nullptr && seat < all->size() && (*all)[seat]->is_anything_left();
  }

  /// Where one worker is alone: launches begun, or come to, that have not ended.
  std::uint32_t behind = 0;
  alignas(cache_line) seats at_work;
  /// So many crews of lanes are run by some worker just now.
  alignas(cache_line) std::atomic<std::uint32_t> running{0};
  /// Waits of crews of closed loops, one after the other, each for what did not come. No more are counted than matter.
  std::atomic<std::uint32_t> waits_in_vain{0};
  alignas(cache_line) visitors inside; ///< May look at the flow: it lives until there are none.
  alignas(cache_line) std::atomic<batch*> awaited{
    nullptr}; ///< The code that launches waits for the end of this one.
  std::atomic<std::uint64_t> first_failed{~std::uint64_t{0}};
  std::atomic<bool> has_hints{false}; ///< Some launch had, so crews look for such.
  mutable std::mutex failure_mutex;
  std::exception_ptr failure;
  alignas(cache_line) long_launches long_ones;
  std::string failed;         ///< Which launch it is, for messages. Kept until the next failure.
  crew_list<flow_crew> crews; ///< The code that launches adds to them.
};

/// Of what stands in a batch in the place of a launch with hints, which the executor has.
extern const launch_kind passed_over_kind;
/// A launch as a job: goes on where it has stopped.
void run_launch(job* j, worker& w);
/// Tells the launch that it may go on: the crew will see to it, or it is enqueued.
void go_on_launch(turn_wait& w, crew* here);
/// The same for one with hints.
void go_on_hinted(turn_wait& w, crew* here);
/// It may, on any worker. One that takes long, beside messages, comes behind all else.
void let_go_on(launch& l);

} // namespace detail::inline tracing
} // namespace rondo
