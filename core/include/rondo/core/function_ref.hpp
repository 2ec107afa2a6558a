#pragma once

/// \file
/// A view of something callable: two words, no ownership, no allocation. For parameters that
/// are only called during the call.

#include <type_traits>
#include <utility>

#include <rondo/core/invoke.hpp>

namespace rondo {

template<class Signature>
class function_ref;

template<class R, class... Args>
class function_ref<R(Args...)> {
public:
  template<class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref> &&
              std::is_invocable_r_v<R, const F&, Args...>)
  // NOLINTNEXTLINE(google-explicit-constructor): a view converts like std::string_view does
  function_ref(const F& f)
      : object_(&f), call_([](const void* object, Args... args) -> R {
          return detail::invoke_with(*static_cast<const F*>(object), std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

private:
  const void* object_;
  R (*call_)(const void*, Args...);
};

} // namespace rondo
