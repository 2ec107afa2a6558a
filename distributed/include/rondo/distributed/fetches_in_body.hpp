#pragma once

/// \file
/// What the body of a `repeat` fetches again and again, though nobody in it writes that.
///
/// The launches of the first pass are those of all passes. So a field whose ghosts are read, coefficients say, would be fetched in each. Whether the
/// body writes it is known when it has been called: if it doesn't, the launches that fetch its ghosts are taken out of the loop and launched
/// once, before it (flow::launch_before_loop). Nothing of the body comes before them: they read what is owned of the field, and write its
/// ghosts. All ranks do the same, as it follows from what they launch.

#include <cstddef>
#include <vector>

#include <rondo/tracing/closed.hpp>

namespace rondo {

class flow;

namespace detail::inline distributed {

class field_state;

class fetches_in_body {
public:
  /// Launches from `first` on, of those that the flow has kept, fetch ghosts of the field.
  void note(field_state& of, kept_launches which);
  /// The body has been called. `fields`: those that are there.
  void launch_before_loop(flow& f, const std::vector<field_state*>& fields);

private:
  struct fetch {
    field_state* of;
    kept_launches launches;
  };
  std::vector<fetch> all_;
};

} // namespace detail::inline distributed
} // namespace rondo
