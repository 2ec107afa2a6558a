#pragma once

#include <cstdint>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/selection.hpp>

namespace rondo::detail::inline distributed {

/// Calls `f` with the place of each element, in the order of the selection.
template<class F>
void each_place(const selection& s, const block_layout& layout, F&& f) {
  for(const box<3>& b : s.boxes())
    b.for_each_row([&](const point<3>& p, std::int64_t length) {
      const std::int64_t first = layout.place(p);
      for(std::int64_t i = 0; i != length; ++i)
        f(first + i);
    });
}

} // namespace rondo::detail::inline distributed
