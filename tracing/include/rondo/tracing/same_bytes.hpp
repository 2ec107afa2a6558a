#pragma once

/// \file
/// Whether two values have the same bytes. Then they are the same, whatever their type says of equality; those with other bytes
/// may be, too.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rondo::detail::inline tracing {

/// A copy of it is a copy of its bytes, and of not too many.
template<class T>
inline constexpr bool is_small_and_plain =
  std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> && sizeof(T) <= 256;

/// Four at a time, and no more: what is compared was written a moment ago, member by member, and a load that is larger than the stores
/// before it waits until these have left the core. For the same reason it is no call of memcmp.
template<std::size_t Size>
[[gnu::always_inline]] inline bool are_same_bytes(const std::byte* a, const std::byte* b) {
  const auto are_same = [a, b]<class Word>(Word x, std::size_t at) {
    Word y;
    __builtin_memcpy(&x, a + at, sizeof(Word));
    __builtin_memcpy(&y, b + at, sizeof(Word));
    return x == y;
  };
  std::size_t at = 0;
  for(; at + sizeof(std::uint32_t) <= Size; at += sizeof(std::uint32_t))
    if(!are_same(std::uint32_t{}, at))
      return false;
  for(; at != Size; ++at)
    if(!are_same(std::uint8_t{}, at))
      return false;
  return true;
}

template<class T>
bool are_same_bytes(const T& a, const T& b) {
  if constexpr(std::is_empty_v<T>)
    return true;
  else
    return are_same_bytes<sizeof(T)>(
      reinterpret_cast<const std::byte*>(&a), reinterpret_cast<const std::byte*>(&b));
}

} // namespace rondo::detail::inline tracing
