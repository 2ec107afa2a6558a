#pragma once

/// \file
/// Closed loops: `flow::repeat`. The launches of the body are kept, and run n times without being
/// launched again. docs/protocols/trace.md.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/tracing/batch.hpp>
#include <rondo/tracing/claim_size.hpp>
#include <rondo/tracing/lane_events.hpp>
#include <rondo/tracing/launch.hpp>
#include <rondo/tracing/launch_memory.hpp>
#include <rondo/tracing/long_steps.hpp>
#include <rondo/tracing/loop.hpp>
#include <rondo/tracing/progress.hpp>
#include <rondo/tracing/template.hpp>

namespace rondo::detail::inline tracing {

/// A launch of the body, of which there is one for each pass under way: what is needed when it has
/// to wait. Its accesses lie behind it, as with any launch.
struct instance : launch {};

struct closed_loop;
struct loop_crew;

/// What is to be done for it. A cache line: all that a crew looks at before and after it runs.
struct alignas(cache_line) closed_step {
  void (*run)(launch& prototype, bool is_last_time);
  bool (*is_ready)(launch& prototype); ///< Null if it is whenever its edges let it go on.
  launch* prototype;
  const template_node* node;
  const edge* edges; ///< The node's.
  const edge* edges_end;
  launch_event* done;
  std::uint32_t pass;      ///< Of those that share the slot.
  std::uint16_t own_edges; ///< The first ones, for launches of the same lane.
  bool is_simple;          ///< Edges and `done` are all there is to do.
  /// So many behind it in the batch wait for nothing but what their lane has before them.
  std::uint8_t followers;

  [[nodiscard]] bool may_start(std::uint64_t round) const {
    return are_reached(edges, edges_end, round);
  }
  /// The edges to launches of other lanes, up to `edges_end`.
  [[nodiscard]] const edge* edges_of_others() const { return edges + own_edges; }
  /// Where all that comes before it in its lane has ended.
  [[nodiscard]] bool others_let_start(std::uint64_t round) const {
    return are_reached(edges_of_others(), edges_end, round);
  }
};
static_assert(sizeof(closed_step) == cache_line);

/// A part of a slot that is claimed and counted together; all of one lane.
struct closed_batch : batch {
  closed_batch(flow& f, closed_loop& l, std::uint32_t number, std::uint32_t n)
      : batch(f), loop(l), lane(number), of_pass(n) {
    this->is_closed = true;
  }
  /// Once all steps are there.
  void find_followers(bool is_only_lane);
  /// Its launches are to run once more, as those of these prototypes.
  void begin_again(const closed_loop& of);
  /// So many are claimed from there at the most: a launch that takes long is the last one, so that what comes behind it is left
  /// to others while it runs.
  [[nodiscard]] std::uint32_t up_to_long(std::uint32_t from) const;
  /// Makes the launch ready to be run by any crew.
  launch& wake_up(std::uint32_t i, std::uint64_t first_round_of_slot);

  closed_loop& loop;
  const std::uint32_t lane;
  const std::uint32_t of_pass; ///< Launches that a pass has in the lane.
  std::uint32_t size = 0;
  /// Its launches run as they are where no launch up to this one has failed: that is the number of the loop, or the last number
  /// there is if the loop is in a pass that is in vain. Relaxed: code that must know comes after the code that has written it.
  std::atomic<std::uint64_t> runs_before{0};
  /// A bit for each step that takes long, as far as is known. Relaxed: it guards nothing.
  std::atomic<std::uint64_t> long_ones{0};
  closed_step steps[most];
  alignas(cache_line) std::atomic<std::uint64_t> ended{
    0}; ///< Of its launches, all passes together.
};

/// Launches that one crew runs if it can, pass after pass: see loop_lanes.hpp.
struct closed_lane {
  /// So many were claimed, in the order of all passes.
  alignas(cache_line) std::atomic<std::uint64_t> claimed{0};
  claim_size at_a_time{16};

  // A unit is a pass, or some short ones; it takes up a slot.
  alignas(cache_line) std::uint64_t all = 0; ///< Launches of all passes.
  std::uint32_t passes_of_unit = 1;
  std::uint32_t unit = 0;  ///< Launches of one.
  std::uint64_t slots = 0; ///< Units under way at the same time, at most.
  std::uint32_t pieces_of_slot = 0;
  std::vector<std::unique_ptr<closed_batch>> pieces;
  std::unique_ptr<lane_events> events; ///< Null if it is the only lane.

