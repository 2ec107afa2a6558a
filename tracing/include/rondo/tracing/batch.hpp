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
#include <string>
#include <vector>

#include <rondo/core/job.hpp>
#include <rondo/core/split_deque.hpp>
#include <rondo/tracing/lane_queue.hpp>
#include <rondo/tracing/long_launches.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/seats.hpp>
#include <rondo/tracing/short_launches.hpp>

namespace rondo {

class executor;
class flow;
class worker;

namespace detail::inline tracing {

struct closed_batch;
struct closed_lane;
struct closed_loop;
struct closed_step;
struct crew_room;
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
    // What is free begins at a multiple of eight, and almost every launch asks for no more: then there is
    // nothing to do.
    size = (size + grain - 1) & ~(grain - 1);
    auto at = reinterpret_cast<std::uintptr_t>(free_);
    if(alignment > grain)
      at = (at + alignment - 1) & ~(alignment - 1);
    if(at + size > reinterpret_cast<std::uintptr_t>(end_)) [[unlikely]]
      return reserve_slow(size, alignment);
    auto* const memory = reinterpret_cast<std::byte*>(at);
    free_ = memory + size;
    // The core that ran what was here before may still have the line.
    __builtin_prefetch(free_ + 4 * cache_line, 1);
    return memory;
  }
  void clear();

  flow& home;
  std::uint64_t first = 0; ///< So many launches are in the batches before.
  bool is_closed = false;  ///< Of a closed loop: all have the number of that.
  launch* launches[most];

private:
  static constexpr std::size_t chunk_size = 8192;
  static constexpr std::size_t grain = 8;
  struct chunk_delete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{cache_line}); }
  };
  struct chunk {
    std::unique_ptr<std::byte[], chunk_delete> memory;
    std::size_t size;
  };

  void* reserve_slow(std::size_t size, std::size_t alignment);
  void use(std::size_t i);

  std::byte* free_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t chunk_ = 0; ///< The one in use.
  std::vector<chunk> chunks_;

public:
  alignas(cache_line) std::atomic<std::uint32_t> ended{0};
};

/// What a crew has claimed of a closed loop, and not run yet, piece by piece.
struct claimed_pieces {
  static constexpr unsigned most = 4;

  struct one {
    closed_batch* of;
    std::uint64_t round;   ///< The first pass that shares the slot.
    std::uint64_t pending; ///< A bit for each launch not run yet.
    std::uint64_t end;     ///< In its lane: the place of what comes behind.
    std::uint32_t ended;   ///< So many it has run.
    /// All has ended that its lane has before the first one that is pending. If a launch leaves its stack,
    /// that is so no more once the crew goes on.
    bool is_in_order;
  };

  [[nodiscard]] bool is_empty() const { return count == 0; }
  void add(const one& p) { pieces[count++] = p; }
  void remove(unsigned i) {
    for(--count; i != count; ++i)
      pieces[i] = pieces[i + 1];
  }
  void lose_order() {
    for(unsigned i = 0; i != count; ++i)
      pieces[i].is_in_order = false;
  }

  one pieces[most];
  unsigned count = 0;
};

/// Runs launches: claims some of those not claimed yet, runs them in their order, and so on. If one
/// of them leaves its stack, the crew goes on on another one.
struct crew : job {
  flow* home = nullptr;
  closed_loop* loop = nullptr; ///< Whose launches it runs, and not those of the flow.
  closed_lane* lane = nullptr; ///< Its own of the loop, if there are several.
  unsigned seat = 0;           ///< Which of the crews it is.
  bool alone = false;          ///< The executor has no other worker.

  batch* from = nullptr; ///< What it has claimed, or the last one of it, is in this batch.
  std::uint32_t next = 0;
  std::uint32_t end = 0;
  std::uint32_t ended = 0;       ///< Launches of the batch that it has run and not told of.
  lane_queue* of_lane = nullptr; ///< Instead of that it has claimed launches of this one,
  std::uint64_t first = 0;       ///< from here on, and these of them
  std::uint64_t pending = 0;     ///< it has not come to: a bit for each.
  launch* woken = nullptr;       ///< May go on, and is next.
  launch* handed = nullptr;      ///< The same, of its lane: linked.
  launch* kept = nullptr;        ///< Was to be next, and comes after what is done first.

  /// Instead of all that, of a loop.
  claimed_pieces claimed;
  const closed_step* awaited = nullptr; ///< The first of them that waits for something outside.
  unsigned since_poll = 0;              ///< Looks at launches.
  unsigned between_polls = 4;           ///< So many, if somebody waits for messages.
  unsigned looks_of_launch = 0;         ///< A launch that is run counts as so many.
  bool shares = false; ///< It leaves launches of its loop to others, which run at the same time.
  std::uint64_t patience = 0; ///< Then: so many ticks may what it waits for take to end.
  std::uint64_t waited = 0;   ///< And so many it has, since it claimed.

  void add_woken(launch& l);
  [[nodiscard]] bool has_older() const;
  static void give_out(launch& l);
  static void run_crew(job* j, worker& w);

private:
  friend class step_runner;
  friend class window;
  enum class outcome { gone, again, nothing_more };

