#pragma once

/// \file
/// How a task's arguments are kept until it starts, and handed over then: futures as their values,
/// or as futures that are ready, whichever the body takes; all else as rvalues.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <rondo/core/invoke.hpp>
#include <rondo/core/plain_tuple.hpp>
#include <rondo/futures/future.hpp>

namespace rondo::detail::inline futures {

/// Throws if it is a future of nothing.
template<class A>
void require_valid(const A& a) {
  if constexpr(is_future<A>)
    access::checked(a);
}

/// What an argument kept as `D` is handed over as; void: not at all.
template<class D, bool AsFuture>
struct handed_over {
  using type = D&&;
  static type make(D& kept) { return static_cast<D&&>(kept); }
};
template<class U>
struct handed_over<future<U>, true> {
  using type = future<U>&&;
  static type make(future<U>& kept) { return std::move(kept); }
};
template<class U>
struct handed_over<future<U>, false> {
  using type = const U&;
  static type make(future<U>& kept) { return access::of(kept)->value(); }
};
template<class U>
struct handed_over<future<U&>, false> {
  using type = U&;
  static type make(future<U&>& kept) { return *access::of(kept)->value(); }
};
template<>
struct handed_over<future<void>, false> {
  using type = void;
};

/// The same for a task that runs again: what is kept stays as it is.
template<class D, bool AsFuture>
struct lent {
  using type = D;
  static type make(const D& kept) { return kept; }
};
template<class U>
struct lent<future<U>, true> {
  using type = future<U>;
  static type make(const future<U>& kept) { return kept; }
};
template<class U>
struct lent<future<U>, false> : handed_over<future<U>, false> {};

/// Numbers of those that are true.
template<bool... Is>
struct numbers_of {
  static constexpr std::size_t count = (std::size_t{Is} + ... + 0);
  static constexpr auto find() {
    std::array<std::size_t, count + 1> all{}; // one more, since an array of none is none
    std::size_t n = 0, i = 0;
    ((Is ? void(all[n++] = i) : void(), ++i), ...);
    return all;
  }
  template<std::size_t... K>
  static auto list(std::index_sequence<K...>) -> std::index_sequence<find()[K]...>;
  using type = decltype(list(std::make_index_sequence<count>()));
};

/// A bit for each argument.
using argument_mask = std::uint64_t;

template<class... D>
class arguments {
  static_assert(sizeof...(D) < 64,
    "rondo: a task has 63 arguments and accesses at the most; put some "
    "of the values into a struct, or several objects into one region");

  using kept = plain_tuple<D...>;

  static constexpr bool has(argument_mask mask, std::size_t i) { return (mask >> i & 1U) != 0; }

  template<argument_mask Mask, std::size_t I, class X>
  static typename handed_over<X, has(Mask, I)>::type hand_over(nth_value<I, X>& x) {
    return handed_over<X, has(Mask, I)>::make(x.value);
  }
  template<argument_mask Mask, std::size_t I, class X>
  static typename lent<X, has(Mask, I)>::type lend(nth_value<I, X>& x) {
    return lent<X, has(Mask, I)>::make(x.value);
  }

  template<argument_mask Mask, std::size_t... I>
  static auto find_handed(std::index_sequence<I...>) ->
    typename numbers_of<!std::is_void_v<typename handed_over<D, has(Mask, I)>::type>...>::type;
  /// Numbers of the arguments that are handed over.
  template<argument_mask Mask>
  using handed = decltype(find_handed<Mask>(std::index_sequence_for<D...>()));

  template<class F, argument_mask Mask, std::size_t... I>
  static constexpr bool accepts(std::index_sequence<I...>) {
    return std::is_invocable_v<F&, decltype(hand_over<Mask, I>(std::declval<kept&>()))...>;
  }
  template<class F, argument_mask Mask, std::size_t... I>
  static auto result_of(std::index_sequence<I...>)
    -> std::invoke_result_t<F&, decltype(hand_over<Mask, I>(std::declval<kept&>()))...>;

public:
  template<class... A>
  explicit arguments(std::in_place_t, A&&... a) : kept_(std::in_place, std::forward<A>(a)...) {}

  /// The arguments that are futures.
  static constexpr argument_mask futures = [] {
    argument_mask all = 0, bit = 1;
    ((all |= is_future<D> ? bit : 0, bit <<= 1U), ...);
    return all;
  }();

  static constexpr argument_mask none = ~argument_mask{0};

  /// What the body returns. Bit i of the mask: it is given the i-th argument as a future.
  template<class F, argument_mask Mask>
  struct result {
    using type = decltype(result_of<F, Mask>(handed<Mask>()));
  };

  /// The first way that suits the body: values if it takes them.
  template<class F, argument_mask Mask = 0>
  static constexpr argument_mask choose() {
    if constexpr(accepts<F, Mask>(handed<Mask>()))
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
    return call<Mask>(f, handed<Mask>());
  }

  static constexpr bool is_copyable = (std::is_copy_constructible_v<D> && ...);

  /// The same, and can be called again.
  template<argument_mask Mask, class F>
  decltype(auto) call_again(F& f) {
    return call_again<Mask>(f, handed<Mask>());
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
    each(g, std::index_sequence_for<D...>());
  }

  /// `g(argument, other)` is true for each of them and the other of the same number.
  template<class G, class... A>
  [[nodiscard]] bool are_all(G&& g, const A&... others) const {
    return are_all(g, std::index_sequence_for<D...>(), others...);
  }

private:
  template<class G, std::size_t... I, class... A>
  bool are_all(G& g, std::index_sequence<I...>, const A&... others) const {
    return (g(nth<I>(kept_), others) && ...);
  }
  template<argument_mask Mask, class F, std::size_t... I>
  decltype(auto) call(F& f, std::index_sequence<I...>) {
    return invoke_with(f, hand_over<Mask, I>(kept_)...);
  }
  template<argument_mask Mask, class F, std::size_t... I>
  decltype(auto) call_again(F& f, std::index_sequence<I...>) {
    return invoke_with(f, lend<Mask, I>(kept_)...);
  }

  template<class G, std::size_t... I>
  void each(G& g, std::index_sequence<I...>) {
    (g(nth<I>(kept_)), ...);
  }

  template<argument_mask Mask, bool ValuesOnly, class G, std::size_t... I>
  void each_awaited(G& g, std::index_sequence<I...>) {
    (visit < ValuesOnly && has(Mask, I) > (g, nth<I>(kept_)), ...);
  }

  template<bool Skipped, class G, class Kept>
  static void visit(G& g, Kept& kept) {
    if constexpr(is_future<Kept> && !Skipped)
      g(access::checked(kept));
  }

  kept kept_;
};

} // namespace rondo::detail::inline futures
