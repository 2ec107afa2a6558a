#pragma once

/// \file
/// Something callable that is kept, for options of a program: a lambda with what it captures, say. Copies have it together.
/// Not std::function, whose header takes a compiler as long as ten thousand lines do.

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <rondo/core/invoke.hpp>

namespace rondo {

template<class Signature>
class kept_function;

/// \code
///   kept_function<double(int)> f = [by](int i) { return by * i; };
///   if(f)
///     f(3);
/// \endcode
template<class R, class... Args>
class kept_function<R(Args...)> {
public:
  /// There is nothing to call.
  kept_function() = default;
  kept_function(std::nullptr_t) {} // NOLINT(google-explicit-constructor): as std::function

  /// Nothing, if it is an empty std::function or a null pointer.
  template<class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, kept_function> &&
             std::is_invocable_r_v<R, std::decay_t<F>&, Args...>)
  // NOLINTNEXTLINE(google-explicit-constructor): it is given a lambda
  kept_function(F&& f) {
    constexpr bool is_a_function = std::is_function_v<std::remove_reference_t<F>>;
    if constexpr(!is_a_function && std::is_constructible_v<std::decay_t<F>, std::nullptr_t>)
      if(f == nullptr)
        return;
    what_ = std::make_shared<callable_of<std::decay_t<F>>>(std::forward<F>(f));
  }

  explicit operator bool() const { return what_ != nullptr; }
  R operator()(Args... args) const { return what_->call(std::forward<Args>(args)...); }

private:
  struct callable {
    callable() = default;
    virtual ~callable() = default;
    callable(const callable&) = delete;
    callable& operator=(const callable&) = delete;
    virtual R call(Args... args) = 0;
  };
  template<class F>
  struct callable_of final : callable {
    template<class From>
    explicit callable_of(From&& from) : f(std::forward<From>(from)) {}
    R call(Args... args) override { return detail::invoke_with(f, std::forward<Args>(args)...); }
    F f;
  };

  std::shared_ptr<callable> what_;
};

} // namespace rondo
