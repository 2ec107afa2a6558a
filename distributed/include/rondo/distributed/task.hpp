#pragma once

/// \file
/// What a task's parameters say: which arguments it is launched with, and what it does with them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/distributed/accessor.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/history.hpp>
#include <rondo/distributed/lane.hpp>
#include <rondo/distributed/mpi_task.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/futures/future.hpp>

namespace rondo::topo {
class global;
}

namespace rondo::detail::inline distributed {

template<class...>
struct types {};

// ---- the function ----------------------------------------------------------------------------

template<class F>
struct signature : signature<decltype(&F::operator())> {};
template<class R, class... P>
struct signature<R (*)(P...)> {
  using result = R;
  using parameters = std::tuple<std::decay_t<P>...>;
  static constexpr std::size_t count = sizeof...(P);
};
template<class R, class... P>
struct signature<R (*)(P...) noexcept> : signature<R (*)(P...)> {};
template<class C, class R, class... P>
struct signature<R (C::*)(P...) const> : signature<R (*)(P...)> {};
template<class C, class R, class... P>
struct signature<R (C::*)(P...) const noexcept> : signature<R (*)(P...)> {};

template<auto F>
using signature_of = signature<std::remove_cv_t<decltype(F)>>;

template<auto F>
constexpr auto name_with_rest() {
  return std::string_view(__PRETTY_FUNCTION__);
}

/// "task::red": as the compiler writes it, but for unnamed namespaces, which each compiler has other
/// words for and nobody looks for.
template<auto F>
struct task_name {
  static constexpr std::string_view find() {
    std::string_view s = name_with_rest<F>();
    const std::size_t begin = s.find("F = ") + 4;
    s = s.substr(0, s.find_first_of(";]", begin)).substr(begin);
    if(s.starts_with("(&")) // gcc: (& task::red)
      s = s.substr(1, s.size() - 2);
    while(s.starts_with('&') || s.starts_with(' '))
      s.remove_prefix(1);
    const bool unnamed = s.find("lambda") != s.npos || s.find("(anonymous class)") != s.npos;
    return unnamed ? std::string_view("a lambda") : s;
  }

  struct text {
    char letters[find().size() + 1] = {};
    constexpr text() {
      std::size_t size = 0;
      for(std::string_view rest = find(); !rest.empty();) {
        std::size_t skipped = 0;
        for(const std::string_view unnamed : {"{anonymous}::", "(anonymous namespace)::"})
          if(rest.starts_with(unnamed))
            skipped = unnamed.size();
        if(skipped == 0)
          letters[size++] = rest.front();
        rest.remove_prefix(skipped == 0 ? 1 : skipped);
      }
    }
  };
  static constexpr text value{};
};
template<auto F>
constexpr const char* name_of_task = task_name<F>::value.letters;
template<auto F>
inline constexpr std::uint64_t hash_of_task = hash_of_letters(name_of_task<F>);

// ---- its parameters --------------------------------------------------------------------------

template<class P>
inline constexpr bool is_view = !std::is_void_v<typename topology_of<P>::type>;
template<class P>
inline constexpr bool is_accessor = false;
template<class T, privilege O, privilege G>
inline constexpr bool is_accessor<field_accessor<T, O, G>> = true;
template<class P>
inline constexpr bool is_value = !is_view<P> && !is_accessor<P>;

/// What it is launched with.
template<class P>
struct argument_of {
  using type = P;
};
template<class P>
  requires is_view<P>
struct argument_of<P> {
  using type = typename topology_of<P>::type;
};
template<class T, privilege O, privilege G>
struct argument_of<field_accessor<T, O, G>> {
  using type = field<T>;
};

template<class P>
struct accesses_of {
  using type = types<>;
};
template<privilege Which>
using access_type = std::conditional_t<writes(Which), color_block&, const color_block&>;
template<class T, privilege O, privilege G>
struct accesses_of<field_accessor<T, O, G>> {
  static_assert(O != na || G != na, "rondo: an accessor with neither privilege is of no use");
  using type = std::conditional_t<O == na, types<access_type<G>>,
    std::conditional_t<G == na, types<access_type<O>>, types<access_type<O>, access_type<G>>>>;
};
template<class P>
struct values_of {
  using type = std::conditional_t<is_value<P>, types<P>, types<>>;
};
template<class P>
struct meshes_of {
  using type = std::conditional_t<is_view<P>, types<typename topology_of<P>::type>, types<>>;
};

template<class... L>
struct join_types;
template<>
struct join_types<> {
  using type = types<>;
};
template<class... A>
struct join_types<types<A...>> {
  using type = types<A...>;
};
template<class... A, class... B, class... Rest>
struct join_types<types<A...>, types<B...>, Rest...> : join_types<types<A..., B...>, Rest...> {};

template<class X>
inline constexpr std::size_t length_of = 0;
template<class... X>
inline constexpr std::size_t length_of<types<X...>> = sizeof...(X);

/// What a color's launch is given: first an access to each part of a field, then each value.
struct launch_part {
  enum kind { owned, ghosts, value };
  std::size_t parameter = 0;
  kind what = value;
  bool is_written = false;
};

template<class Parameters>
struct parameter_lists;
template<class... P>
struct parameter_lists<std::tuple<P...>> {
  using blocks = typename join_types<typename accesses_of<P>::type...>::type;
  using values = typename join_types<typename values_of<P>::type...>::type;
  using meshes = typename join_types<typename meshes_of<P>::type...>::type;
  static constexpr bool is_over_a_topology = (!is_value<P> || ...);

