#pragma once

/// \file
/// What tasks of random programs append to rows, their own and those of neighbours. The order of values in a row says who has appended
/// them, and when: so an order that is wrong makes other values in the next launch.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <rondo/distributed/coloring.hpp>

#include "ghost_rows.hpp"
#include "tasks.hpp"

namespace random_programs {

/// Keeps about half of it, so that rows which are appended to again and again stay short.
template<class Row>
void thin_out(Row&& row, std::uint64_t h) {
  const auto goes = [h](std::uint64_t x) { return mix(h, x) % 2 != 0; };
  if constexpr(requires { row.erase_if(goes); })
    row.erase_if(goes);
  else
    std::erase_if(row, goes);
}

/// Mostly nothing; now and then more than a channel has room for in the beginning.
template<class Row>
void append_some(Row&& row, std::uint64_t h) {
  const std::uint64_t size = h % 200 == 0 ? 40 : h % 16 < 4 ? 1 + h % 3 : 0;
  for(std::uint64_t k = 0; k != size; ++k)
    row.push_back(mix(h, k));
}

/// A task that has `all`, and of these `owned` in the mesh. `row_at(where it is seen)`: a row to append to; ghosts', too.
template<std::size_t D>
struct appending {
  const geometry<D>& form;
  box<D> all;
  box<D> owned;

  /// The new ones depend on what is there when its turn comes: others have appended to it before.
  template<class RowAt>
  void change(const who& w, RowAt&& row_at) const {
    for_each_point(all, [&](const point<D>& p) {
      const std::uint64_t h = w.start(form.number(p));
      thin_out(row_at(p), h);
      if(owned.contains(p))
        append_around(p, mix(h, hash_of(row_of_hashes(row_at(p)))), row_at);
    });
  }
  /// `value_at(p)`: what the new ones depend on.
  template<class RowAt, class ValueAt>
  void write(const who& w, RowAt&& row_at, ValueAt&& value_at) const {
    for_each_point(all, [&](const point<D>& p) { row_at(p).clear(); });
    for_each_point(owned, [&](const point<D>& p) {
      append_around(p, mix(w.start(form.number(p)), value_at(p)), row_at);
    });
  }

private:
  template<class RowAt>
  void append_around(const point<D>& p, std::uint64_t h, RowAt&& row_at) const {
    append_some(row_at(p), h);
    form.template each_reached<std::uint64_t>(
      p, h, [&](const point<D>& q, auto&, std::uint64_t one) { append_some(row_at(q), one); });
    append_some(row_at(p), mix(h, 1));
  }
};

/// The same without Rondo, of all colors. `task(appending, row_at)`.
template<std::size_t D, class Task>
void append_alone(const rondo::structured_coloring<D>& cut, const geometry<D>& form,
  std::vector<std::vector<std::uint64_t>>& rows, Task&& task) {
  // Places have axis 0, which changes fastest, as the last.
  const auto reversed = [](point<D> p) {
    std::ranges::reverse(p);
    return p;
  };
  ghost_rows<point<D>> ghosts;
  for(rondo::color_id c = 0; c != cut.colors(); ++c) {
    const box<D> all = cut.with_beyond(c);
    task(appending<D>{form, all, cut.owned(c)}, [&](const point<D>& q) -> auto& {
      return all.contains(q) ? rows[form.number(q)] : ghosts.of(c, reversed(q));
    });
  }
  ghosts.append_to([&](const point<D>& where) -> auto& {
    point<D> p = reversed(where);
    if(!form.wrap(p))
      throw std::logic_error("random programs: rows of ghosts have owners");
    return rows[form.number(p)];
  });
}

} // namespace random_programs
