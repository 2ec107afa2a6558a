#include <limits>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm/blocks.hpp>
#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/loop.hpp>

namespace {

template<rondo::planned_chunking C>
std::vector<std::size_t> lengths(const C& chunks, std::size_t n, std::size_t workers) {
  std::vector<std::size_t> all;
  for(std::size_t from = 0; from != n;) {
    const std::size_t to = chunks.end_of(from, n, workers);
    REQUIRE(from < to);
    REQUIRE(to <= n);
    all.push_back(to - from);
    from = to;
  }
  return all;
}

using sizes = std::vector<std::size_t>;

} // namespace

TEST_CASE("static chunks are one per worker and differ by one element at most") {
  CHECK(lengths(rondo::static_chunks(), 10, 3) == sizes{4, 3, 3});
  CHECK(lengths(rondo::static_chunks(), 9, 3) == sizes{3, 3, 3});
  CHECK(lengths(rondo::static_chunks(), 2, 8) == sizes{1, 1});
  CHECK(lengths(rondo::static_chunks(), 7, 1) == sizes{7});
}

TEST_CASE("dynamic chunks have the length asked for, but for the last") {
  CHECK(lengths(rondo::dynamic_chunks(4), 10, 3) == sizes{4, 4, 2});
  CHECK(lengths(rondo::dynamic_chunks(100), 10, 3) == sizes{10});
  CHECK_THROWS_AS(rondo::dynamic_chunks(0), std::invalid_argument);
}

TEST_CASE("guided chunks shrink to the least length") {
  CHECK(lengths(rondo::guided_chunks(), 16, 2) == sizes{4, 3, 2, 1, 1, 1, 1, 1, 1, 1});
  CHECK(lengths(rondo::guided_chunks(5), 32, 2) == sizes{8, 6, 5, 5, 5, 3});
  CHECK(lengths(rondo::guided_chunks(0), 3, 1) == lengths(rondo::guided_chunks(1), 3, 1));
}

TEST_CASE("random chunks are a function of their seed") {
  const auto one = lengths(rondo::random_chunks(1), 10'000, 4);
  CHECK(one == lengths(rondo::random_chunks(1), 10'000, 4));
  CHECK(one != lengths(rondo::random_chunks(2), 10'000, 4));
  CHECK(one.size() > 32);
  CHECK(one.size() < 128);
}

TEST_CASE("every chunking covers every range exactly once") {
  for(const std::size_t n : {0, 1, 2, 3, 7, 8, 64, 1000}) {
    for(const std::size_t workers : {1, 2, 3, 8, 64}) {
      lengths(rondo::static_chunks(), n, workers);
      lengths(rondo::dynamic_chunks(3), n, workers);
      lengths(rondo::guided_chunks(2), n, workers);
      lengths(rondo::random_chunks(n), n, workers);
    }
  }
}

TEST_CASE("chunk boundaries do not overflow at the longest range there is") {
  const std::size_t n = std::numeric_limits<std::size_t>::max();
  CHECK(rondo::static_chunks().end_of(0, n, 2) == n / 2 + 1);
  CHECK(rondo::static_chunks().end_of(n - 1, n, 1000) == n);
  CHECK(rondo::dynamic_chunks(n).end_of(1, n, 1) == n);
  CHECK(rondo::guided_chunks(n).end_of(1, n, 1) == n);
  CHECK(rondo::detail::part_begin(1024, n, 1024) == n);
}

TEST_CASE("the part of an element is the one that contains it") {
  for(const std::size_t n : {1, 5, 8, 100}) {
    for(std::size_t parts = 1; parts <= n; ++parts) {
      for(std::size_t i = 0; i != n; ++i) {
        const std::size_t part = rondo::detail::part_of(i, n, parts);
        REQUIRE(rondo::detail::part_begin(part, n, parts) <= i);
        REQUIRE(i < rondo::detail::part_begin(part + 1, n, parts));
      }
    }
  }
}

TEST_CASE("pieces grow while they are short and shrink when they are long") {
  using rondo::detail::next_piece;
  using rondo::detail::piece_ticks;
  CHECK(next_piece(1, 0) == 8);
  CHECK(next_piece(100, piece_ticks / 4) == 200);
  CHECK(next_piece(100, piece_ticks) == 100);
  CHECK(next_piece(100, piece_ticks * 1000) == 50);
  CHECK(next_piece(1, piece_ticks * 1000) == 1);
  CHECK(next_piece(std::numeric_limits<std::size_t>::max() / 2, 0) ==
        std::numeric_limits<std::size_t>::max() / 2);
}

TEST_CASE("each part is claimed once, the preferred one if it is there") {
  for(const std::size_t parts : {1, 2, 63, 64, 65, 1024}) {
    rondo::detail::part_claims claims(parts);
    std::vector<bool> seen(parts);
    for(std::size_t i = 0; i != parts; ++i) {
      const std::size_t preferred = i * 7 % 100; // beyond the parts, too, and some twice
      const std::size_t part = claims.claim(preferred);
      REQUIRE(part < parts);
      REQUIRE_FALSE(seen[part]);
      if(preferred < parts && !seen[preferred])
        REQUIRE(part == preferred);
      seen[part] = true;
    }
  }
}

TEST_CASE("blocks cover a range, and are at most about a thousand") {
  for(const std::size_t n : {1, 2, 63, 64, 65, 4096, 4097, 1'000'000, 123'456'789}) {
    for(const auto b : {rondo::detail::fine_blocks(n), rondo::detail::coarse_blocks(n)}) {
      CHECK(b.count() <= rondo::detail::many_blocks);
      CHECK(b.end(b.count() - 1) == n);
      CHECK(b.begin(b.count() - 1) < n);
    }
  }
  CHECK(rondo::detail::fine_blocks(40).count() == 40);
  CHECK(rondo::detail::coarse_blocks(40).count() == 1);
}
