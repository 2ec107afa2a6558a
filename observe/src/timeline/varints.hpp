#pragma once

/// \file
/// Numbers in as few bytes as they need: seven bits each, and whether more follow.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace rondo::detail::inline observe {

class varint_writer {
public:
  void add(std::uint64_t n) {
    while(n >= 128) {
      bytes_.push_back(static_cast<std::byte>(n | 128U));
      n >>= 7U;
    }
    bytes_.push_back(static_cast<std::byte>(n));
  }
  /// By how much it is more than the one before; less is as good as more.
  void add_difference(std::uint64_t n, std::uint64_t before) {
    const std::uint64_t d = n - before;
    add(d << 1U ^ (0 - (d >> 63U)));
  }
  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

private:
  std::vector<std::byte> bytes_;
};

class varint_reader {
public:
  varint_reader(const std::byte* at, std::size_t size) : at_(at), end_(at + size) {}

  std::uint64_t next() {
    std::uint64_t n = 0;
    for(unsigned shift = 0; shift < 64; shift += 7) {
      if(at_ == end_)
        break;
      const auto b = static_cast<std::uint64_t>(*at_++);
      n |= (b & 127U) << shift;
      if(b < 128)
        return n;
    }
    throw std::runtime_error("its events end in the middle of a number");
  }
  std::uint64_t next_difference(std::uint64_t before) {
    const std::uint64_t z = next();
    return before + (z >> 1U ^ (0 - (z & 1U)));
  }

private:
  const std::byte* at_;
  const std::byte* end_;
};

} // namespace rondo::detail::inline observe
