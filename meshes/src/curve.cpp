#include "curve.hpp"

#include <algorithm>

namespace rondo::detail::inline meshes {

namespace {
constexpr unsigned bits = 20; // of each axis
}

curve::curve(const position& least, const position& most) : least_(least) {
  double longest = 0;
  for(std::size_t a = 0; a != 3; ++a)
    longest = std::max(longest, most[a] - least[a]);
  // One scale for all, so that what is close along one axis is close along the others. Thin ones are left out: their rounding is no place.
  for(std::size_t a = 0; a != 3; ++a)
    if(most[a] - least[a] > 1e-6 * longest)
      scale_[a] = ((1U << bits) - 1) / longest;
}

// From the highest bits on: which of the 2^D parts of the box the point is in, in the order in which the curve goes through these. In each
// part the curve is turned: axes are swapped, and run backwards, until the part looks like the whole box.
std::uint64_t curve::place(const position& p) const {
  std::array<std::uint32_t, 3> x{};
  unsigned axes = 0;
  for(std::size_t a = 0; a != 3; ++a)
    if(scale_[a] != 0)
      x[axes++] = static_cast<std::uint32_t>((p[a] - least_[a]) * scale_[a]);
  for(std::uint32_t bit = 1U << (bits - 1); bit > 1; bit >>= 1U)
    for(unsigned a = 0; a != axes; ++a)
      if((x[a] & bit) != 0)
        x[0] ^= bit - 1;
      else {
        const std::uint32_t differ = (x[0] ^ x[a]) & (bit - 1);
        x[0] ^= differ;
        x[a] ^= differ;
      }
  for(unsigned a = 1; a < axes; ++a)
    x[a] ^= x[a - 1];
  std::uint32_t turned = 0;
  for(std::uint32_t bit = 1U << (bits - 1); axes != 0 && bit > 1; bit >>= 1U)
    if((x[axes - 1] & bit) != 0)
      turned ^= bit - 1;
  std::uint64_t at = 0;
  for(unsigned b = bits; b-- != 0;)
    for(unsigned a = 0; a != axes; ++a)
      at = at << 1U | (((x[a] ^ turned) >> b) & 1U);
  return at;
}

} // namespace rondo::detail::inline meshes
