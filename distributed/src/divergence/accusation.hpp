#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rondo::detail::inline distributed {

/// Two ranks differ. All are told by the accuser, and then by the accused, with what that one has launched.
struct accusation {
  static constexpr std::size_t most_letters = 600;

  std::uint64_t launch;
  std::uint64_t in_loop;
  std::uint32_t accuser;
  std::uint32_t accused;
  bool is_exact;
  bool is_in_passes;
  bool is_answered;
  /// What a rank has launched.
  struct words {
    std::array<char, most_letters> letters;
    std::uint32_t column; ///< Of the place that the letters end with; 0: they end otherwise.
  };
  words by_accuser;
  words by_accused;

  /// The rank that all hear of it from.
  [[nodiscard]] std::uint32_t told_by() const { return is_answered ? accused : accuser; }
};

} // namespace rondo::detail::inline distributed
