#pragma once

/// \file
/// Which loop of a program has all others in it, and how far it is: from what observers are told of passes. Its users lock it.

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/core/observed.hpp>

namespace rondo::detail::inline observe {

/// A loop, or several at the same place that come one after the other, as in a loop that Rondo knows nothing of.
struct loop_now {
  std::uint64_t number = 0;    ///< Another one has another number. 0: there is no loop.
  std::string place = {};      ///< "heat.cpp:31", or the name of the trace.
  double begun = 0;            ///< Seconds, from anywhere.
  double ended = 0;            ///< When the last pass was over.
  std::uint64_t passes = 0;    ///< The passes that have run, of all of them.
  std::uint64_t loops = 0;     ///< So many have begun.
  std::uint64_t of_this = 0;   ///< Passes of the last one,
  std::uint64_t most = 0;      ///< of so many; 0: nobody knows.
  bool may_end_before = false; ///< So many are the most.
  bool is_repeat = false;
  std::uint64_t id = 0; ///< The `task_id::number` of its tasks if it is.
};

class loops_under_way {
public:
  void begun(const pass_info& p, double now);
  void over(const pass_info& p, bool has_run, double now);
  /// A task has ended. Of `repeat`, whose passes are told all at once, it says which pass is under way.
  void ended(const task_id& t);

  /// From time to time. If the loop has done nothing since the last time, and has no pass under way, another one comes into view.
  loop_now look();
  /// The loop seen at the last time, as it is by now.
  [[nodiscard]] const loop_now& in_view() const { return view_; }

private:
  struct loop {
    pass_info of;
    double begun = 0;
    std::uint64_t open = 0; ///< Passes that have begun, and are not over.
    std::uint64_t done = 0;
    bool is_within =
      false; ///< A guard of a trace was there when it began: that ends with what it is around.

    [[nodiscard]] bool is_of(const pass_info& p) const;
    [[nodiscard]] bool is_at_place_of(const loop& other) const;
    [[nodiscard]] bool is_repeat() const { return of.kind == pass_info::kind_type::repeat; }
  };
  loop* found(const pass_info& p);
  void show(const loop& l);
  void show_next(const loop& l);
  void show_next_at_place();
  void note_passes();

  std::vector<loop> open_;     ///< All but `shown_` that have passes under way, the oldest first.
  loop shown_{};               ///< If `view_` has a number.
  bool has_done_some_ = false; ///< Since the last look.
  std::uint64_t before_ = 0;   ///< Passes of loops at that place before `shown_`.
  loop_now view_;
};

} // namespace rondo::detail::inline observe
