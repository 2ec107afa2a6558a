#pragma once

/// \file
/// A call, and what is done behind it.

#include <type_traits>

namespace rondo::detail::inline distributed {

/// Calls both, and returns what the first one does. If that throws, the other one is not called.
template<class Call, class Then>
auto call_then(const Call& call, const Then& then) {
  if constexpr(std::is_void_v<std::invoke_result_t<const Call&>>) {
    call();
    then();
  }
  else {
    auto result = call();
    then();
    return result;
  }
}

} // namespace rondo::detail::inline distributed
