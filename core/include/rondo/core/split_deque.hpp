#pragma once

/// \file
/// The work-stealing deque: a private stack that only its owner touches, and a small shared
/// ring that holds the oldest jobs, for thieves.
///
/// Only what thieves may take is synchronized. A push and the matching pop cost two plain
/// stores and two relaxed loads; the owner moves jobs from the stack to the ring when a thief
/// has asked ("hunger"), and only then executes a read-modify-write. An owner that does not answer,
/// because it runs a long body, is answered for: a thief moves its jobs to the ring by force.
///
/// The protocol, its states and the reason for every memory order: docs/protocols/deque.md.
/// Its model: docs/protocols/deque.pml.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <rondo/core/job.hpp>

namespace rondo {

inline constexpr std::size_t cache_line = 64;

class split_deque {
public:
  /// Says whether a push to a full private stack makes it `grow`, or is refused. The stack
  /// of forks refuses, because frames remember the address of their slot.
  enum class overflow { grow, refuse };

  /// Jobs that thieves can see at one time.
  static constexpr std::uint32_t ring_capacity = 64;

  split_deque(std::size_t capacity, overflow policy);
  split_deque(const split_deque&) = delete;
  split_deque& operator=(const split_deque&) = delete;

  // ---- the owner -------------------------------------------------------------------------

  /// What a push or pop found besides doing its work. `published`: jobs went to the ring, so a
  /// sleeping worker should be woken.
  struct push_result {
    job** slot;
    bool published;
  };

  /// Pushes, and returns the slot for the matching `take`. A null slot means the stack is full
  /// and refuses: the caller keeps the job.
  job** push(job* j) {
    job** const slot = top();
    if(slot >= push_limit_.load(std::memory_order_relaxed)) [[unlikely]]
      return nullptr;
    *slot = j;
    raise_top(slot + 1);
    return slot;
  }

  /// Shows `j` to thieves at once, if they have asked and there is nothing else in the deque; else
  /// returns false, and nothing is done. For jobs that are popped, not taken by their slots: the way
  /// through the private part, there and back, would be twice as long.
  bool show(job* j);

  /// Slots for `count` pushes at once, to be filled by the caller oldest first; or null, as above:
  /// then push one by one. `filled` comes next: until then they are not in the deque.
  job** push_many(std::size_t count) {
    job** const slot = top();
    // As integers: with a null limit there is no pointer difference to speak of.
    if(reinterpret_cast<std::uintptr_t>(slot + count) >
       reinterpret_cast<std::uintptr_t>(push_limit_.load(std::memory_order_relaxed))) [[unlikely]]
      return nullptr;
    return slot;
  }
  void filled(std::size_t count) { raise_top(top() + count); }

  /// What a refused push leaves its caller instead of a slot: taking it back succeeds always.
  [[nodiscard]] job** refused_slot() const { return end_; }

  /// The rest of `push` when it returned null: growth, and answering hunger.
  push_result push_slow(job* j);

  /// Takes back the job that was pushed into `slot`, the newest one, if it is still private
  /// and no thief has asked. Returns false if the caller has to look closer, with `take_slow`.
  bool take(job** slot) {
    lower_top(slot);
    return slot >= take_floor_.load(std::memory_order_relaxed);
  }

  /// Makes room for `count` more jobs, so that pushing them cannot fail. For a deque that may grow.
  /// Returns whether jobs were published.
  bool make_room(std::size_t count);

  enum class taken { mine, stolen };

  struct take_result {
    taken outcome;
    bool published;
  };

  /// The rest of `take` when it returned false.
  take_result take_slow(job** slot);

  struct pop_result {
    job* found;
    bool published;
  };

  /// Takes the newest job, private or published; null when there is none.
  pop_result pop() {
    job** const slot = top() - 1;
    lower_top(slot);
    if(slot >= take_floor_.load(std::memory_order_relaxed)) [[likely]]
      return {*slot, false};
    return pop_slow(slot);
  }

  /// Takes the newest job if it is `j`, private or published. Otherwise the result's job is null.
  pop_result pop_if(job* j) {
    if((private_size() != 0 ? top()[-1] : newest_published()) != j)
      return {nullptr, false};
    return pop();
  }

  /// Shows thieves something if they have nothing to take and there is something. Returns
  /// whether it did.
  bool publish_if_bare() {
    return private_size() != 0 && published_size() == 0 && publish_now(part::older_half);
  }

  /// Shows them all, as far as there is room: for an owner that does not come here for long. Returns whether it did.
  bool publish_all() { return private_size() != 0 && publish_now(part::all); }

  /// No slot is in use, not even by a job that was stolen: frames remember nothing of this deque.
  [[nodiscard]] bool untouched() const { return top() == storage_.get(); }

  /// A note of the owner about the code whose jobs these are; thieves may read it.
  void note(bool value) { note_.store(value, std::memory_order_relaxed); }
  [[nodiscard]] bool noted() const { return note_.load(std::memory_order_relaxed); }

  /// Jobs that thieves can't see. Jobs that a thief has just moved to the ring may be counted here still.
  [[nodiscard]] std::size_t private_size() const {
    // Acquire: if a thief has moved the base, the jobs below it are seen in the ring.
    return static_cast<std::size_t>(top() - base_.load(std::memory_order_acquire));
  }

