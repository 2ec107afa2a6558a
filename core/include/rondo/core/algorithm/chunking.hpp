#pragma once

/// \file
/// How a loop is cut into chunks: the last argument of the loops.
///
/// \code
///   rondo::for_each(ex, v.begin(), v.end(), f);                             // auto_chunks()
///   rondo::for_each(ex, v.begin(), v.end(), f, rondo::static_chunks());     // one per worker
///   rondo::for_each(ex, v.begin(), v.end(), f, rondo::dynamic_chunks(64));  // 64 at a time
/// \endcode
///
/// Choose none, as a rule. The default measures while it works, and is within a few percent of
/// the best of the others. The others are for loops whose costs are known, and for comparisons.
///
/// *Guarantee.* With any chunking the chunks cover the range exactly once, and each of them
/// is walked through in order by one worker. Which worker gets which chunk is not specified;
/// auto and static chunks tend to give the same part of a range to the same worker each time.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include <rondo/core/two_numbers.hpp>

namespace rondo {

/// One part per worker at first; each is worked off in pieces of some 10 microseconds, and what
/// is left of it is halved whenever another worker has run out of work. So an undisturbed loop
/// runs like a serial one, and an uneven one is balanced to about the length of a piece, or of
/// one element if that is longer.
struct auto_chunks {};

/// One chunk per worker, all of the same length up to one element.
struct static_chunks {
  /// Where the chunk that begins at `from` ends.
  [[nodiscard]] constexpr std::size_t end_of(
    std::size_t from, std::size_t n, std::size_t workers) const;
};

/// Chunks of `size` elements, taken in order by workers that are free.
class dynamic_chunks {
public:
  explicit constexpr dynamic_chunks(std::size_t size) : size_(size) {
    if(size == 0)
      throw std::invalid_argument("rondo::dynamic_chunks: a chunk of 0 elements");
  }
  [[nodiscard]] constexpr std::size_t end_of(std::size_t from, std::size_t n, std::size_t) const {
    return n - from > size_ ? from + size_ : n;
  }

private:
  std::size_t size_;
};

/// Long chunks first, then shorter and shorter ones: half of what would be a worker's share of
/// the rest, and at least `least` elements.
class guided_chunks {
public:
  explicit constexpr guided_chunks(std::size_t least = 1)
      : least_(detail::larger_of(least, std::size_t{1})) {}
  [[nodiscard]] constexpr std::size_t end_of(
    std::size_t from, std::size_t n, std::size_t workers) const {
    const std::size_t rest = n - from;
    return from + detail::smaller_of(rest, detail::larger_of(least_, rest / workers / 2));
  }

private:
  std::size_t least_;
};

/// Chunks of random lengths, about 16 per worker, taken in order by workers that are free; the same
/// seed gives the same lengths. Breaks up resonances between the costs of a loop and the lengths
/// of its chunks, and brings to light what silently depends on them.
class random_chunks {
public:
  explicit constexpr random_chunks(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] constexpr std::size_t end_of(
    std::size_t from, std::size_t n, std::size_t workers) const {
    const std::size_t mean = detail::larger_of(n / workers / 16, std::size_t{1});
    const std::size_t length = 1 + static_cast<std::size_t>(mix(seed_ + from) % (2 * mean - 1));
    return from + detail::smaller_of(n - from, length);
  }

private:
  /// splitmix64's finalizer.
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }

  std::uint64_t seed_;
};

/// A chunking whose cuts are a pure function of the position, the length of the range and the
/// number of workers: `from < end_of(from, n, workers) <= n` for every `from < n`.
template<class C>
concept planned_chunking = requires(const C& c, std::size_t i) {
  { c.end_of(i, i, i) } -> std::same_as<std::size_t>;
};

template<class C>
concept chunking = std::same_as<C, auto_chunks> || planned_chunking<C>;

namespace detail::inline core {

/// Where part `part` of `parts` begins: the first `n % parts` of them have one element more.
[[nodiscard]] constexpr std::size_t part_begin(std::size_t part, std::size_t n, std::size_t parts) {
  return n / parts * part + smaller_of(part, n % parts);
}

/// The same with the longer parts among the others: `n * part / parts`, without overflow.
[[nodiscard]] constexpr std::size_t even_cut(std::size_t part, std::size_t n, std::size_t parts) {
  return n / parts * part + n % parts * part / parts;
}

/// The part that holds element `index`; there must be no more parts than elements.
[[nodiscard]] constexpr std::size_t part_of(std::size_t index, std::size_t n, std::size_t parts) {
  const std::size_t length = n / parts, longer = n % parts;
  const std::size_t in_longer = longer * (length + 1);
  return index < in_longer ? index / (length + 1) : longer + (index - in_longer) / length;
}

} // namespace detail::inline core

constexpr std::size_t static_chunks::end_of(
  std::size_t from, std::size_t n, std::size_t workers) const {
  const std::size_t parts = detail::smaller_of(n, workers);
  return detail::part_begin(detail::part_of(from, n, parts) + 1, n, parts);
}

} // namespace rondo
