#pragma once

/// \file
/// The value that one color has, or that is at one point, on all ranks.
///
/// \code
///   topo::index pieces{m};
///   field<double> longest{pieces, "longest"};       // a value for each color
///   future<double> third = s.from(3, longest);      // that of color 3
///   future<double> probe = s.from({17, 4}, u);          // at that point
///   s.execute<report>(probe);
/// \endcode
///
/// A launch like any other, which reads the field: nobody waits, and it may be in loops. Which color that is may be a future as well, such as what
/// `fold::maxloc` has found. It has to be the same on all ranks.

#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <rondo/core/planned.hpp>
#include <rondo/distributed/index.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/structured.hpp>

namespace rondo {

namespace detail::inline distributed {

/// A color has it, or doesn't.
template<class T>
struct perhaps {
  T value;
  bool is_there;
};

/// Of several that perhaps have it at most one does.
struct whoever_has_it {
  template<class T>
  void operator()(perhaps<T>& into, const perhaps<T>& part) const {
    if(part.is_there)
      into = part;
  }
};

template<class T>
perhaps<T> value_of_color(topo::index_view c, field_accessor<T, ro> values, color_id wanted) {
  return c.color() == wanted ? perhaps<T>{values(), true} : perhaps<T>{};
}
template<class T, std::size_t D>
perhaps<T> value_at_point(structured_view<D> m, field_accessor<T, ro> values, point<D> wanted) {
  if(!m.all().contains(wanted))
    return {};
  return {std::apply([&](auto... x) { return values(x...); }, wanted), true};
}

[[noreturn]] void refuse_from(
  const std::source_location& where, const field_state& f, const std::string& why);
[[noreturn]] void refuse_color(
  const std::source_location& where, const std::string& field, color_id colors);
/// The topology whose points a field has values for. Throws std::invalid_argument if it is of another kind.
topo::index_state& colors_of(const field_state& f, const std::source_location& where);
template<std::size_t D>
structured_state<D>& points_of(
  const field_state& f, const point<D>& wanted, const std::source_location& where);

template<class T>
future<T> that_value(
  const future<perhaps<T>>& found, const field_state& f, const std::source_location& where) {
  static_assert(
    !is_ragged<T>, "rondo::scheduler::from: rows of ragged fields are no value; reduce to one");
  return found.then(
    [name = std::string(f.name()), where, colors = f.of().colors()](const perhaps<T>& p) {
      if(!p.is_there && !is_only_planned) // then no color has looked
        refuse_color(where, name, colors);
      return p.value;
    });
}

} // namespace detail::inline distributed

template<class T>
future<T> scheduler::from(color_id color, const field<T>& f, std::source_location where) {
  detail::field_state& state = f.state();
  topo::index_state& colors = detail::colors_of(state, where);
  if(color >= colors.colors())
    detail::refuse_color(where, f.name(), colors.colors());
  return detail::that_value(
    launch_reduction_over<&detail::value_of_color<T>, detail::whoever_has_it>(
      where, colors, state, color),
    state, where);
}
template<class T>
future<T> scheduler::from(
  const future<color_id>& color, const field<T>& f, std::source_location where) {
  flow_.open_for(color);
  detail::field_state& state = f.state();
  return detail::that_value(
    launch_reduction_over<&detail::value_of_color<T>, detail::whoever_has_it>(
      where, detail::colors_of(state, where), state, color),
    state, where);
}
template<class T, std::size_t D>
future<T> scheduler::from(
  const std::array<std::int64_t, D>& p, const field<T>& f, std::source_location where) {
  detail::field_state& state = f.state();
  return detail::that_value(
    launch_reduction_over<&detail::value_at_point<T, D>, detail::whoever_has_it>(
      where, detail::points_of<D>(state, p, where), state, p),
    state, where);
}

} // namespace rondo
