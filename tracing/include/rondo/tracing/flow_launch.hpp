#pragma once

/// \file
/// One launch of a flow, from the call of `submit` until crews may claim it. A part of flow.hpp, which includes it.
///
///   1. which kind of launch it is, and which regions it uses (`list_regions`);
///   2. in the body of `repeat` it is kept, and that is all (`launch_closed`);
///   3. whether it is the one that the trace expects (`match`); if not, its regions are the flow's again;
///   4. one that was made for an earlier pass may do (`launch_standing`, flow_standing.hpp); else it is made, in the memory
///      of the batch (`make_launch`);
///   5. what it waits for: turns of its regions (`analyse`), or edges of the trace (`replay`);
///   6. crews are told (`publish`);
///   7. traces and the finder remember it (`remember`).

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

#include <rondo/tracing/empty_future.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo {

namespace detail::inline tracing {

/// What is wrong with a call of `submit`.
enum class submit_mistake : std::uint8_t {
  none,
  hints_inside,
  hints_beside,
  priority_beside,
  bare_region,
  arguments
};

template<class F, class... A>
constexpr submit_mistake mistake_of_submit() {
  if constexpr(has_misplaced_hints<F, A...>)
    return submit_mistake::hints_inside;
  else if constexpr(std::is_same_v<F, hinted<no_function>> || (is_hinted<A> || ...))
    return submit_mistake::hints_beside;
  else {
    using kept = rondo::detail::arguments<typename kept_as<A>::type...>;
    using function = typename unhinted<typename plain_body<F>::type>::type;
    if constexpr(kept::template choose<function>() != kept::none)
      return submit_mistake::none;
    else if constexpr((std::is_same_v<F, priority> || ... || std::is_same_v<A, priority>))
      return submit_mistake::priority_beside;
    else
      return submit_mistake::arguments;
  }
}
/// Regions can't be copied, so they are looked for before anything decays.
template<class... A>
inline constexpr bool has_bare_region =
  (std::is_base_of_v<region_base, std::remove_cvref_t<A>> || ...);

} // namespace detail::inline tracing

template<class F, class... A>
RONDO_NOT_INLINED_IF_CHECKED auto flow::submit(F&& f, A&&... args) {
  if constexpr(detail::is_checked)
    detail::note_returns(__builtin_frame_address(0));
  using detail::submit_mistake;
  constexpr submit_mistake mistake =
    detail::has_bare_region<A...>
      ? submit_mistake::bare_region
      : detail::mistake_of_submit<std::decay_t<F>, std::decay_t<A>...>();
  static_assert(mistake != submit_mistake::hints_inside,
    "rondo: hints go around the function and its name: "
    "f.submit(hinted({.priority = priority::high}, named(\"factor\", factor)), write(u))");
  static_assert(mistake != submit_mistake::hints_beside,
    "rondo: hints go around the function, not beside it: "
    "f.submit(hinted({.priority = priority::high}, factor), write(u))");
  static_assert(mistake != submit_mistake::priority_beside,
    "rondo: a priority is no argument of submit but one of the hints around the function: "
    "f.submit(hinted({.priority = priority::high}, factor), write(u))");
  static_assert(mistake != submit_mistake::bare_region,
    "rondo: a region is given with what the function does with it: f.submit(factor, write(u)), or "
    "read(u)");
  static_assert(mistake != submit_mistake::arguments,
    "rondo::flow::submit: the function cannot be called with these arguments. read(r) is handed "
    "over as const T&, all other accesses as T&, a future<T> as const T& (nothing for void) or as "
    "future<T>; all else as rvalues");
  if constexpr(mistake == submit_mistake::none)
    return launch<true>(std::forward<F>(f), std::forward<A>(args)...);
}

