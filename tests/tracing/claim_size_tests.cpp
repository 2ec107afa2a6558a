// How many launches are claimed at a time.

#include <cstdint>

#include <catch2/catch.hpp>
#include <rondo/tracing/claim_size.hpp>

using rondo::detail::claim_size;

namespace {

constexpr std::uint64_t worth = 20'000;
constexpr std::uint32_t limit = 64;

/// A claim of as many as are claimed at a time, each of which takes so long.
void claim(claim_size& size, std::uint64_t each) {
  const std::uint32_t n = size.most();
  size.note(n * each, n, worth, limit);
}

} // namespace

TEST_CASE("short launches are claimed many at a time, soon") {
  claim_size size(1);
  for(int claims = 0; claims != 6; ++claims)
    claim(size, 50);
  CHECK(size.most() == limit);
}

TEST_CASE("long launches are claimed one at a time, at once") {
  claim_size size(limit);
  claim(size, 10'000'000);
  CHECK(size.most() == 1);
}

TEST_CASE("short ones between long ones don't make claims grow") {
  claim_size size(1);
  for(int pass = 0; pass != 100; ++pass) {
    for(int i = 0; i != 3; ++i)
      claim(size, 10'000'000);
    for(int i = 0; i != 10; ++i) {
      claim(size, 200);
      REQUIRE(size.most() == 1);
    }
  }
}

TEST_CASE("that all are short is known after some claims") {
  claim_size size(1);
  claim(size, 10'000'000);
  for(int claims = 0; claims != 40; ++claims)
    claim(size, 50);
  CHECK(size.most() == limit);
}

TEST_CASE("a claim takes about as long as is wished for") {
  for(const std::uint64_t each : {300U, 1'000U, 3'000U}) {
    claim_size size(limit);
    for(int claims = 0; claims != 50; ++claims)
      claim(size, each);
    CHECK(size.most() * each <= worth);
    CHECK(size.most() * each >= worth / 10);
  }
}
