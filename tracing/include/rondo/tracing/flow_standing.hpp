#pragma once

/// \file
/// Launches of a trace that stand where they are, pass after pass: docs/protocols/trace.md, "Standing launches". A part of
/// flow.hpp, which includes it.

#include <rondo/tracing/flow.hpp>

namespace rondo {

/// Returns false if the launch is to be made in the memory of the batch.
template<class Made, class F, class... A>
[[gnu::always_inline]] inline bool flow::launch_standing(
  const detail::template_node& node, const F& f, const A&... args) {
  if(!stands_now())
    return false;
  begin_standing(node);
  if(!stands_now()) // another batch has begun
    return false;
  detail::standing_launches& all = *in_use_->standing;
  const detail::standing_launches::original& o = all.original_of(node.index);
  const detail::standing_launches::copy& c = all.copy_of(node.index);
  const bool is_as_before =
    c.version == o.version && c.made != nullptr && o.made->name == detail::name_of(f) &&
    static_cast<Made*>(o.made)->has_same_values(detail::body_of(f), args...);
  detail::launch* const l = is_as_before ? c.made : make_standing<Made>(node, f, args...);
  if(l == nullptr)
    return false;
  if(expected_->kind == nullptr) [[unlikely]]
    end_pass();
  publish_standing(*l, node);
  return true;
}

/// Other values than in the pass before, or the first ones here. Returns null if there is no memory.
template<class Made, class F, class... A>
[[gnu::noinline]] detail::launch* flow::make_standing(
  const detail::template_node& node, const F& f, const A&... args) {
  detail::standing_launches& all = *in_use_->standing;
  constexpr std::size_t size = Made::size(Made::access_count);
  detail::standing_launches::original& o = all.original_of(node.index);
  const bool is_same = o.made != nullptr && o.made->name == detail::name_of(f) &&
                       static_cast<Made*>(o.made)->has_same_values(detail::body_of(f), args...);
  if(!is_same) {
    void* const memory = o.made != nullptr ? o.made : all.reserve(size, Made::alignment());
    if(memory == nullptr)
      return nullptr;
    o.made = Made::make(memory, *node.kind, nullptr, detail::body_of(f), args...);
    o.made->node = &node;
    o.made->name = detail::name_of(f);
    o.made->pass = nullptr;
    o.made->is_simple = true;
    ++o.version;
  }
  return all.renew(node.index, size, Made::alignment());
}

} // namespace rondo
