#pragma once

/// \file
/// Messages of protocol buffers, written field by field: https://protobuf.dev/programming-guides/encoding.

#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::report {

class protobuf {
public:
  void add(std::uint32_t field, std::uint64_t number); ///< Of whatever integer type, bool or enum.
  void add(std::uint32_t field, std::string_view text);
  void add(std::uint32_t field, const protobuf& message) {
    add(field, std::string_view(message.bytes_));
  }
  void add_fixed64(std::uint32_t field, std::uint64_t number);

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  void clear() noexcept { bytes_.clear(); }

private:
  void varint(std::uint64_t number);

  std::string bytes_;
};

} // namespace rondo::report
