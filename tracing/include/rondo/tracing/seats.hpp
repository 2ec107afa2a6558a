#pragma once

/// \file
/// Which crews of a flow, or of a closed loop, are at work: a bit for each, so that one look tells whether all of the
/// first 64 are. The protocol: docs/protocols/flow.md, "Crews".

#include <atomic>
#include <bit>
#include <cstdint>

#include <rondo/core/executor.hpp>

namespace rondo::detail::inline tracing {

class seats {
public:
  static constexpr unsigned most = executor::most_workers;
  static constexpr unsigned none = ~0U;

  /// The bits of the first word, if there are so many crews.
  static constexpr std::uint64_t first_of(unsigned crews) {
    return crews >= of_word ? ~std::uint64_t{0} : (std::uint64_t{1} << crews) - 1;
  }
  static constexpr bool are_in_first(unsigned crews) { return crews <= of_word; }

  /// Relaxed: what it is compared with, and which fence belongs to it, is the caller's affair.
  [[nodiscard]] std::uint64_t first() const { return words_[0].load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_taken(
    unsigned seat, std::memory_order order = std::memory_order_seq_cst) const {
    return (word(seat).load(order) & bit(seat)) != 0;
  }
  [[nodiscard]] bool are_free(unsigned crews) const {
    for(unsigned i = 0; i < crews; i += of_word)
      if(word(i).load(std::memory_order_seq_cst) != 0)
        return false;
    return true;
  }
  /// A hint.
  [[nodiscard]] bool is_any_but(unsigned seat, unsigned crews) const {
    for(unsigned i = 0; i < crews; i += of_word)
      if(const std::uint64_t taken = word(i).load(std::memory_order_relaxed);
         (i == seat / of_word * of_word ? taken & ~bit(seat) : taken) != 0)
        return true;
    return false;
  }
  /// Of so many; `none`: all are taken.
  [[nodiscard]] unsigned find_free(unsigned crews) const {
    for(unsigned i = 0; i < crews; i += of_word)
      if(const std::uint64_t free = ~word(i).load(std::memory_order_relaxed) & first_of(crews - i);
         free != 0)
        return i + static_cast<unsigned>(std::countr_zero(free));
    return none;
  }

  /// Returns false if it was taken already.
  bool take(unsigned seat) {
    return (word(seat).fetch_or(bit(seat), std::memory_order_seq_cst) & bit(seat)) == 0;
  }
  void leave(unsigned seat) { word(seat).fetch_and(~bit(seat), std::memory_order_seq_cst); }
  /// A crew that has left its seat before is seen to have done so from here on; and one that leaves it later sees all
  /// that was stored before.
  void meet(unsigned crews) {
    for(unsigned i = 0; i < crews; i += of_word)
      word(i).fetch_or(0, std::memory_order_acq_rel);
  }

private:
  static constexpr unsigned of_word = 64;

  static std::uint64_t bit(unsigned seat) { return std::uint64_t{1} << seat % of_word; }
  [[nodiscard]] const std::atomic<std::uint64_t>& word(unsigned seat) const {
    return words_[seat / of_word];
  }
  std::atomic<std::uint64_t>& word(unsigned seat) { return words_[seat / of_word]; }

  std::atomic<std::uint64_t> words_[most / of_word] = {};
};

} // namespace rondo::detail::inline tracing
