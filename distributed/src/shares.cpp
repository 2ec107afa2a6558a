#include <rondo/distributed/shares.hpp>

namespace rondo::detail::inline distributed {

namespace {
// The products have more than 64 bits.
__extension__ typedef unsigned __int128 wide;
} // namespace

// Part p begins at floor(n * p / parts).
std::uint64_t share_begin(std::uint64_t n, std::uint64_t parts, std::uint64_t part) {
  return static_cast<std::uint64_t>(static_cast<wide>(n) * part / parts);
}

// The last part that begins at `index` or before: the largest p with n * p < (index + 1) * parts.
std::uint64_t share_of(std::uint64_t n, std::uint64_t parts, std::uint64_t index) {
  return static_cast<std::uint64_t>(((static_cast<wide>(index) + 1) * parts - 1) / n);
}

} // namespace rondo::detail::inline distributed
