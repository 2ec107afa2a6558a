#pragma once

/// \file
/// For calls that are mistakes, which the compiler refuses in a sentence: a `static_assert` that depends on a type fails only where the
/// call is made. The sentence stands there, too: in a function for several of them, compilers would say how they came to it, in more lines
/// than they are to say.

namespace rondo::detail::inline core {

template<class...>
inline constexpr bool never = false;

} // namespace rondo::detail::inline core
