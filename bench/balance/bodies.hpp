#pragma once

// What the shapes run: bodies that sleep, and are counted.

#include "harness/nap.hpp"

#include <atomic>

namespace bench::balance {

inline constexpr int many_bodies = 500;
inline constexpr int short_us = 200;
inline constexpr int leaf_us = 1000;
inline constexpr int far_offer_us = 2000;
inline constexpr int far_offers_gap_us = 100;
inline constexpr int long_us = many_bodies * short_us; // as much as all the short ones together

struct counts {
  std::atomic<int> short_bodies{0};
  std::atomic<int> long_bodies{0};
};

inline counts& counted() {
  static counts c;
  return c;
}

inline void begin_counting() {
  counted().short_bodies = 0;
  counted().long_bodies = 0;
}
inline int short_bodies() { return counted().short_bodies; }
inline int long_bodies() { return counted().long_bodies; }

inline void short_body(int us = short_us) {
  nap(us);
  counted().short_bodies.fetch_add(1, std::memory_order_relaxed);
}
inline void long_body(int us) {
  nap(us);
  counted().long_bodies.fetch_add(1, std::memory_order_relaxed);
}

} // namespace bench::balance
