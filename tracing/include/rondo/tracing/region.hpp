#pragma once

/// \file
/// Regions: what the launches of a flow read and write.
///
/// \code
///   std::vector<double> u(n);
///   rondo::flow flow(ex);
///   rondo::region ru(flow, u, "u");            // a name for u; the object stays where it is
///   flow.submit([](std::vector<double>& v) { v.assign(v.size(), 0.0); }, write(ru));
///   flow.wait(ru);                             // u is as the program says; others may still run
/// \endcode
///
/// A region stands for any object, of which the flow knows nothing but the address. Objects that
/// overlap need one region for all of them. It belongs to one flow, may be made and destroyed at
/// any time, by the code that launches, and must not outlive the flow or the object.

#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>

#include <rondo/core/split_deque.hpp>

namespace rondo {

class flow;
class worker;

namespace detail {

struct crew;
struct launch;

/// Waits until so many accesses to a region have ended. May be gone once `go_on` is called.
struct turn_wait {
  turn_wait* next = nullptr;
  std::uint64_t turn = 0;
  void (*go_on)(turn_wait& self, crew* here) = nullptr;
};

enum class access_mode : std::uint8_t { none, read, write, commute, reduce };

/// The protocol of its shared half: docs/protocols/flow.md.
class region_base {
public:
  region_base(flow& f, const char* name);
  ~region_base();
  region_base(const region_base&) = delete;
  region_base& operator=(const region_base&) = delete;

  [[nodiscard]] const char* name() const { return name_; }

  // ---- the launching side: nobody else looks at this half ----------------------------------

  /// Counts one more access, and says how many others must have ended before it.
  std::uint64_t enter(access_mode mode) {
    if(mode == access_mode::write || mode != last_mode_) {
      group_begin_ = entered_;
      last_mode_ = mode;
    }
    // Folds of a reduction are done in the order of the launches, one after the other.
    return mode == access_mode::reduce ? entered_++ : (++entered_, group_begin_);
  }

  /// False: this launch has an access to the region already, and one of the two is no reading.
  bool may_enter(std::uint64_t launch, access_mode mode, const std::source_location& where) {
    if(last_launch_ == launch && !(mode == access_mode::read && this_mode_ == access_mode::read))
      return false;
    last_launch_ = launch;
    this_mode_ = mode;
    last_where_ = where;
    return true;
  }
  /// After `may_enter`, when there is no such launch.
  void withdraw(std::uint64_t launch) {
    if(last_launch_ == launch)
      last_launch_ = launch - 1;
  }
  [[nodiscard]] access_mode mode_in_this_launch() const { return this_mode_; }
  [[nodiscard]] std::uint64_t entered() const { return entered_; }
  [[nodiscard]] const flow& home() const { return home_; }

  // ---- the running side --------------------------------------------------------------------

  /// So many accesses have ended. Acquire: what they have written.
  [[nodiscard]] bool reached(std::uint64_t turn) const {
    return progress_.load(std::memory_order_acquire) / one >= turn;
  }

  /// Hands over something to do when that is so. False: it is so already, and nothing is done.
  bool park(turn_wait& w, std::uint64_t turn);

  /// An access has ended. acq_rel: what it has written, for those that come after it.
  void leave(crew* here) {
    if((progress_.fetch_add(one, std::memory_order_acq_rel) & somebody_waits) != 0) [[unlikely]]
      wake(here);
  }

  /// One at a time. False: `w` is told when it has the region.
  bool acquire(turn_wait& w);
  void release(crew* here);

private:
  static constexpr std::uint64_t somebody_waits = 1;
  static constexpr std::uint64_t one = 2;

  void wake(crew* here);
  void lock();
  void unlock() { locked_.store(false, std::memory_order_release); }

  alignas(cache_line) std::uint64_t entered_ = 0;
  std::uint64_t group_begin_ = 0;
  std::uint64_t last_launch_ = ~std::uint64_t{0};
  access_mode last_mode_ = access_mode::none;
  access_mode this_mode_ = access_mode::none;
  std::source_location last_where_{};
  flow& home_;
  const char* name_;

  alignas(cache_line) std::atomic<std::uint64_t> progress_{0};
  std::atomic<bool> locked_{false}; ///< Guards what follows.
  bool taken_ = false;              ///< By a launch that commutes.
  turn_wait* first_ = nullptr;      ///< Those who wait, by their turns.
  turn_wait* last_ = nullptr;
  turn_wait* first_for_it_ = nullptr; ///< Those who wait until it is not taken.
  turn_wait* last_for_it_ = nullptr;
};

} // namespace detail

template<class T>
class region : public detail::region_base {
public:
  /// The name is for messages, and is not copied.
  region(flow& f, T& object, const char* name = "") : region_base(f, name), object_(&object) {}

  [[nodiscard]] T& object() const { return *object_; }

private:
  T* object_;
};

} // namespace rondo
