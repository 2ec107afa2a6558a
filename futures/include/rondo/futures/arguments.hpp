#pragma once

/// \file
/// How a task's arguments are kept until it starts, and handed over then: futures as their values,
/// or as futures that are ready, whichever the body takes; all else as rvalues.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/futures/future.hpp>

namespace rondo::detail::inline futures {

/// Throws if it is a future of nothing.
template<class A>
void require_valid(const A& a) {
  if constexpr(is_future<A>)
    access::checked(a);
}

/// What an argument kept as `D` is handed over as: std::tuple of no type or of one.
template<class D, bool AsFuture>
struct handed_over {
  using type = std::tuple<D&&>;
  static type make(D& kept) { return type(std::move(kept)); }
};
template<class U>
struct handed_over<future<U>, true> {
  using type = std::tuple<future<U>&&>;
  static type make(future<U>& kept) { return type(std::move(kept)); }
};
template<class U>
struct handed_over<future<U>, false> {
  using type = std::tuple<const U&>;
  static type make(future<U>& kept) { return type(access::of(kept)->value()); }
};
template<class U>
struct handed_over<future<U&>, false> {
  using type = std::tuple<U&>;
  static type make(future<U&>& kept) { return type(*access::of(kept)->value()); }
};
template<>
struct handed_over<future<void>, false> {
  using type = std::tuple<>;
  static type make(future<void>&) { return {}; }
};

/// The same for a task that runs again: what is kept stays as it is.
template<class D, bool AsFuture>
struct lent {
  using type = std::tuple<D>;
  static type make(const D& kept) { return type(kept); }
};
template<class U>
struct lent<future<U>, true> {
  using type = std::tuple<future<U>>;
  static type make(const future<U>& kept) { return type(kept); }
};
template<class U>
struct lent<future<U>, false> : handed_over<future<U>, false> {};

template<class F, class Tuple>
struct applies;
template<class F, class... A>
struct applies<F, std::tuple<A...>> {
  static constexpr bool value = std::is_invocable_v<F&, A...>;
  using result = std::invoke_result<F&, A...>;
};

/// A bit for each argument.
using argument_mask = std::uint64_t;

template<class... D>
class arguments {
  static_assert(sizeof...(D) < 64,
    "rondo: a task has 63 arguments and accesses at the most; put some "
    "of the values into a struct, or several objects into one region");

public:
  template<class... A>
  explicit arguments(std::in_place_t, A&&... a) : kept_(std::forward<A>(a)...) {}

  static constexpr bool has(argument_mask mask, std::size_t i) { return (mask >> i & 1U) != 0; }

  /// Whether each is handed over as one argument: all but future<void>. std::tuple_cat for the others
  /// takes compilers long.
  template<class... Tuple>
  static constexpr bool are_one_each = ((std::tuple_size_v<Tuple> == 1) && ...);

  template<argument_mask Mask, std::size_t... I>
  static auto make_list(std::index_sequence<I...>) {
    if constexpr(are_one_each<typename handed_over<D, has(Mask, I)>::type...>)
      return std::type_identity<
        std::tuple<std::tuple_element_t<0, typename handed_over<D, has(Mask, I)>::type>...>>();
    else
      return std::type_identity<decltype(std::tuple_cat(
        std::declval<typename handed_over<D, has(Mask, I)>::type>()...))>();
  }

  /// The types handed over. Bit i of the mask: the i-th argument as a future.
  template<argument_mask Mask>
  using list = typename decltype(make_list<Mask>(std::index_sequence_for<D...>()))::type;

  /// The arguments that are futures.
  static constexpr argument_mask futures = [] {
    argument_mask all = 0, bit = 1;
    ((all |= is_future<D> ? bit : 0, bit <<= 1U), ...);
    return all;
  }();

  static constexpr argument_mask none = ~argument_mask{0};

  /// The first way that suits the body: values if it takes them.
  template<class F, argument_mask Mask = 0>
  static constexpr argument_mask choose() {
    if constexpr(applies<F, list<Mask>>::value)
      return Mask;
    else {
      constexpr argument_mask next = (Mask - futures) & futures; // the next subset of them
      if constexpr(next == 0)
        return none;
      else
        return choose<F, next>();
    }
  }

  template<argument_mask Mask, class F>
  decltype(auto) call(F& f) {
    return call<Mask>(f, std::index_sequence_for<D...>());
  }

  static constexpr bool is_copyable = (std::is_copy_constructible_v<D> && ...);

  /// The same, and can be called again.
  template<argument_mask Mask, class F>
  decltype(auto) call_again(F& f) {
    return call_again<Mask>(f, std::index_sequence_for<D...>());
  }

  /// How many futures the task has to wait for: all of them, or only those whose values it takes.
  template<argument_mask Mask, bool ValuesOnly>
  static constexpr std::size_t awaited() {
    std::size_t count = 0;
    argument_mask bit = 1;
    ((count += std::size_t{is_future<D> && !(ValuesOnly && (Mask & bit) != 0)}, bit <<= 1U), ...);
    return count;
  }

  /// Calls `g(state)` for each of these, in order.
  template<argument_mask Mask, bool ValuesOnly, class G>
  void each_awaited(G&& g) {
    each_awaited<Mask, ValuesOnly>(g, std::index_sequence_for<D...>());
  }

  /// Calls `g(argument)` for each of them as it is kept, in order.
  template<class G>
  void each(G&& g) {
    std::apply([&g](auto&... kept) { (g(kept), ...); }, kept_);
  }

private:
  template<argument_mask Mask, class F, std::size_t... I>
  decltype(auto) call(F& f, std::index_sequence<I...>) {
    if constexpr(are_one_each<typename handed_over<D, has(Mask, I)>::type...>)
      return std::invoke(f, std::get<0>(handed_over<D, has(Mask, I)>::make(std::get<I>(kept_)))...);
    else
      return std::apply(
        f, std::tuple_cat(handed_over<D, has(Mask, I)>::make(std::get<I>(kept_))...));
  }

  template<argument_mask Mask, class F, std::size_t... I>
  decltype(auto) call_again(F& f, std::index_sequence<I...>) {
    if constexpr(are_one_each<typename lent<D, has(Mask, I)>::type...>)
      return std::invoke(f, std::get<0>(lent<D, has(Mask, I)>::make(std::get<I>(kept_)))...);
    else
      return std::apply(f, std::tuple_cat(lent<D, has(Mask, I)>::make(std::get<I>(kept_))...));
  }

  template<argument_mask Mask, bool ValuesOnly, class G, std::size_t... I>
  void each_awaited(G& g, std::index_sequence<I...>) {
    (visit < ValuesOnly && has(Mask, I) > (g, std::get<I>(kept_)), ...);
  }

  template<bool Skipped, class G, class Kept>
  static void visit(G& g, Kept& kept) {
    if constexpr(is_future<Kept> && !Skipped)
      g(access::checked(kept));
  }

  std::tuple<D...> kept_;
};

} // namespace rondo::detail::inline futures