  static constexpr auto parts = [] {
    std::array<launch_part, length_of<blocks> + length_of<values>> all;
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] std::size_t i = 0;
    [[maybe_unused]] const auto add_accesses = [&]<class X>(std::type_identity<X>) {
      if constexpr(is_accessor<X>) {
        if(X::owned != na)
          all[n++] = {i, launch_part::owned, writes(X::owned)};
        if(X::ghosts != na)
          all[n++] = {i, launch_part::ghosts, writes(X::ghosts)};
      }
      ++i;
    };
    (add_accesses(std::type_identity<P>()), ...);
    i = 0;
    ((is_value<P> ? void(all[n++] = {i, launch_part::value, false}) : void(), ++i), ...);
    return all;
  }();
  /// The parameters that are views.
  static constexpr auto viewed = [] {
    std::array<std::size_t, length_of<meshes>> all{};
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] std::size_t i = 0;
    ((is_view<P> ? void(all[n++] = i) : void(), ++i), ...);
    return all;
  }();

  /// Where the I-th one's blocks, its value, or its topology, are among all.
  template<std::size_t I>
  static constexpr std::size_t block = [] {
    const std::size_t counts[] = {length_of<typename accesses_of<P>::type>..., 0};
    std::size_t n = 0;
    for(std::size_t i = 0; i != I; ++i)
      n += counts[i];
    return n;
  }();
  template<std::size_t I>
  static constexpr std::size_t value = [] {
    const bool are_values[] = {is_value<P>..., false};
    std::size_t n = 0;
    for(std::size_t i = 0; i != I; ++i)
      n += are_values[i] ? 1 : 0;
    return n;
  }();
  template<std::size_t I>
  static constexpr std::size_t mesh = [] {
    const bool are_views[] = {is_view<P>..., false};
    std::size_t n = 0;
    for(std::size_t i = 0; i != I; ++i)
      n += are_views[i] ? 1 : 0;
    return n;
  }();
};

// ---- a color's launch ------------------------------------------------------------------------

/// For messages: which color it is of all. If the task has no view, that is not known, but its place on the rank.
std::string details_of_color(std::initializer_list<const topology*> over, std::size_t color);

/// Calls the task for one color. Gets the blocks of all accesses, then all values.
template<auto F, class Blocks, class Values, class Meshes>
struct color_task_with;
template<auto F, class... B, class... V, class... M>
struct color_task_with<F, types<B...>, types<V...>, types<M...>> {
  using parameters = typename signature_of<F>::parameters;
  using lists = parameter_lists<parameters>;
  using meshes = std::tuple<const M*...>;

  /// Not an aggregate: clang 16 makes nonsense of an empty first member in nested braces.
  color_task_with(const meshes& over, std::size_t color) : over_(over), color_(color) {}
  [[nodiscard]] std::size_t color() const { return color_; }
  [[nodiscard]] std::string details() const {
    return std::apply(
      [this](const auto*... m) {
        return details_of_color({static_cast<const topology*>(m)...}, color_);
      },
      over_);
  }

  auto operator()(B... blocks, V... values) const {
    const color_block* const all[] = {&blocks..., nullptr};
    std::tuple<V&...> kept(values...);
    return call(all, kept, std::make_index_sequence<signature_of<F>::count>());
  }

private:
  [[no_unique_address]] meshes over_;
  std::size_t color_;

