#pragma once

/// \file
/// The number of a pass of `repeat`, for the launches of its body.
///
/// \code
///   flow.repeat(1000, [&](pass_number pass) {
///     flow.submit(step, write(u), pass);            // void step(state&, std::size_t pass)
///   });
/// \endcode
///
/// The body is called once, so what it sees of the number is no number but a place where launches find it: they take it as an
/// argument, and their function gets a std::size_t: 0, 1, ... In loops in loops it is that of the loop whose body was given
/// it, wherever it is used. Only the body uses it.
///
/// It is an access to a region, which a launch of its own counts up as each pass begins. So launches that take it start when those of
/// the pass before that take it have ended. Others have nothing to do with it.

#include <cstdint>
#include <source_location>
#include <type_traits>

#include <rondo/tracing/access.hpp>
#include <rondo/tracing/refused_operators.hpp>

namespace rondo {

class flow;

using pass_number = detail::access_to<std::uint64_t, detail::access_mode::read>;

namespace detail::inline tracing {

/// Of one loop after the other, all in as many loops that count.
struct pass_counter {
  explicit pass_counter(flow& f) : of(f, number, "the number of the pass") {}
  std::uint64_t number = 0;
  region<std::uint64_t> of;
};

/// Whether the body of `repeat` asks for the number.
template<class Body>
inline constexpr bool takes_number =
  !std::is_invocable_v<Body&> && std::is_invocable_v<Body&, const pass_number&>;

/// A function that `repeat` takes.
template<class Body>
concept repeat_body = std::is_invocable_v<Body&> || takes_number<Body>;

/// So many that the program must have meant a negative number. Throws std::invalid_argument.
[[noreturn]] void refuse_passes(std::uint64_t n, const std::source_location& where);
inline void refuse_negative_passes(std::uint64_t n, const std::source_location& where) {
  if(n >> 63U != 0) [[unlikely]]
    refuse_passes(n, where);
}

/// A parameter that it may be the argument for.
template<class P>
concept takes_pass_number = std::is_arithmetic_v<P> && !std::is_same_v<P, bool>;

} // namespace detail::inline tracing
} // namespace rondo
