#pragma once

/// \file
/// What will happen, by time. There are hundreds of thousands of events ahead at any moment, and each is put in and taken
/// out once: a heap would touch a dozen cache lines for each.
///
/// This is a wheel of wheels. Time is written in digits of 64; an event lies on the wheel of the highest digit in which
/// its time differs from now, in the slot of that digit. The slots of the lowest wheel thus hold events of one nanosecond
/// each. When all the lower wheels are empty, the next slot of the lowest that is not is spread over them. An event moves as
/// often as its delay has digits, two or three times, and always together with others that lie behind each other in memory.
///
/// Events of the same time come in the order in which they were put in: when a slot is spread, what it holds is older
/// than all that is put into the lower wheels after that.

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rondo::simulate {

enum class event_kind : std::uint8_t {
  launched, ///< A group of launches of rank `a` is known from now on.
  computed, ///< The task of a launch of rank `a` has run.
  leaves,   ///< The message of progress `a` leaves its rank.
  goes_on,  ///< Progress `a` has spent its time on a message.
  at_card,  ///< A message to stream `a` with `b` bytes reaches the receiver's card.
  arrives,  ///< A message to stream `a` is there.
};

struct event {
  std::uint64_t at_and_kind = 0; ///< Together, for 16 bytes in all.
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  event() = default;
  event(std::int64_t when, event_kind k, std::uint32_t first, std::uint32_t second = 0)
      : at_and_kind(static_cast<std::uint64_t>(when) << 3 | static_cast<std::uint64_t>(k)),
        a(first), b(second) {}

  [[nodiscard]] std::uint64_t at() const { return at_and_kind >> 3; }
  [[nodiscard]] event_kind kind() const { return static_cast<event_kind>(at_and_kind & 7); }
};

/// `soon(e)` is called a bit before an event is taken: its rank most likely is in no cache.
template<class Soon>
class event_queue {
public:
  explicit event_queue(Soon soon) : soon_(std::move(soon)) {}
  event_queue(const event_queue&) = delete;
  event_queue& operator=(const event_queue&) = delete;

  /// Not before the event that was taken last.
  void push(const event& e) {
    assert(e.at() >= now_);
    put(e);
  }

  /// The next one, or false if there is none.
  bool pop(event& e) {
    while(!take_from_slot(e))
      if(!turn())
        return false;
    return true;
  }

  /// The one so many behind that which was taken last, 1 being the next, if it is easy to find; less than `chunk::size`.
  [[nodiscard]] const event* ahead(std::uint32_t n) const {
    const slot* s = &slots_[0][unsigned(now_) & (slots - 1)];
    std::uint32_t i = taken_ + n - 1;
    const chunk* c = s->first;
    if(i >= (c == s->last ? s->in_last : chunk::size)) {
      i -= c == s->last ? s->in_last : chunk::size;
      if(c != s->last)
        c = c->next;
      else {
        const std::uint64_t later = filled_[0] & (filled_[0] - 1);
        if(later == 0)
          return nullptr;
        s = &slots_[0][unsigned(std::countr_zero(later))];
        c = s->first;
      }
      if(i >= (c == s->last ? s->in_last : chunk::size))
        return nullptr;
    }
    return &c->events[i];
  }

  /// The time of the event that was taken last.
  [[nodiscard]] std::int64_t now() const { return static_cast<std::int64_t>(now_); }

private:
  static constexpr unsigned digit = 6;
  static constexpr unsigned slots = 1U << digit;
  static constexpr unsigned wheels = 11; ///< 66 bits: every time there is.

  /// Slots are lists of these: a vector each would keep memory for the most that it ever held.
  struct chunk {
    static constexpr std::uint32_t size = 31;
    std::array<event, size> events;
    chunk* next;
  };
  struct slot {
    chunk* first = nullptr;
    chunk* last = nullptr;
    std::uint32_t in_last = 0;
  };

  void put(const event& e) {
    const std::uint64_t differs = e.at() ^ now_;
    const unsigned wheel = differs == 0 ? 0 : (63U - unsigned(std::countl_zero(differs))) / digit;
    const unsigned at = unsigned(e.at() >> (digit * wheel)) & (slots - 1);
    if(wheel == 0)
      soon_(e);
    slot& s = slots_[wheel][at];
    filled_[wheel] |= std::uint64_t{1} << at;
    if(s.last == nullptr || s.in_last == chunk::size) {
      chunk* const c = new_chunk();
      (s.last == nullptr ? s.first : s.last->next) = c;
      s.last = c;
      s.in_last = 0;
    }
    s.last->events[s.in_last++] = e;
  }

  /// Of the slot of now. While its events are handled, others may be put behind them.
  bool take_from_slot(event& e) {
    const unsigned at = unsigned(now_) & (slots - 1);
    slot& s = slots_[0][at];
    if(s.first == nullptr)
      return false;
    if(s.first == s.last && taken_ == s.in_last) {
      free(s.first);
      s = {};
      taken_ = 0;
      filled_[0] &= ~(std::uint64_t{1} << at);
      return false;
    }
    if(taken_ == chunk::size) {
      chunk* const c = s.first;
      s.first = c->next;
      free(c);
      taken_ = 0;
    }
    e = s.first->events[taken_++];
    return true;
  }

  /// To the next slot that holds something.
  bool turn() {
    unsigned wheel = 0;
    while(filled_[wheel] == 0)
      if(++wheel == wheels)
        return false;
    const unsigned at = unsigned(std::countr_zero(filled_[wheel]));
    const unsigned shift = digit * wheel;
    const std::uint64_t above =
      shift + digit >= 64 ? 0 : now_ >> (shift + digit) << (shift + digit);
    now_ = above | std::uint64_t{at} << shift;
    if(wheel == 0)
      return true;
    filled_[wheel] &= ~(std::uint64_t{1} << at);
    const slot s = std::exchange(slots_[wheel][at], {});
    for(chunk* c = s.first; c != nullptr;) {
      const std::uint32_t n = c == s.last ? s.in_last : chunk::size;
      for(std::uint32_t i = 0; i != n; ++i)
        put(c->events[i]);
      chunk* const next = c == s.last ? nullptr : c->next;
      free(c);
      c = next;
    }
    return true;
  }

  chunk* new_chunk() {
    if(free_ == nullptr) {
      constexpr std::size_t many = 64;
      blocks_.push_back(std::make_unique<chunk[]>(many));
      for(std::size_t i = 0; i != many; ++i)
        free(&blocks_.back()[i]);
    }
    chunk* const c = free_;
    free_ = c->next;
    c->next = nullptr;
    return c;
  }
  void free(chunk* c) {
    c->next = free_;
    free_ = c;
  }

  Soon soon_;
  std::uint64_t now_ = 0;
  std::uint32_t taken_ = 0;                    ///< Of the first chunk of the slot of now.
  std::array<std::uint64_t, wheels> filled_{}; ///< A bit for each slot that holds something.
  std::array<std::array<slot, slots>, wheels> slots_{};
  chunk* free_ = nullptr;
  std::vector<std::unique_ptr<chunk[]>> blocks_;
};

} // namespace rondo::simulate
