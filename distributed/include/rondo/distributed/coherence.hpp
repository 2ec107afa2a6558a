#pragma once

/// \file
/// What all ranks have to agree on about the ghosts of a field, as a value, and how launches change it.
///
/// \code
///   coherence now;                                        // of a new field
///   const coherence_step step = before_launch(now, use);  // what the launch needs beforehand
///   if(step.fetches) ...                                  // messages, the same ones on all ranks
///   now = after_launch(step.then, use);
/// \endcode
///
/// *Ranks agree without a word* since they launch the same: the value is a function of what was
/// launched before, and of nothing else. Facts that concern one rank only, such as where its colors lie
/// in memory, are not in it. Passes of `iterate` are launched ahead, on some ranks further than on
/// others; what they did to the value is forgotten after the loop (`after_loop`), so that it is a function of
/// what every rank knows. See docs/protocols/coherence.md.

#include <rondo/distributed/privilege.hpp>

namespace rondo::detail::inline distributed {

struct coherence {
  /// Ghosts are older than what they are copies of.
  bool is_stale = false;
  /// Somebody needs ghosts that are copies, also of colors on the same rank.
  bool is_apart = false;
  /// Of stale ghosts these are up to date all the same: those so near.
  short near = 0;

  friend constexpr bool operator==(const coherence&, const coherence&) = default;
};

/// What all parameters of a task together do with a field.
struct coherence_use {
  bool writes_owned = false;
  bool writes_ghosts = false;
  bool reads_ghosts = false;
  bool reads_before =
    false; ///< The elements as they were before the launch, even if somebody writes them.
};

/// The needs of a launch beforehand, and the state then.
struct coherence_step {
  coherence then;
  bool separates = false; ///< From now on ghosts are copies.
  bool fetches = false;   ///< As deep as the launch reads them.
};

/// Of ghosts the launch reads those no deeper than `depth`.
constexpr coherence_step before_launch(
  coherence now, const coherence_use& use, short depth = whole_halo) {
  coherence_step step{now};
  // The task could see what a neighbour has made of it in the same launch.
  if(!now.is_apart && (use.writes_ghosts || (use.writes_owned && use.reads_before))) {
    step.separates = true;
    // Stale on all ranks: they have to agree on messages, but not on where colors lie.
    step.then = {.is_stale = true, .is_apart = true};
  }
  if(use.reads_ghosts && step.then.is_stale && (depth == whole_halo || step.then.near < depth)) {
    step.fetches = true;
    step.then.is_stale = depth != whole_halo;
    step.then.near = depth == whole_halo ? short{0} : depth;
  }
  return step;
}

constexpr coherence after_launch(coherence now, const coherence_use& use) {
  if(use.writes_owned || use.writes_ghosts) {
    now.is_stale = true;
    now.near = 0;
  }
  return now;
}

// ---- on one rank: neighbours that lie side by side are read in place ------------------------------
//
// These decide about waiting, and not about messages. A launch that reads its neighbours and writes nothing of the field
// *names its neighbours*: what they own is among its accesses. All others are behind launches that wait for the neighbours,
// one for each color, which write its ghosts as far as the order of launches goes.

/// Which of the last launches read in place without naming their neighbours. A launch that writes a color waits for these, too.
enum class in_place_readers : unsigned char { nobody, tasks_that_write_their_own, anybody };

struct in_place_state {
  in_place_readers readers = in_place_readers::nobody;
  /// Ghosts were fetched for launches that name their neighbours, so nothing was launched that waits for these.
  bool owes_waits = false;

  friend constexpr bool operator==(const in_place_state&, const in_place_state&) = default;
};

struct in_place_step {
  in_place_state then;
  bool clears = false; ///< The launch waits for those who read in place.
  bool waits = false;  ///< And for its neighbours.
};

/// Whether a launch may name its neighbours: if colors write what others read in the same launch, these must not wait for each
/// other.
constexpr bool may_name_neighbours(const coherence_use& use) {
  return use.reads_ghosts && !use.writes_owned && !use.writes_ghosts;
}

/// `fetches_all`: what is fetched is not only the near ghosts. Colors that are seen only from far away are not waited for where near
/// ghosts are filled. To wait for neighbours is to wait for tasks that wrote their own color, so then nobody has to wait for those once
/// more.
constexpr in_place_step before_launch(in_place_state now, const coherence_use& use, bool fetches,
  bool fetches_all, bool names_neighbours) {
  using enum in_place_readers;
  in_place_step step{now};
  const bool is_behind_waits = use.reads_ghosts && !names_neighbours;
  step.waits = is_behind_waits && (fetches || now.owes_waits);
  const bool waits_for_all = step.waits && (fetches_all || !fetches);
  step.clears =
    use.writes_owned &&
    (now.readers == anybody || (now.readers == tasks_that_write_their_own && !waits_for_all));
  if(use.writes_owned)
    step.then.readers = is_behind_waits ? tasks_that_write_their_own : nobody;
  else if(is_behind_waits)
    step.then.readers = anybody;
  if(step.waits)
    step.then.owes_waits = false;
  else if(fetches)
    step.then.owes_waits = true;
  return step;
}

/// Two things are certain after a loop whose passes were launched ahead: all ranks have entered it with the
/// same state, and nobody knows how far the others have launched.
constexpr coherence after_loop(const coherence& at_entry) {
  return {.is_stale = true, .is_apart = at_entry.is_apart};
}

} // namespace rondo::detail::inline distributed