  template<std::size_t... I>
  auto call(
    const color_block* const* all, std::tuple<V&...>& kept, std::index_sequence<I...>) const {
    return F(make<I>(all, kept)...);
  }
  template<std::size_t I>
  decltype(auto) make(const color_block* const* all, std::tuple<V&...>& kept) const {
    using P = std::tuple_element_t<I, parameters>;
    if constexpr(is_view<P>)
      return P(std::get<lists::template mesh<I>>(over_)->view_of(color_));
    else if constexpr(is_accessor<P>)
      return P(*all[lists::template block<I>]);
    else
      return std::move(std::get<lists::template value<I>>(kept));
  }
};

template<auto F>
using lists_of = parameter_lists<typename signature_of<F>::parameters>;
template<auto F>
using color_task = color_task_with<F, typename lists_of<F>::blocks, typename lists_of<F>::values,
  typename lists_of<F>::meshes>;

/// The same for one that returns a value to be reduced.
template<auto F, class Blocks = typename lists_of<F>::blocks,
  class Values = typename lists_of<F>::values>
struct color_reduction;
template<auto F, class... B, class... V>
struct color_reduction<F, types<B...>, types<V...>> {
  using result = typename signature_of<F>::result;
  color_task<F> task;
  [[nodiscard]] std::string details() const { return task.details(); }
  void operator()(color_value& r, B... blocks, V... values) const {
    static_cast<reduced<result>&>(r).here = task(blocks..., std::move(values)...);
  }
};

/// What tasks without any topology write.
struct outside_world {};

/// Of a task without any topology.
template<auto F, class Parameters = typename signature_of<F>::parameters>
struct once;
template<auto F, class... P>
struct once<F, std::tuple<P...>> {
  auto operator()(outside_world&, P... values) const { return F(std::move(values)...); }
};

/// What launching it gives.
template<class R>
struct promised {
  using type = future<std::decay_t<R>>;
};
template<>
struct promised<void> {
  using type = void;
};

// ---- arguments that know where they were written ---------------------------------------------

template<class T>
struct located_reference {
  located_reference(T& t, std::source_location w = std::source_location::current())
      : what(t), where(w) {}
  T& what;
  std::source_location where;
};
template<class T>
struct located_value {
  located_value(T t, std::source_location w = std::source_location::current())
      : what(std::move(t)), where(w) {}
  /// What becomes one: a literal for a std::string.
  template<class U>
    requires(std::is_convertible_v<U, T> && !std::is_same_v<std::remove_cvref_t<U>, T> &&
              is_future<std::remove_cvref_t<U>> == is_future<T>)
  located_value(U&& u, std::source_location w = std::source_location::current())
      : what(std::forward<U>(u)), where(w) {}
  T what;
  std::source_location where;
};

template<auto F>
struct first_parameter {
  using type = void;
};
template<auto F>
  requires(signature_of<F>::count != 0)
struct first_parameter<F> {
  using type = std::tuple_element_t<0, typename signature_of<F>::parameters>;
};
template<auto F>
using first_of = typename first_parameter<F>::type;

template<class P>
struct future_for {
  using type = future<P>;
};
template<class T>
struct future_for<future<T>> {
  using type = future<T>;
};

/// Of a task that calls MPI: what comes behind the communicator.
template<auto F>
struct second_parameter {
  using type = void;
};
template<auto F>
  requires(signature_of<F>::count > 1)
struct second_parameter<F> {
  using type =
    typename of_one_color<std::tuple_element_t<1, typename signature_of<F>::parameters>>::type;
};
template<auto F>
using second_of = typename second_parameter<F>::type;
template<auto F>
using result_of_mpi = typename signature_of<F>::result;
template<auto F>
concept is_mpi_task_of_values = signature_of<F>::count > 1 && is_value<second_of<F>>;
template<auto F>
concept is_mpi_task_of_fields = signature_of<F>::count > 1 && !is_value<second_of<F>>;

/// Whether a task over the colors of a topology, which may be topo::global, or surely isn't.
template<class Parameters>
inline constexpr bool has_no_other_views = true;
template<class... P>
inline constexpr bool has_no_other_views<std::tuple<P...>> =
  ((!is_view<P> || std::is_same_v<typename topology_of<P>::type, topo::global>)&&...);
template<auto F>
inline constexpr bool may_be_replicated = has_no_other_views<typename signature_of<F>::parameters>;

template<auto F>
concept runs_over_colors = signature_of<F>::count != 0 && !is_value<first_of<F>>;
template<auto F>
concept runs_once = signature_of<F>::count == 0 || !lists_of<F>::is_over_a_topology;

} // namespace rondo::detail::inline distributed