template<bool MayBeTraced, class F, class... A>
auto flow::launch(F&& f, A&&... args) {
  using made = detail::launch_of<typename detail::plain_body<std::decay_t<F>>::type,
    typename detail::kept_as<std::decay_t<A>>::type...>;
  static_assert((std::size_t{detail::is_access_list<A>} + ... + 0) <= 1,
    "rondo::flow::submit: a launch takes one list of accesses; put all of them into that");
  check_caller();
  detail::refuse_empty_futures(
    [&] { return detail::place_of(f, args...); }, detail::name_of(f), "argument", 1, args...);
  open_for(args...);

  detail::mode_signature signature;
  const auto regions = list_regions<made>(signature, args...);
  const detail::launch_kind& kind = made::kind_of(
    expected_ != nullptr ? expected_->kind : nullptr, signature, detail::access_list_of(args...));
  const std::size_t count = made::has_list ? kind.accesses : made::access_count;
  if(closing_ != nullptr) [[unlikely]]
    return launch_closed<made>(kind, regions.data(), std::forward<F>(f), std::forward<A>(args)...);

  const bool does_nothing = detail::does_nothing(f);
  const detail::template_node* node = nullptr;
  if constexpr(MayBeTraced)
    if(expected_ != nullptr)
      node = match(kind, regions, count, does_nothing, f, args...);
  if constexpr(made::may_be_left_out)
    if(node != nullptr && passes_over(*node))
      return;
  if(node == nullptr)
    for(detail::region_base* const r : regions)
      if(r->owner != nullptr) [[unlikely]]
        disown(*r);

  if constexpr(made::may_stand)
    if(node != nullptr && launch_standing<made>(*node, f, args...)) {
      if constexpr(MayBeTraced)
        remember(kind, node, regions, count, does_nothing, f, args...);
      return;
    }

  detail::launch_promise<typename made::result> promise;
  made& l = *make_launch<made>(kind, node, promise, std::forward<F>(f), std::forward<A>(args)...);
  if(node == nullptr) {
    l.where = detail::place_of(f, args...);
    l.list_accesses(regions.data());
    analyse(l, kind, count);
  }
  else {
    replay(l, kind, regions.data());
    if(is_any(observed)) [[unlikely]]
      launched_at_ = detail::place_of(f, args...);
  }
  if constexpr(made::has_hints)
    publish_hinted(l);
  else
    publish(l);
  if constexpr(MayBeTraced)
    remember(kind, node, regions, count, does_nothing, f, args...);
  return promise.take_future();
}

/// The regions of all accesses, in their order: std::array, or if there is a list a span that is good until the next launch.
template<class Made, class... A>
auto flow::list_regions([[maybe_unused]] detail::mode_signature& signature, const A&... args) {
  [[maybe_unused]] std::size_t n = 0;
  if constexpr(Made::has_list) {
    const std::span<const region_access> list = detail::access_list_of(args...);
    regions_.resize(Made::access_count + list.size());
    (detail::note_region(args, regions_.data(), n), ...);
    for(const region_access& a : list) {
      regions_[n++] = &a.of();
      signature.add(a.mode());
    }
    return std::span<detail::region_base* const>(regions_);
  }
  else {
    std::array<detail::region_base*, Made::access_count> regions;
    (detail::note_region(args, regions.data(), n), ...);
    return regions;
  }
}

/// What the launch is in the trace, or null. From there on the one behind it is expected.
template<class Regions, class F, class... A>
[[gnu::always_inline]] inline const detail::template_node* flow::match(
  const detail::launch_kind& kind, const Regions& regions, std::size_t count, bool does_nothing,
  const F& f, const A&... args) {
  bool is_the_one = expected_->kind == &kind && expected_->does_nothing == does_nothing;
  for(std::size_t i = 0; i != count && is_the_one; ++i)
    is_the_one = regions[i] == expected_->regions[i];
  const detail::template_node* node = expected_;
  if(!is_the_one) [[unlikely]]
    node = find_expected(
      kind, regions.data(), detail::place_of(f, args...), detail::name_of(f), does_nothing);
  if(node != nullptr) {
    if(node->index == 0 || is_careful_) [[unlikely]]
      begin_replayed(*node);
    expected_ = node + 1;
  }
  return node;
}

/// It does nothing, and what comes after it waits for what it would have waited for.
inline bool flow::passes_over(const detail::template_node& n) {
  if(n.is_left_out)
    pass_over(n);
  return n.is_left_out;
}

