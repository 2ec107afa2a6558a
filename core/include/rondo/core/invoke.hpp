#pragma once

/// \file
/// Calls of whatever can be called, pointers to members as well: what std::invoke does, whose header takes a compiler as long
/// as ten thousand lines do.

#include <type_traits>
#include <utility>

namespace rondo::detail::inline core {

/// The object whose member is meant: it is given itself, or what is like a pointer to it, or like a std::reference_wrapper.
template<class Class, class O>
constexpr decltype(auto) object_of(O&& object) {
  if constexpr(std::is_base_of_v<Class, std::remove_cvref_t<O>>)
    return std::forward<O>(object);
  else if constexpr(requires { *std::forward<O>(object); })
    return *std::forward<O>(object);
  else
    return object.get();
}

template<class Member, class Class, class O, class... A>
constexpr decltype(auto) invoke_member(Member Class::*member, O&& object, A&&... a) {
  if constexpr(std::is_function_v<Member>)
    return (object_of<Class>(std::forward<O>(object)).*member)(std::forward<A>(a)...);
  else
    return (object_of<Class>(std::forward<O>(object)).*member); // in parentheses: a reference
}

/// Not `invoke`: where an argument is of namespace std, that would be both.
template<class F, class... A>
constexpr decltype(auto) invoke_with(F&& f, A&&... a) {
  if constexpr(std::is_member_pointer_v<std::remove_cvref_t<F>>)
    return invoke_member(f, std::forward<A>(a)...);
  else
    return std::forward<F>(f)(std::forward<A>(a)...);
}

} // namespace rondo::detail::inline core
