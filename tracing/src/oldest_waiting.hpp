#pragma once

/// \file
/// What a flow waits for: its launches that wait themselves.

#include <cstdint>
#include <string>

#include <rondo/tracing/flow.hpp>

namespace rondo {

/// Calls `f(launch, id)` for each launch of the flow that is seen to wait: those of loops that were launched as a whole come last. For the
/// code that launches, or for others while that is kept where it waits. A thread outside may let launches go on just then, so what is
/// seen may be what was so a moment before; what goes when a launch ends is not looked at.
template<class F>
void flow::each_waiting(F&& f) const {
  for(std::uint64_t i = first_batch_; i != batches_; ++i) {
    if(ended(i))
      continue;
    const detail::batch& b = batch_at(i);
    for(std::uint32_t j = i + 1 == batches_ ? ended_of_current_ : 0; j != size_of(i); ++j) {
      detail::launch* l = b.launches[j];
      if(l->kind == &detail::passed_over_kind)
        l = b.hinted(j);
      if(l != nullptr && l->is_waiting())
        f(*l, b.first + j);
    }
  }
  for(const auto& loop : closed_)
    loop->each_instance([&](detail::launch& l) {
      if(l.is_waiting())
        f(l, loop->id);
    });
}

} // namespace rondo