template<class Made, class F, class... A>
[[gnu::always_inline]] inline Made* flow::make_launch(const detail::launch_kind& kind,
  const detail::template_node* node, detail::launch_promise<typename Made::result>& promise, F&& f,
  A&&... args) {
  Made* l = nullptr;
  try {
    begin_launch();
    if constexpr(Made::has_result)
      promise.begin(ex_, detail::place_of(f, args...));
    void* const memory = current_->reserve(Made::size(kind.accesses), Made::alignment());
    l = Made::make(
      memory, kind, promise.held(), detail::body_of(std::forward<F>(f)), std::forward<A>(args)...);
    if constexpr(Made::has_hints)
      l->keep_hints(f.hints);
  }
  catch(...) {
    promise.give_up();
    if(node != nullptr)
      expected_ = node; // it was not launched
    throw;
  }
  l->home = current_;
  l->pass = pass_;
  l->node = node;
  l->name = detail::name_of(f); // not always the node's: functions of one type may have several
  return l;
}

/// A launch that is no part of a trace: it enters its regions, whose turns it waits for.
[[gnu::always_inline]] inline void flow::analyse(
  detail::launch& l, const detail::launch_kind& kind, std::size_t count) {
  l.is_simple = kind.is_simple() && pass_ == nullptr;
  detail::access_entry* const accesses = l.accesses();
  for(std::size_t i = 0; i != count; ++i)
    if(&accesses[i].to->home() != this ||
       !accesses[i].to->may_enter(next_id_, accesses[i].mode, l.where)) [[unlikely]]
      refuse(l, accesses[i]);
  for(std::size_t i = 0; i != count; ++i)
    accesses[i].turn = accesses[i].to->enter(accesses[i].mode);
}

/// A launch of the trace: it waits for the edges of its node.
template<class Made>
[[gnu::always_inline]] inline void flow::replay(
  Made& l, const detail::launch_kind& kind, detail::region_base* const* regions) {
  l.round = in_use_->round;
  l.is_simple = kind.is_simple() && pass_ == nullptr && !is_careful_;
  if(is_careful_ || !kind.is_plain) {
    l.list_accesses(regions);
    if(is_careful_) [[unlikely]]
      take_turns(l);
  }
  if(expected_->kind == nullptr) [[unlikely]]
    end_pass();
}

/// For the search for repeats, and for the trace that is being recorded. The launch may be over by now.
template<class Regions, class F, class... A>
[[gnu::always_inline]] inline void flow::remember(const detail::launch_kind& kind,
  const detail::template_node* node, const Regions& regions, std::size_t count, bool does_nothing,
  const F& f, const A&... args) {
  bool is_time = false;
  if(is_any(looking)) {
    if(node != nullptr)
      automatic_.seen.see_replayed(node->hash);
    else
      is_time = automatic_.seen.see(detail::hash_of(&kind, regions.data(), count, does_nothing));
  }
  if(node == nullptr && (is_time || recorded_ != nullptr)) [[unlikely]]
    note_launch(kind, regions.data(), detail::place_of(f, args...), detail::name_of(f),
      does_nothing, is_time);
}

/// A launch of the body of `repeat`.
template<class Made, class F, class... A>
auto flow::launch_closed(
  const detail::launch_kind& kind, detail::region_base* const* regions, F&& f, A&&... args) {
  const std::source_location where = detail::place_of(f, args...);
  const char* const name = detail::name_of(f);
  detail::launch_promise<typename Made::result> promise;
  promise.begin(ex_, where);
  Made* l = nullptr;
  try {
    void* const memory = closing_->reserve(Made::size(kind.accesses), Made::alignment());
    l = Made::make(
      memory, kind, promise.held(), detail::body_of(std::forward<F>(f)), std::forward<A>(args)...);
    if constexpr(Made::has_hints)
      l->keep_hints(f.hints);
  }
  catch(...) {
    promise.give_up();
    throw;
  }
  l->list_accesses(regions);
  l->where = where;
  l->name = name;
  l->node = nullptr;
  keep_closed(*l);
  return promise.take_future();
}

} // namespace rondo