  launch* next_launch();
  launch* next_in_its_lane();
  launch* next_of_stock();
  [[nodiscard]] bool is_row_next() const;
  template<class Look>
  void look_outside(const launch_kind* ran, bool was_watched, Look&& look);
  template<class Look>
  bool comes_before_long(Look&& look);
  bool leaves_all_before(launch& kept_back);
  void go_away();
  void come_back();
  [[nodiscard]] lane_queue* own_lane() const;
  bool leave_all();
  bool leave_woken();
  bool leave(launch& l);
  [[nodiscard]] bool is_long_and_ready(launch& l) const;
  void give_way();
  void come_later();
  [[nodiscard]] launch& oldest_pending() const;
  bool comes_soon();
  [[nodiscard]] bool is_any_ready() const;
  [[nodiscard]] bool are_others_running() const;
  bool stalls();
  bool stalls_until(progress& what, std::uint64_t turn);
  static void go_on(turn_wait& w, crew* here);
  void say_running(crew_room& room, bool is_running);
  outcome run_claimed(bool is_long);
  bool claim();
  bool claim_in_loop();
  bool claim_shared(crew_room& room);
  bool leaves_short_ones(crew_room& room);
  bool leaves_short_ones(closed_loop& of);
  bool goes_on(std::uint64_t claimed_by_now, std::uint64_t now);
  [[nodiscard]] std::uint64_t time_to_stay() const;
  bool claim_in_lane(lane_queue& which, std::uint32_t at_most);
  bool claim_own(const lane_queues& lanes);
  bool help_others(const lane_queues& lanes);
  bool claim_soon();
  void tell_ended();
  bool retire();
  bool retire_from_loop();
  void settle();
  void begin_claimed(std::uint32_t n, std::atomic<std::uint32_t>* at_a_time, std::uint64_t worth);
  std::uint32_t plan_in_loop();

  struct stall : turn_wait {
    crew* of;
  };
  stall stall_; ///< It goes on when something has ended that the next launch of its lane waits for.

  std::uint64_t now_ = 0; ///< When it has last looked what to claim.
  std::uint64_t began_ = 0;
  std::uint64_t each_ = 0; ///< So many ticks did launches take that it claimed before.
  /// The same of the last claims, of which the longest counts most.
  std::uint64_t longest_each_ = 0;
  bool looks_by_clock_ = false; ///< Launches of the loop take a while, or some do.
  std::uint32_t claimed_ = 0;   ///< Last; 0: that is settled.
  std::atomic<std::uint32_t>* at_a_time_ = nullptr; ///< Where that is claimed.
  std::uint64_t worth_ = 0; ///< What is claimed is to take about so many ticks.
  bool is_own_ = false;     ///< That is of its own lane.
  bool is_ready_ = false;   ///< Nothing is missing that the launch waits for which is next.
  bool is_said_running_ = false;
  bool looks_in_stock_ = false;     ///< Something has come that may be there.
  bool is_away_ = false;            ///< It has said so.
  bool gives_way_ = false;          ///< Something else is to be done before more of its launches.
  std::uint64_t entered_ = 0;       ///< When it was begun, or gone on with.
  std::uint32_t ended_at_look_ = 0; ///< `ended`, at the last look outside.
  bool has_helped_in_vain_ = false; ///< Since it has claimed something of its own.
  bool leaves_ = false;             ///< What is there is left to another one.
  std::uint64_t seen_claimed_ = 0;  ///< So many were claimed by all crews at the last look,
  std::uint64_t seen_at_ = 0;       ///< and for the first time at this one.
};

/// One for each worker. They stay where they are when more are added.
class crew_list {
public:
  void grow(unsigned crews) {
    while(size() < crews)
      all_.push_back(std::make_unique<crew>());
  }
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(all_.size()); }
  crew& operator[](unsigned seat) { return *all_[seat]; }

private:
  std::vector<std::unique_ptr<crew>> all_;
};

/// What the crews and the code that launches share.
struct crew_room {
  alignas(cache_line) std::atomic<std::uint64_t> launched{0}; ///< May be claimed.
  alignas(cache_line) std::atomic<std::uint64_t> claimed{0};
  short_launches short_ones;
  std::atomic<std::uint32_t> at_a_time{1}; ///< How many a crew claims at most.
  /// What is launched now goes to the lanes, so what is left of the shared ones is older; else it is
  /// the other way round.
  std::atomic<bool> uses_lanes{false};
  std::atomic<const lane_queues*> lanes{nullptr}; ///< Null: none yet.

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
  /// Twice the number of those who may look at the flow, which lives until there are none; and one
  /// if its destructor waits for that.
  alignas(cache_line) std::atomic<std::uint32_t> inside{0};
  alignas(cache_line) std::atomic<batch*> awaited{
    nullptr}; ///< The code that launches waits for the end of this one.
  std::atomic<std::uint64_t> first_failed{~std::uint64_t{0}};
  mutable std::mutex failure_mutex;
  std::exception_ptr failure;
  alignas(cache_line) long_launches long_ones;
  std::string failed; ///< Which launch it is, for messages. Kept until the next failure.
  crew_list crews;    ///< The code that launches adds to them.
};

/// A launch as a job: goes on where it has stopped.
void run_launch(job* j, worker& w);
/// Tells the launch that it may go on: the crew will see to it, or it is enqueued.
void go_on_launch(turn_wait& w, crew* here);
/// It may, on any worker. One that takes long, beside messages, comes behind all else.
void let_go_on(launch& l);

} // namespace detail::inline tracing
} // namespace rondo
