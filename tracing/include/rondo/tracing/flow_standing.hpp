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
  if(!stands_now() || (Made::has_list && !node.kind->is_simple()))
    return false;
  begin_standing(node);
  if(!stands_now() || in_use_->standing->is_restless(node.index)) // another batch may have begun
    return false;
  detail::launch* l = nullptr;
  const bool has_changed = !is_as_before<Made>(node, f, args...);
  if(!has_changed) [[likely]]
    l = in_use_->standing->same_copy(node.index);
  if(l == nullptr) [[unlikely]]
    l = make_standing<Made>(node, has_changed, f, args...);
  if(l == nullptr)
    return false;
  if(expected_->kind == nullptr) [[unlikely]]
    end_pass();
  publish_standing(*l, node);
  return true;
}

/// It has the values of the last launch of the node.
template<class Made, class F, class... A>
[[gnu::always_inline]] inline bool flow::is_as_before(
  const detail::template_node& node, const F& f, const A&... args) {
  const detail::launch* const l = in_use_->standing->original_of(node.index).made;
  return l != nullptr && l->name == detail::name_of(f) &&
         static_cast<const Made*>(l)->has_same_values(detail::body_of(f), args...);
}

/// Other values, or a pass that has not been launched from its copies before. Returns null if there is no memory.
template<class Made, class F, class... A>
[[gnu::noinline]] detail::launch* flow::make_standing(
  const detail::template_node& node, bool has_changed, const F& f, const A&... args) {
  detail::standing_launches& all = *in_use_->standing;
  const std::size_t size = Made::size(node.kind->accesses);
  if(has_changed) {
    detail::standing_launches::original& o = all.original_of(node.index);
    void* const memory = o.made != nullptr ? o.made : all.reserve(size, Made::alignment());
    if(memory == nullptr)
      return nullptr;
    o.made = Made::make(memory, *node.kind, nullptr, detail::body_of(f), args...);
    o.made->node = &node;
    o.made->name = detail::name_of(f);
  }
  return all.renew_copy(node.index, has_changed, size, Made::alignment());
}

} // namespace rondo
