#include "mismatch.hpp"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace rondo::detail::inline distributed {

void check_rank(const transport& t, unsigned rank, const char* what) {
  if(rank >= t.ranks())
    throw std::invalid_argument("rondo: a message " + std::string(what) + " rank " +
                                std::to_string(rank) + ", but there are only " +
                                std::to_string(t.ranks()));
}

void end_by_mismatch(
  transport& t, unsigned from, std::uint32_t channel, std::size_t arrived, std::size_t expected) {
  std::array<char, 200> text{};
  if(arrived == unknown_size)
    std::snprintf(text.data(), text.size(),
      "rondo: rank %u: a message from rank %u on channel %u is longer than the %zu bytes "
      "expected",
      t.rank(), from, channel, expected);
  else
    std::snprintf(text.data(), text.size(),
      "rondo: rank %u: a message from rank %u on channel %u has %zu bytes, but %zu are expected",
      t.rank(), from, channel, arrived, expected);
  if(t.tell_mismatch(text.data()))
    return;
  std::fprintf(stderr, "%s\n", text.data()); // in one piece: all ranks write to the same terminal
  t.abort(1);
}

} // namespace rondo::detail::inline distributed