  /// A thief looked for something here since the owner last gave, and left with nothing or with
  /// the last of it. One load of a line that the owner reads at every push anyway. Only a hint:
  /// the thief may have found work elsewhere meanwhile.
  [[nodiscard]] bool hungry() const {
    return push_limit_.load(std::memory_order_relaxed) == nullptr;
  }

  // ---- any thread ------------------------------------------------------------------------

  /// Takes the oldest published job, or null. When it was the last one, asks for more.
  job* steal();

  /// Takes up to half of the published jobs, at most `most`, oldest first.
  std::uint32_t steal_half(job** into, std::uint32_t most);

  /// Asks the owner to publish at its next push or pop. A worker does this on every deque
  /// before it sleeps; see docs/protocols/notifier.md.
  void ask() {
    // Loads first: thieves ask often, and a line that is only read stays where it is. seq_cst,
    // like the exchanges in `calm_down`: either this sees the owner calm, or the owner, when it
    // calms down, publishes before it looks at the sleepers, and sees the asker among them.
    if(push_limit_.load(std::memory_order_seq_cst) != nullptr)
      push_limit_.store(nullptr, std::memory_order_release);
    if(take_floor_.load(std::memory_order_seq_cst) != never())
      take_floor_.store(never(), std::memory_order_release);
  }

  /// Jobs seem to be here that thieves can't see. Only a hint: the owner is not asked.
  [[nodiscard]] bool hides_any() const { return top() > base_.load(std::memory_order_relaxed); }

  /// Publishes in the place of an owner that does not come to it. Returns whether it did: not if the
  /// owner is awake after all. Interrupts all threads of the process, so only for a thief that has
  /// asked in vain for long.
  bool publish_by_force();

  // seq_cst: the last look of a searcher that leaves, and of a worker before it sleeps.
  [[nodiscard]] std::uint32_t published_size() const {
    return ring_state{shared_.load(std::memory_order_seq_cst)}.size();
  }

private:
  /// Both ends of the ring and a version in one word, so that one compare-and-swap moves
  /// either end. The version counts the owner's moves: without it a thief could be fooled by a
  /// ring that was emptied and refilled to the same ends.
  struct ring_state {
    std::uint64_t word;

    [[nodiscard]] std::uint16_t head() const { return static_cast<std::uint16_t>(word); }
    [[nodiscard]] std::uint16_t tail() const { return static_cast<std::uint16_t>(word >> 16U); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint16_t>(tail() - head()); }
    [[nodiscard]] ring_state move_head(std::uint32_t by) const {
      return {(word & ~std::uint64_t{0xffff}) | static_cast<std::uint16_t>(head() + by)};
    }
    [[nodiscard]] ring_state move_tail(std::int32_t by) const {
      const auto new_tail = static_cast<std::uint16_t>(tail() + by);
      const std::uint64_t version = (word >> 32U) + 1;
      return {(version << 32U) | (std::uint64_t{new_tail} << 16U) | head()};
    }
  };

  static job** never() { return reinterpret_cast<job**>(~std::uintptr_t{0}); }

  /// While it lives, no thief publishes by force: what all of the owner's slow ways are in.
  class owner_at_work {
  public:
    explicit owner_at_work(split_deque& d);
    ~owner_at_work();
    owner_at_work(const owner_at_work&) = delete;
    owner_at_work& operator=(const owner_at_work&) = delete;

  private:
    split_deque& deque_;
  };

  [[nodiscard]] job** top() const { return top_.load(std::memory_order_relaxed); }
  [[nodiscard]] job** base() const { return base_.load(std::memory_order_relaxed); }
  /// Release: a thief that publishes by force and sees the new top sees the slots below it.
  void raise_top(job** to) { top_.store(to, std::memory_order_release); }
  /// Before the look at `take_floor_`: then a thief that publishes by force, after its fence, sees
  /// the lower top, or the owner sees that somebody is hungry and goes the slow way.
  void lower_top(job** to) {
    top_.store(to, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  std::atomic<job*>& ring_slot(std::uint32_t index) { return ring_[index % ring_capacity]; }
  void advance_tail(ring_state seen, std::uint32_t by);
  bool publish(std::size_t at_most);
  [[nodiscard]] std::size_t older_half() const { return (private_size() + 1) / 2; }
  enum class part { older_half, all };
  bool publish_now(part which);
  bool calm_down();
  void lower_base(job** slot);
  bool answer_hunger();
  job* reclaim();
  [[nodiscard]] job* newest_published() const;
  void grow(std::size_t room);
  pop_result pop_slow(job** slot);

  // Private jobs are [base_, top_). Only the owner writes here, but a thief that publishes by force
  // raises base_ in its place. phase_ is odd while the owner is on a slow way.
  alignas(cache_line) std::atomic<job**> top_;
  std::atomic<job**> base_;
  job** end_;
  overflow policy_;
  std::atomic<bool> note_{false};
  std::unique_ptr<job*[]> storage_;
  std::atomic<std::uint64_t> phase_{0};

  // Read by the owner at every operation, written only to signal hunger and to calm it.
  // push_limit_ is null and take_floor_ is never() while somebody is hungry.
  alignas(cache_line) std::atomic<job**> push_limit_;
  std::atomic<job**> take_floor_;
  std::atomic<bool> forced_{false}; ///< A thief publishes by force, or is about to.

  alignas(cache_line) std::atomic<std::uint64_t> shared_{0};
  alignas(cache_line) std::atomic<job*> ring_[ring_capacity] = {};
};

} // namespace rondo
