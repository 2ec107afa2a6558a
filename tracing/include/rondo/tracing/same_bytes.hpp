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

/// A call of memcmp takes longer than all of this for the sizes that launches have.
template<std::size_t Size>
bool are_same_bytes(const std::byte* a, const std::byte* b) {
  std::uint64_t difference = 0;
  const auto look_at = [&]<class Word>(Word x, std::size_t at) {
    Word y;
    __builtin_memcpy(&x, a + at, sizeof(Word));
    __builtin_memcpy(&y, b + at, sizeof(Word));
    difference |= x ^ y;
  };
  std::size_t at = 0;
  for(; at + sizeof(std::uint64_t) <= Size; at += sizeof(std::uint64_t))
    look_at(std::uint64_t{}, at);
  if(at + sizeof(std::uint32_t) <= Size) {
    look_at(std::uint32_t{}, at);
    at += sizeof(std::uint32_t);
  }
  for(; at != Size; ++at)
    look_at(std::uint8_t{}, at);
  return difference == 0;
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
