// Launches of a trace that stand where they are, pass after pass: docs/protocols/trace.md, "Standing launches".

#include <algorithm>
#include <cstring>
#include <new>

#include <rondo/core/split_deque.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/lane_queue.hpp>
#include <rondo/tracing/standing_launches.hpp>

namespace rondo {

namespace detail::inline tracing {

namespace {
/// Of a template. With the usual window, launches with four accesses and some values take a quarter of it.
constexpr std::size_t most_bytes = std::size_t{4} << 20U;
} // namespace

void standing_launches::add_pass() {
  if(bytes_ >= most_bytes)
    return;
  auto made = std::make_unique<pass>();
  made->copies.resize(originals_.size());
  const std::size_t at = passes_.empty() ? 0 : at_ + 1;
  passes_.insert(passes_.begin() + static_cast<std::ptrdiff_t>(at), std::move(made));
  use(at);
  bytes_ += originals_.size() * sizeof(launch*);
}

/// No two launches share a cache line: they may be run by different cores.
void* standing_launches::reserve(std::size_t size, std::size_t alignment) noexcept {
  size = (size + cache_line - 1) / cache_line * cache_line;
  bytes_ += size;
  try {
    return memory_.reserve(size, std::max(alignment, cache_line));
  }
  catch(const std::bad_alloc&) {
    return nullptr;
  }
}

launch* standing_launches::renew_copy(
  std::uint32_t node, bool has_changed, std::size_t size, std::size_t alignment) noexcept {
  original& o = originals_[node];
  if(has_changed || o.last + 1 != number_)
    o.changed = number_;
  o.changes = has_changed ? o.changes + 1 : 0;
  launch*& copy = current_->copies[node];
  void* const memory = copy != nullptr ? copy : reserve(size, alignment);
  if(memory == nullptr)
    return nullptr;
  std::memcpy(memory, o.made, size); // launches that stand are plain
  copy = static_cast<launch*>(memory);
  o.last = number_;
  return copy;
}

void lane_queue::prepare(range r) {
  for(std::uint64_t n = r.first; n != r.first + r.count; ++n) {
    const std::size_t i = index_of(n);
    if((slots_[i].load(std::memory_order_relaxed) & stands) == 0)
      continue;
    const std::uint64_t round = standing_[i].round.load(std::memory_order_relaxed);
    standing_use use{.round = round & ~is_in_loop};
    if(use.round != round)
      use.pass = passes_[i].load(std::memory_order_relaxed);
    (*this)[n].begin_anew(*standing_[i].home.load(std::memory_order_relaxed), use);
  }
}

} // namespace detail::inline tracing

void flow::begin_standing_pass(detail::trace_template& t) {
  if(t.standing != nullptr)
    t.standing->end_pass(next_id_);
  // Longer passes would take more memory than the launches of a window, which is used again and again.
  if(is_alone_ || t.size() > window_ * batch_size_ / 2)
    return;
  try {
    if(t.standing == nullptr)
      t.standing = std::make_unique<detail::standing_launches>(t.size());
    if(t.standing->begin_pass(first_batch_ * batch_size_))
      return;
    retire();
    if(!t.standing->begin_pass(first_batch_ * batch_size_))
      t.standing->add_pass();
  }
  catch(const std::bad_alloc&) { // then they don't stand
  }
}

void flow::next_batch_before(const detail::template_node& n) {
  try {
    next_batch();
  }
  catch(...) {
    expected_ = &n; // it was not launched
    throw;
  }
}

void flow::publish_standing(detail::launch& l, const detail::template_node& n) {
  const detail::standing_use use{.round = in_use_->round, .pass = pass_};
  const std::uint32_t at = in_batch_++;
  current_->launches[at] = &l;
  ++next_id_;
  if(is_any(in_lanes)) {
    note_lane(&n);
    lanes_[last_lane_]->push_standing(l, *current_, use);
    call_crew_of_lane();
    return;
  }
  current_->note_standing(at, use);
  publish_for_all();
}

} // namespace rondo
