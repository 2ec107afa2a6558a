#include <rondo/distributed/clocks.hpp>

#include <bit>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "direct.hpp"

namespace rondo::detail::inline distributed {

namespace {

constexpr int tries = 24;

std::int64_t time_here() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The same for those whose clocks are one: they were counted from the same start of a machine.
std::uint64_t number_of_clock() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.empty() ? 0 : std::hash<std::string>()(id);
}

struct answer {
  std::int64_t time; ///< Of rank 0, as far as the one that answers knows.
  std::int64_t skew;
  std::uint64_t clock;
  std::int64_t offset; ///< Of the one that answers.
};

template<class T>
T receive_from(transport& t, unsigned from) {
  T value;
  receive(t, from, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}
template<class T>
void send_to(transport& t, unsigned to, const T& value) {
  send(t, to, std::as_bytes(std::span(&value, 1)));
}

void give_answers(transport& t, unsigned to, const clock_offset& own) {
  const std::uint64_t clock =
    number_of_clock(); // a file, which would be part of the way there and back
  for(int i = 0; i != tries; ++i) {
    static_cast<void>(receive_from<std::uint64_t>(t, to));
    send_to(t, to, answer{time_here() + own.nanoseconds, own.skew, clock, own.nanoseconds});
  }
}

clock_offset ask(transport& t, unsigned whom, bool trusts_node) {
  clock_offset best{.nanoseconds = 0, .skew = std::numeric_limits<std::int64_t>::max()};
  const std::uint64_t clock = number_of_clock();
  for(int i = 0; i != tries; ++i) {
    const std::int64_t before = time_here();
    send_to(t, whom, clock);
    const auto a = receive_from<answer>(t, whom);
    const std::int64_t after = time_here();
    const bool is_same = trusts_node && clock != 0 && a.clock == clock;
    const std::int64_t skew = a.skew + (is_same ? 0 : (after - before + 1) / 2);
    if(skew < best.skew)
      best = {is_same ? a.offset : a.time - (before + (after - before) / 2), skew};
  }
  return best;
}

} // namespace

clock_offset compare_clocks(transport& t, bool trusts_node) {
  clock_offset own; // of rank 0
  const unsigned rank = t.rank();
  // Rank r asks the one that has the highest bit of r less, as soon as that one knows.
  const unsigned own_bit = std::bit_floor(rank);
  if(rank != 0)
    own = ask(t, rank - own_bit, trusts_node);
  for(unsigned bit = rank == 0 ? 1 : 2 * own_bit; rank + bit < t.ranks(); bit *= 2)
    give_answers(t, rank + bit, own);
  return own;
}

} // namespace rondo::detail::inline distributed
