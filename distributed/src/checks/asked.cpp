#ifdef RONDO_CHECKS

#include "asked.hpp"

#include <atomic>

#include "place_in.hpp"

namespace rondo::detail::inline distributed {

namespace {
/// By any thread of the task; it is read after the task has ended.
void mark(const block_limits& l, const point<3>& p) {
  std::atomic_ref(l.asked->elements[place_in(l.inside, p)]).store(1, std::memory_order_relaxed);
}
} // namespace

void begin_asking(const block_limits& l) {
  l.asked->elements.assign(static_cast<std::size_t>(l.inside.size()), 0);
}

bool was_asked(const block_limits& l, const point<3>& p) {
  return l.asked->elements[place_in(l.inside, p)] != 0;
}

void note_asked(const block_limits& l, const point<3>& p) {
  if(!l.asked->elements.empty() && l.inside.contains(p))
    mark(l, p);
}

void note_asked_row(const block_limits& l, point<3> p) {
  if(l.asked->elements.empty() || l.inside.empty())
    return;
  p[0] = l.inside.lo[0];
  if(l.inside.contains(p))
    for(; p[0] != l.inside.hi[0]; ++p[0])
      mark(l, p);
}

} // namespace rondo::detail::inline distributed

#endif
