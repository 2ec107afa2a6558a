#pragma once

/// \file
/// How far a program is while it runs, on one line of the terminal, with no word in the program: RONDO_PROGRESS_LINE=1. docs/observing.md.

#include <memory>

namespace rondo {
class executor;
}

namespace rondo::detail::inline observe {

/// The user has asked for it, and stderr is a terminal. Throws std::invalid_argument if the variable is neither 0 nor 1.
bool is_live_line_wanted();

/// The program has lines of its own: from here on nothing else is shown.
void leave_line_to_program();

/// Shows what the executor does, from its making to its end. Of several in a process the first one does, and the others do nothing.
class live_line {
public:
  explicit live_line(executor& ex);
  ~live_line();
  live_line(const live_line&) = delete;
  live_line& operator=(const live_line&) = delete;

private:
  class shown;
  std::unique_ptr<shown> shown_; ///< Null if another one has the terminal.
};

} // namespace rondo::detail::inline observe
