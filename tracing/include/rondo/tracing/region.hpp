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

#include <cstdint>
#include <source_location>
#include <string>

#include <rondo/core/never.hpp>
#include <rondo/core/observed.hpp>
#include <rondo/core/split_deque.hpp>
#include <rondo/core/two_numbers.hpp>
#include <rondo/tracing/progress.hpp>

namespace rondo {

class flow;
class worker;

namespace detail::inline tracing {

class trace_template;

enum class access_mode : std::uint8_t { none, read, write, commute, reduce, write_part };

/// The protocol of its shared half: docs/protocols/flow.md.
class region_base {
public:
  /// Without a number it gets the flow's next one.
  region_base(flow& f, const char* name, region_number number = {});
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

  /// Returns false if this launch has an access to the region already, and one of the two is no reading.
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
  [[nodiscard]] const std::source_location& last_where() const { return last_where_; }
  [[nodiscard]] const flow& home() const { return home_; }
  [[nodiscard]] region_number number() const { return {field_, part_}; }

  /// The object has so many elements: where launches are shared out, those that change it are taken to be so much work. No result depends
  /// on it.
  void note_elements(std::uint64_t n) {
    constexpr std::uint64_t worth_a_launch = 64;
    work_ = static_cast<std::uint16_t>(smaller_of<std::uint64_t>(1 + n / worth_a_launch, 65'535));
  }
  /// In launches that do nothing. 0: that is not known.
  [[nodiscard]] std::uint32_t work() const { return work_; }

  /// Launches by themselves only, not those of loops that were launched as a whole.
  static constexpr std::uint64_t no_launch = ~std::uint64_t{0};

  /// The template of a trace whose launches had it last; they count themselves and not here.
  trace_template* owner = nullptr;
  std::uint32_t slot = 0;      ///< What it is to the owner.
  std::uint32_t templates = 0; ///< So many name it.

  // ---- the running side --------------------------------------------------------------------

  /// How many accesses have ended.
  [[nodiscard]] progress& running() { return running_; }

  /// One at a time. Returns false if `w` is told later, when it has the region.
  bool acquire(turn_wait& w);
  void release(crew* here);

private:
  std::uint64_t entered_ = 0;
  std::uint64_t group_begin_ = 0;
  std::uint64_t last_launch_ = no_launch;
  access_mode last_mode_ = access_mode::none;
  access_mode this_mode_ = access_mode::none;
  std::uint16_t work_ = 0;
  std::uint32_t part_;
  std::source_location last_where_{};
  flow& home_;

  alignas(cache_line) progress running_;
  const std::uint32_t field_; ///< With `part_` the region's number.
  bool taken_ = false;        ///< By a launch that commutes. Guarded by the lock, as what follows.
  turn_wait* first_for_it_ = nullptr; ///< Waiters, until it is not taken any more.
  turn_wait* last_for_it_ = nullptr;
  const char* const name_; // here because the other half is full
};

static_assert(sizeof(region_base) == 2 * cache_line);

} // namespace detail::inline tracing

template<class T>
class region : public detail::region_base {
public:
  /// The name is for messages, and is not copied.
  region(flow& f, T& object, const char* name = "") : region_base(f, name), object_(&object) {}
  /// For those who number their regions themselves, so that all ranks have the same.
  region(flow& f, T& object, const char* name, region_number number)
      : region_base(f, name, number), object_(&object) {}

  /// Refused, in a sentence: launches know a region by its place.
  region(region&& r) noexcept : region(const_cast<flow&>(r.home()), *r.object_) {
    static_assert(detail::never<T>,
      "rondo: a region can't be copied or moved, so it can't be in a "
      "std::vector that grows; a std::deque of regions, and emplace_back, do");
  }

  [[nodiscard]] T& object() const { return *object_; }

private:
  T* object_;
};

} // namespace rondo
