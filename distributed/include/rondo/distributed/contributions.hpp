#pragma once

/// \file
/// Values that tasks have written to the ghosts of a field, as `accessor<rw, fold::sum>` says, become part of the owners' values:
/// launches like any other, around those of the task. Messages and folds differ by the kind of field: value_contributions.hpp,
/// row_contributions.hpp.
///
/// | launch | for each | does |
/// |---|---|---|
/// | contributions: clear | color | writes to its ghosts what changes nothing when it is folded |
/// | (the task) | color | |
/// | contributions: send | message | reads ghosts, packs them |
/// | contributions: receive | message | ends when the message is there |
/// | contributions: fold | color | reads messages, and ghosts of neighbours on this rank, and folds them into what the color owns, in the order of contribution_plan.hpp |
/// | contributions: taken | message | the next one may come |
///
/// None waits for more than it needs: a color is folded while messages for others are under way.

#include <memory>
#include <source_location>

namespace rondo::detail::inline distributed {

class field_state;
struct folding;

class contributions {
public:
  virtual ~contributions() = default;
  contributions(const contributions&) = delete;
  contributions& operator=(const contributions&) = delete;

  virtual void launch_before(const folding& how, const std::source_location& where) = 0;
  virtual void launch_after(const folding& how, const std::source_location& where) = 0;

protected:
  contributions() = default;
};

/// Takes channels: made in the same order on all ranks.
[[nodiscard]] std::unique_ptr<contributions> make_contributions(field_state& f);

} // namespace rondo::detail::inline distributed
