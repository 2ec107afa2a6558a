#pragma once

/// \file
/// Filling the ghosts of a field: launches like any other, so that whatever does not need the ghosts
/// runs meanwhile. Messages and copies differ by the kind of field: value_halo.hpp, row_halo.hpp.
///
/// A task may ask for less than the whole halo: there is one of these for each depth that is asked for.

#include <cstddef>
#include <memory>
#include <source_location>
#include <span>

#include <rondo/distributed/ghost_actions.hpp>
#include <rondo/tracing/access.hpp>

namespace rondo::detail::inline distributed {

class field_state;

class halo {
public:
  virtual ~halo() = default;
  halo(const halo&) = delete;
  halo& operator=(const halo&) = delete;

  /// Of this rank.
  [[nodiscard]] virtual std::size_t colors() const = 0;
  /// Launches what comes before a launch.
  void refresh(const ghost_actions& what, const std::source_location& where) {
    if(what.fills)
      launch_messages(where);
    if(what.fills || what.waits)
      for(std::size_t c = 0; c != colors(); ++c)
        launch_copies(c, what, where);
  }
  /// The same piece by piece, in any order.
  void launch_messages(const std::source_location& where);
  void launch_copies(
    std::size_t color, const ghost_actions& what, const std::source_location& where);
  /// For a color that is about to be written: waits for those who read it in place.
  virtual void launch_clearing(std::size_t color, const std::source_location& where) = 0;
  /// Reads of what the neighbours of a color own that it reads in place. A launch that has them waits for these by itself.
  [[nodiscard]] virtual std::span<const region_access> neighbours_in_place(
    std::size_t color) const = 0;

protected:
  explicit halo(field_state& f) : field_(f) {}

  field_state& field_;

private:
  virtual void exchange(const std::source_location& where) = 0;
  virtual void copy_into(std::size_t color, const std::source_location& where) = 0;
  /// Where neighbours are read in place there is nothing to copy, and a launch that waits for them.
  virtual void wait_for_neighbours(std::size_t color, const std::source_location& where) = 0;
};

/// Of all ghosts; and of those no deeper than that, which takes channels: made in the same order on all ranks.
[[nodiscard]] std::unique_ptr<halo> make_halo(field_state& f);
[[nodiscard]] std::unique_ptr<halo> make_halo(field_state& f, short depth);

} // namespace rondo::detail::inline distributed
