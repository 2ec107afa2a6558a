#pragma once

/// \file
/// What faces, edges and vertices are known by on all ranks: the vertices that they have. And dense numbers for such things on one rank.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::detail::inline meshes {

/// Of a vertex its number, of an edge two of these. Of others a hash of 128 bits: that two of a billion have the same is less likely
/// than an error of the memory.
struct entity_key {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend constexpr auto operator<=>(const entity_key&, const entity_key&) = default;
};

constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 32U)) * 0xd6e8feb86659fd93;
  x = (x ^ (x >> 32U)) * 0xd6e8feb86659fd93;
  return x ^ (x >> 32U);
}
constexpr std::uint64_t hash_of(const entity_key& k) { return mixed(k.low + mixed(k.high)); }

/// Of something with these vertices, in any order.
inline entity_key key_of(std::span<const std::int64_t> vertices) {
  if(vertices.size() == 1)
    return {0, static_cast<std::uint64_t>(vertices[0])};
  if(vertices.size() == 2) {
    const auto [least, most] = std::minmax(vertices[0], vertices[1]);
    return {static_cast<std::uint64_t>(least) + 1, static_cast<std::uint64_t>(most)};
  }
  std::array<std::int64_t, 255> sorted; // no cell has more
  const auto end = std::copy(vertices.begin(), vertices.end(), sorted.begin());
  std::sort(sorted.begin(), end);
  entity_key k{0x9e3779b97f4a7c15, vertices.size()};
  for(auto at = sorted.begin(); at != end; ++at) {
    const auto v = static_cast<std::uint64_t>(*at);
    k.high = mixed(k.high + v);
    k.low = mixed(k.low ^ std::rotl(v * 0xc2b2ae3d27d4eb4f, 31));
  }
  k.high |= std::uint64_t{1} << 63U; // so that it is no edge's
  return k;
}

/// Numbers keys in the order in which they come: 0, 1, ...
class key_numbers {
public:
  key_numbers() : key_numbers(0) {}
  explicit key_numbers(std::size_t expected) {
    slots_.assign(std::bit_ceil(2 * expected + 16), none);
    keys_.reserve(expected);
  }

  /// Of a new key the next one.
  std::int32_t number(const entity_key& k) {
    if(2 * keys_.size() >= slots_.size())
      grow();
    std::int32_t& at = slots_[place(k)];
    if(at == none) {
      at = static_cast<std::int32_t>(keys_.size());
      keys_.push_back(k);
    }
    return at;
  }
  /// Returns true if the key is a new one.
  bool add(const entity_key& k) {
    const std::size_t before = size();
    number(k);
    return size() != before;
  }
  /// Or `none`.
  [[nodiscard]] std::int32_t find(const entity_key& k) const { return slots_[place(k)]; }
  [[nodiscard]] const std::vector<entity_key>& keys() const { return keys_; }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }

  static constexpr std::int32_t none = -1;

private:
  [[nodiscard]] std::size_t place(const entity_key& k) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_of(k) & mask;
    while(slots_[at] != none && keys_[static_cast<std::size_t>(slots_[at])] != k)
      at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), none);
    for(std::size_t n = 0; n != keys_.size(); ++n)
      slots_[place(keys_[n])] = static_cast<std::int32_t>(n);
  }

  std::vector<std::int32_t> slots_; ///< With a power of 2 of these, at most half of them taken.
  std::vector<entity_key> keys_;
};

} // namespace rondo::detail::inline meshes
