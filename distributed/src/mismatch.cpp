#include "mismatch.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace rondo::detail {

void check_rank(const transport& t, unsigned rank, const char* what) {
  if(rank >= t.ranks())
    throw std::invalid_argument("rondo: a message " + std::string(what) + " rank " +
                                std::to_string(rank) + ", but there are only " +
                                std::to_string(t.ranks()));
}

void end_by_mismatch(
  transport& t, unsigned from, std::uint32_t channel, std::size_t arrived, std::size_t expected) {
  // In one piece: all ranks write to the same terminal.
  if(arrived == unknown_size)
    std::fprintf(stderr,
      "rondo: rank %u: a message from rank %u on channel %u is longer than the %zu bytes "
      "expected\n",
      t.rank(), from, channel, expected);
  else
    std::fprintf(stderr,
      "rondo: rank %u: a message from rank %u on channel %u has %zu bytes, but %zu are expected\n",
      t.rank(), from, channel, arrived, expected);
  t.abort(1);
  std::abort(); // not reached, which g++ doesn't believe of a virtual function
}

} // namespace rondo::detail
