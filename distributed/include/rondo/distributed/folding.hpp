#pragma once

/// \file
/// How values of a field are folded, as functions of bytes: what is exchanged does not know types.
///
/// \code
///   const folding& sums = folding_with<double, fold::sum>;
///   sums.begin(ghosts, 4);                                     // four zeros
///   sums.fold(owned, ghosts, {.length = 4, .count = 1});       // owned[i] = owned[i] + ghosts[i]
/// \endcode

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rondo::detail::inline distributed {

/// Elements that are folded into as many others. Steps are from a row to the next one, in elements.
struct folded_rows {
  std::int64_t length = 0; ///< Of each.
  std::int64_t count = 0;
  std::int64_t into_step = 0;
  std::int64_t from_step = 0;
};

struct folding {
  /// Writes values that change nothing when they are folded into others.
  void (*begin)(std::byte* row, std::int64_t length);
  void (*fold)(std::byte* into, const std::byte* from, const folded_rows& rows);
};

template<class T, class Op>
void begin_row(std::byte* row, std::int64_t length) {
  T* const values = reinterpret_cast<T*>(row);
  for(std::int64_t i = 0; i != length; ++i)
    values[i] = Op{}.identity(values[i]);
}

/// `into` is aligned as values are; `from` may be in a message.
template<class T, class Op>
void fold_rows(std::byte* into, const std::byte* from, const folded_rows& rows) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const auto fold_row = [](T* all, const std::byte* parts, std::int64_t length) {
    for(std::int64_t i = 0; i != length; ++i) {
      T part;
      std::memcpy(&part, parts + i * size, sizeof(T));
      Op{}(all[i], part);
    }
  };
  for(std::int64_t j = 0; j != rows.count; ++j)
    fold_row(reinterpret_cast<T*>(into) + j * rows.into_step, from + j * rows.from_step * size,
      rows.length);
}

template<class T, auto Op>
inline constexpr folding folding_with{
  &begin_row<T, std::remove_cv_t<decltype(Op)>>, &fold_rows<T, std::remove_cv_t<decltype(Op)>>};

} // namespace rondo::detail::inline distributed
