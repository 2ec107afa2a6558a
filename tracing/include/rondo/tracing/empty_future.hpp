#pragma once

/// \file
/// Launches that are given a future of nothing: refused where they are, with what to do.

#include <source_location>
#include <type_traits>

#include <rondo/futures/future.hpp>

namespace rondo::detail::inline tracing {

/// Throws std::logic_error. `what` has it: "argument 2 is"; `example`: what gives it a value.
[[noreturn]] void refuse_empty_future(
  const std::source_location& where, const char* launch, const char* what, const char* example);
[[noreturn]] void refuse_empty_future(const std::source_location& where, const char* launch,
  const char* what, unsigned which, const char* example);

/// How a program makes such a future that is ready.
template<class T>
constexpr const char* example_of_ready() {
  if constexpr(std::is_void_v<T>)
    return "rondo::make_ready()";
  else if constexpr(std::is_same_v<T, bool>)
    return "rondo::make_ready(false)";
  else if constexpr(std::is_same_v<T, double>)
    return "rondo::make_ready(0.0)";
  else if constexpr(std::is_same_v<T, int>)
    return "rondo::make_ready(0)";
  else
    return "rondo::make_ready(value)";
}

template<class A>
[[nodiscard]] bool is_empty_future(const A& a) {
  if constexpr(is_future<A>)
    return !a.valid();
  else
    return false;
}

/// `what`: as in "argument"; they are counted from `first`. `where()` is only asked for what is told.
template<class Where, class... A>
void refuse_empty_futures(
  Where&& where, const char* launch, const char* what, unsigned first, const A&... arguments) {
  if constexpr((is_future<A> || ...))
    if((is_empty_future(arguments) || ...)) [[unlikely]] {
      unsigned n = first;
      const auto look = [&]<class X>(const X& x) {
        if constexpr(is_future<X>)
          if(!x.valid())
            refuse_empty_future(
              where(), launch, what, n, example_of_ready<typename X::value_type>());
        ++n;
      };
      (look(arguments), ...);
    }
}

} // namespace rondo::detail::inline tracing
