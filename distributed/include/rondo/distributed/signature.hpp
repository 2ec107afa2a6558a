#pragma once

/// \file
/// A task's function: its result, its parameters, and its name.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <rondo/distributed/history.hpp>

namespace rondo::detail::inline distributed {

/// Of what is no task it has nothing.
template<class F>
struct signature {};
template<class F>
  requires requires { &F::operator(); }
struct signature<F> : signature<decltype(&F::operator())> {};
template<class R, class... P>
struct signature<R (*)(P...)> {
  using result = R;
  using parameters = std::tuple<std::decay_t<P>...>;
  using declared = std::type_identity<std::tuple<P...>>; ///< As they were written.
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
/// A function, or a lambda that captures nothing; not an operation that folds values of any type.
template<auto F>
concept is_task = requires { signature_of<F>::count; };

template<auto F>
constexpr auto whole_text() {
  return std::string_view(__PRETTY_FUNCTION__);
}

/// "task::red": as the compiler writes it, but for unnamed namespaces, which each compiler has other
/// words for and nobody looks for.
template<auto F>
struct task_name {
  static constexpr std::string_view find() {
    std::string_view s = whole_text<F>();
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

} // namespace rondo::detail::inline distributed