  /// Launches that had to wait and may go on, for the crew of the lane. Any thread.
  void hand_over(launch& l);
  /// All of them, linked; null: none.
  launch* take_handed();
  [[nodiscard]] bool has_handed() const {
    return handed_.load(std::memory_order_seq_cst) != nullptr;
  }

  /// Its crew runs something that takes long: what may go on meanwhile is for any worker. seq_cst: who
  /// hands something over either sees this, or that is seen by the crew, which looks at what was handed over next.
  void go_away() { is_away_.store(true, std::memory_order_seq_cst); }
  void come_back() {
    // Relaxed: nothing is lost where it is seen late.
    if(is_away_.load(std::memory_order_relaxed))
      is_away_.store(false, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_away() const { return is_away_.load(std::memory_order_seq_cst); }

  [[nodiscard]] closed_batch& piece(std::uint64_t of_unit, std::uint32_t index) const {
    return *pieces[(of_unit % slots) * pieces_of_slot + index / batch::most];
  }
  /// Claims launches for a crew: of one slot, one after the other. Where the passes that come are in vain it
  /// skips them all. Returns how many it has claimed.
  std::uint32_t claim(loop_crew& c, std::uint32_t at_most);
  /// To be claimed.
  [[nodiscard]] bool is_anything_left() const;
  /// All launches are to run once more, as those of these prototypes.
  void begin_again(const closed_loop& of);

  /// As long as its crew is away: what was handed over to it is for any worker. Returns true if there was something.
  bool give_out_handed();

  /// Launches from this place on are skipped: they count as ended once all before it have. Returns true for one caller,
  /// when that is so.
  bool take_skipped(std::uint64_t& from);
  void skip_from(std::uint64_t place) { skipped_.store(place, std::memory_order_seq_cst); }
  [[nodiscard]] bool is_skipped() const {
    return skipped_.load(std::memory_order_seq_cst) != nowhere;
  }

  /// Its crew has seen the end of all launches before this one.
  std::uint64_t ended_before = 0;

private:
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  [[nodiscard]] bool is_free(std::uint64_t of_unit) const;
  /// All launches before this one, which the caller has claimed, have ended.
  [[nodiscard]] bool has_ended_before(std::uint64_t place) const;
  /// The first pieces of the unit have.
  [[nodiscard]] bool have_ended(std::uint64_t of_unit, std::uint32_t first_pieces) const;

  alignas(cache_line) std::atomic<turn_wait*> handed_{nullptr};
  std::atomic<std::uint64_t> skipped_{nowhere};
  std::atomic<bool> is_away_{false};
};

/// Some that follow each other, of those that are kept while the body is called: `last` is behind them.
struct kept_launches {
  std::size_t first;
  std::size_t last;
};

struct closed_loop {
  closed_loop(flow& f, std::uint64_t n, const std::source_location& place, loop_pass* around);
  ~closed_loop();
  closed_loop(const closed_loop&) = delete;
  closed_loop& operator=(const closed_loop&) = delete;

  // ---- while the body is called ---------------------------------------------------------------

  /// Memory for a prototype.
  void* reserve(std::size_t size, std::size_t alignment) {
    return memory_.reserve(size, alignment);
  }
  std::vector<launch*> give_prototypes();

  // ---- before it begins -----------------------------------------------------------------------

  void compile();
  void complete();
  /// Instead of these two: takes over what the body of the other one has launched, which is like it.
  void begin_again(closed_loop& other);
  void begin();

  // ---- between two of its kind: spare_loops.hpp -----------------------------------------------

  /// All of it has been run, and nothing of it has failed: so what was found out is worth keeping.
  [[nodiscard]] bool is_worth_keeping() const;
  [[nodiscard]] std::uint64_t instances() const;
  /// Until it begins again: it keeps nothing of the program's.
  void rest();
  /// It begins at the same place, and its body has launched the same, with the same regions, for as many passes and workers.
  [[nodiscard]] bool is_like(const closed_loop& other) const;

  // ---- the running side -----------------------------------------------------------------------

  [[nodiscard]] bool has_lanes() const { return lanes_.size() > 1; }
  /// Where the crew looks first.
  [[nodiscard]] closed_lane& lane_of(unsigned seat) const {
    return *lanes_[has_lanes() ? seat : 0];
  }
  /// Of its lane. If there is nothing left, it may help with another one. Returns how many launches it has claimed.
  std::uint32_t claim(loop_crew& c, std::uint32_t at_most, bool helps);
  /// The launch may go on, in its lane, unless the crew of that is away.
  void hand_over(launch& l);
  /// The crew is away, and something is left in its lane, or was handed over to it: one that has nothing to do is to help.
  void call_helper(unsigned seat);
  /// Launches handed over to lanes whose crews are away are for any worker, now that this crew has nothing to do. Returns true if
  /// there was something.
  bool help_with_handed(unsigned seat);
  void count(closed_batch& b, std::uint32_t n);
  /// So many ticks did the launch take that is the one of this number in a pass.
  void note_length(std::uint32_t launch, std::uint64_t took);
  [[nodiscard]] bool takes_long(const launch& l) const { return long_ones.contain(l.node->index); }
  /// Something has failed that comes before all launches of this pass, or the loop is in a pass that is in vain.
  [[nodiscard]] bool is_in_vain(std::uint64_t round) const;
  [[nodiscard]] bool may_be_in_vain() const;
  /// The pass that the loop is in turns out to be in vain.
  void leave_out_passes();
  /// Ends launches of the lane that were to be skipped, if all before them have ended.
  void end_skipped(closed_lane& l);
  /// Where one worker is alone, its crew leaves with launches that can't go on, and something has
  /// happened that may let some of them.
  void call_stalled();
  void note_gone(const region_base& r);
  /// Calls `f(launch)` for each launch of a pass that may be under way.
  template<class F>
  void each_instance(F&& f) const {
    for(const auto& lane : lanes_)
      for(const auto& piece : lane->pieces)
        for(std::uint32_t i = 0; i != piece->size; ++i)
          f(*piece->launches[i]);
  }
  [[nodiscard]] bool is_last(std::uint64_t round) const { return round + 1 == passes; }
  /// In the order of the launches of all passes.
  [[nodiscard]] std::uint64_t place(std::uint64_t round, const template_node& n) const {
    return round * made->size() + n.index;
  }

  flow& home;
  const std::uint64_t passes;
  const std::source_location where;
  const std::uint32_t lanes_wanted; ///< When it was made.
  loop_pass* pass = nullptr;        ///< Of the loop around, or null.
  std::atomic<bool> is_left_out{false};
  std::uint64_t id = 0;        ///< Of the launch that ends with the loop.
  const launch* end = nullptr; ///< The launch at the end. It may wait already while the loop runs.
  bool is_over = false;        ///< All has been run, as the launching side knows; or it was opened.
  std::uint64_t last_launch = 0; ///< Launches up to this one may look at it, once it is over.
  std::unique_ptr<trace_template> made;
  std::vector<launch*> prototypes;
  bool is_told = false; ///< Observers know that it has begun.
  recording body;       ///< As it was launched: for observers, and to be compared.
  progress finished;    ///< 1 when all has been run.

  /// Without lanes, of launches that take a while, a crew claims so many at most: what others could
  /// run at the same time is left to them.
  std::uint32_t fair_share = batch::most;
  alignas(cache_line) std::atomic<std::uint64_t> ended{0};
  seats at_work;
  short_launches short_ones;
  long_steps long_ones;
  std::atomic<std::uint64_t> first_failed{~std::uint64_t{0}};
  visitors inside;            ///< Crews, and others, that may look at the loop.
  crew_list<loop_crew> crews; ///< As many as there were workers when the loop was closed.

private:
  void end_prototypes();
  void leave_out(const recording& all);
  void add_joins();
  void note_ended(std::uint64_t n);
  [[nodiscard]] std::string why_skipped() const;
  /// One more of so many.
  void make_lane(const std::vector<std::uint32_t>& launches, std::uint32_t lanes);
  void add_instance(closed_batch& b, std::uint32_t launch, std::uint32_t pass);
  void call_crews(std::uint32_t lane);
  void call_crew(unsigned seat);

  std::vector<std::unique_ptr<closed_lane>> lanes_;
  /// Which launch of which lane each launch of a pass is.
  struct place_in_lanes {
    std::uint32_t lane;
    std::uint32_t launch;
  };
  std::vector<place_in_lanes> places_;
  /// What the instances of such launches are. There are as many as the body has kinds of launches, which are few.
  const launch_kind& kind_of_instances(const launch& prototype);
  std::vector<std::unique_ptr<const launch_kind>> kinds_;
  launch_memory memory_;
  launch join_;      ///< The prototype of all joins.
  std::string gone_; ///< What is wrong with the body: it uses a region that is gone.
};

} // namespace rondo::detail::inline tracing
