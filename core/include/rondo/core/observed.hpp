#pragma once

/// \file
/// What observers are told: which task, which launch, which pass. docs/protocols/observing.md says when.
///
/// All of it is looked up when an observer is attached, and only then. Pointers are good during the call; names that
/// the program has given are never copied, so they live as long as the program says.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

#include <rondo/core/clock.hpp>

namespace rondo {

/// A task has the same one at its begin and its end, and wherever it goes on in between. It is computed from where the
/// task is, and kept nowhere.
struct task_id {
  /// Flows are counted from 1, in the order in which the process makes them. 0: the task is no launch of a flow.
  std::uint32_t flow = 0;
  /// The launch of the body in `repeat`, from 1. 0 outside of `repeat`.
  std::uint32_t step = 0;
  /// The launch in its flow: counted in the order of the program, with gaps. Of launches in `repeat` it is that of the loop.
  /// Other tasks have a number that no other task of their executor has.
  std::uint64_t number = 0;
  /// In `repeat`: the pass, from 0.
  std::uint64_t pass = 0;

  friend bool operator==(const task_id&, const task_id&) = default;
  friend auto operator<=>(const task_id&, const task_id&) = default;
};

/// Facts about a body that runs.
struct task_info {
  enum class kind_type : std::uint8_t { task, fork, node };
  kind_type kind;
  const char* name; ///< Never null; empty if it was given no name.
  /// Where it was launched; line 0 if that is not known.
  std::source_location where{};

  /// Is computed when it is asked for, which takes some nanoseconds.
  [[nodiscard]] task_id id() const { return get_id != nullptr ? get_id(of) : known_id; }
  /// The same for use when the task has ended.
  [[nodiscard]] task_info kept() const {
    return {.kind = kind, .name = name, .where = where, .known_id = id()};
  }

  /// On its worker nothing lies between the task that ended last and this one but the runtime's way from one to the other: no look
  /// for messages or at other workers, no code of the program's. An observer may take that time for the same each time.
  bool comes_at_once = false;

  // Where the id comes from. Tasks that are no launches get one when they begin.
  task_id known_id{};
  const void* of = nullptr;
  task_id (*get_id)(const void* of) = nullptr;
};

/// What a region is known by. It is the same in every run, and on all ranks: for regions are made by the program in its
/// order, and those of fields are counted field by field.
struct region_number {
  std::uint32_t field = 0; ///< The field that it is a part of: `field::number()`. 0 for none.
  std::uint32_t part =
    0; ///< The number of a field's part: see docs/protocols/observing.md. Other regions are counted from 1 as the flow makes them.

  friend bool operator==(const region_number&, const region_number&) = default;
  friend auto operator<=>(const region_number&, const region_number&) = default;
};

/// One access of a launch.
struct access_info {
  enum class mode_type : std::uint8_t { none, read, write, commute, reduce, write_part };
  region_number region;
  mode_type mode;
  const char* name; ///< The region's. Never null.
};

/// The program has launched something.
struct launch_info {
  /// How it was found out what it waits for: `analysed` from its accesses; `replayed` from a trace with a guard; `found`
  /// from a loop that the flow has noticed by itself. `repeated`: it belongs to the body of `repeat`, and runs in
  /// every pass.
  enum class how_type : std::uint8_t { analysed, replayed, found, repeated };

  task_id id;
  how_type how;
  /// It is false where the task would do nothing but wait: then it is left out, and what comes after it waits instead.
  bool has_task;
  const char* name; ///< Never null.
  std::source_location where;
  std::uint32_t futures = 0; ///< Among its arguments: it waits for these as well.
  bool has_result = false;   ///< It gives a future.
  /// In `iterate`: the number of the loop, which is that of the launch it began with, and the pass. `is_in_loop` is false
  /// elsewhere.
  bool is_in_loop = false;
  std::uint64_t loop = 0;
  std::uint64_t pass = 0;
  /// The number of passes in `repeat`. 1 outside of it.
  std::uint64_t passes = 1;

  /// The region of each access and what is done with it, in the order of the arguments: enough to see which launch waits for
  /// which, since a launch waits for those before it that it has a region in common with.
  std::size_t accesses = 0;
  [[nodiscard]] access_info access(std::size_t i) const { return get_access(of, i); }
  /// What else its function says of it, such as ", color 3". Looked up at each call.
  [[nodiscard]] std::string details() const {
    return get_details != nullptr ? get_details(of) : std::string();
  }

  // Where these come from.
  const void* of = nullptr;
  access_info (*get_access)(const void* of, std::size_t i) = nullptr;
  std::string (*get_details)(const void* of) = nullptr;
};

/// Code that is no task waited.
struct wait_info {
  /// `value`: in `get()` or `wait()` of a future. `launches`, `region`: in `wait` of a flow or a scheduler, for all or
  /// for one region; also in `wait` of an executor, and where a graph is run. `window`: in a launch, since too many before it have
  /// not ended.
  enum class kind_type : std::uint8_t { value, launches, region, window };
  std::source_location where;    ///< The call that waited.
  std::chrono::nanoseconds time; ///< How long, including the tasks that the thread ran meanwhile.
  const char* name; ///< Of the task whose value it was, or of the region; empty if it has none.
  std::source_location
    launched; ///< Where that task was launched, or the promise made; else line 0.
  kind_type kind = kind_type::value;
};

/// Passes of a loop: one, or several at a time.
struct pass_info {
  /// `iterate`, `repeat`; `guard`: of a trace.
  enum class kind_type : std::uint8_t { iterate, repeat, guard };
  kind_type kind;
  std::uint32_t flow = 0;
  std::uint64_t loop = 0;   ///< Of a guard 0.
  std::uint64_t number = 0; ///< The first of them, from 0.
  std::uint64_t count = 1;
  std::uint64_t most = 0; ///< Of `iterate`: passes at most, if the program says so; else 0.
  const char* name = "";  ///< Of the trace whose guard it is. Never null.
  std::source_location where{};
};

/// A message on a channel. The n-th one that is posted at one end is the n-th that arrives at the other.
struct message_info {
  /// `posted`: it has been handed over to be sent. `sent`: its memory may be used again. `arrived`: at the rank that receives;
  /// `taken`: it has been read there.
  enum class what_type : std::uint8_t { posted, sent, arrived, taken };
  what_type what;
  std::uint32_t channel = 0; ///< The same at both ends.
  std::uint32_t peer = 0;    ///< The rank at the other end.
  std::size_t bytes = 0;
  /// Of `posted` and `taken`: the task that it serves, if that is known.
  task_id serves{};
};

} // namespace rondo
