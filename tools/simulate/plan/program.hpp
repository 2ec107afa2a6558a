#pragma once

/// \file
/// What ranks do, as the simulation needs it: launches in the order of the program, what each waits for, and which messages it leads to. There may
/// be 65536 ranks; most do the same, with other neighbours, so what they do is kept once: as a role.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rondo::simulate {

/// Launches of one name and place, whose tasks and whose launching take about as long.
struct site {
  std::string name;  ///< "task::average", "halo: send"
  std::string place; ///< "solver.cpp:40"

  friend bool operator==(const site&, const site&) = default;
};

/// A message that a launch sends, or takes. They come in the order in which they are listed.
struct action {
  bool is_sent;         ///< If not, it is taken: the launch can't go on until it is there.
  std::uint32_t stream; ///< In `rank::out` or `rank::in`: of its messages the next one.
  std::uint32_t bytes;

  friend bool operator==(const action&, const action&) = default;
};

struct launch {
  std::uint32_t site = 0;  ///< In `plan::sites`.
  bool has_task = true;    ///< If not, it takes no time, and only makes others wait.
  bool has_result = false; ///< A future.
  /// It is no launch: the main thread waits until `before` have ended. `waits_for_all`: until all that it has launched have.
  bool is_wait = false;
  bool waits_for_all = false;
  std::uint32_t first_before = 0; ///< In `role::before`.
  std::uint32_t befores = 0;
  std::uint32_t first_action = 0; ///< In `role::actions`.
  std::uint32_t actions = 0;

  friend bool operator==(const launch&, const launch&) = default;
};

/// The launches of the begin, then those of one repetition of a loop, then those of the end. The loop's is a later repetition: those in which it
/// waits for something else, or is analysed for the first time, are counted to the begin.
struct role {
  std::vector<launch> launches;
  std::uint32_t loop_begin = 0; ///< The loop is [loop_begin, loop_end); empty if there is none.
  std::uint32_t loop_end = 0;
  std::uint32_t repetitions = 0; ///< Of the loop in the program as it was planned.
  /// What launches wait for: so many launches back, counted as they happen, over repetitions.
  std::vector<std::uint32_t> before;
  std::vector<action> actions;

  [[nodiscard]] std::span<const std::uint32_t> before_of(const launch& l) const {
    return {before.data() + l.first_before, l.befores};
  }
  [[nodiscard]] std::span<const action> actions_of(const launch& l) const {
    return {actions.data() + l.first_action, l.actions};
  }
  friend bool operator==(const role&, const role&) = default;
};

/// Messages from one rank to another over one channel: the n-th that is sent is the n-th that is taken.
struct stream {
  std::uint32_t peer;
  std::uint32_t channel;

  friend bool operator==(const stream&, const stream&) = default;
};

struct rank {
  std::uint32_t role = 0; ///< In `plan::roles`.
  std::vector<stream> out;
  std::vector<stream> in;
};

/// A program, planned for so many ranks.
struct plan {
  std::vector<site> sites;
  std::vector<role> roles;
  std::vector<rank> ranks;
  std::uint32_t workers = 1; ///< Of each rank.
};

} // namespace rondo::simulate
