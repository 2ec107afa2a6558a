#pragma once

/// \file
/// Numbers for the page: bytes one behind the other, and where each column of them is.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

namespace rondo::report {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

class columns {
public:
  template<class T>
  nlohmann::json add(const std::vector<T>& numbers) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const std::size_t at = bytes_.size();
    const auto* const first = reinterpret_cast<const unsigned char*>(numbers.data());
    bytes_.insert(bytes_.end(), first, first + numbers.size() * sizeof(T));
    return {{"type", type_of<T>()}, {"at", at}, {"count", numbers.size()}};
  }

  /// Compressed, as text. Throws std::runtime_error.
  [[nodiscard]] std::string text() const;

private:
  template<class T>
  static const char* type_of() {
    if constexpr(std::is_same_v<T, double>)
      return "f64";
    else if constexpr(std::is_same_v<T, float>)
      return "f32";
    else if constexpr(std::is_same_v<T, std::uint32_t>)
      return "u32";
    else {
      static_assert(std::is_same_v<T, std::uint8_t>);
      return "u8";
    }
  }

  std::vector<unsigned char> bytes_;
};

std::string base64(const std::vector<unsigned char>& bytes);

} // namespace rondo::report
