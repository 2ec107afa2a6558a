// Fields that are larger than any memory, and topologies of too many colors.

#include <cstdint>
#include <limits>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"
#include "too_many_colors.hpp"

using namespace rondo;

TEST_CASE("a field that is larger than any memory is refused by name and size") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    topo::global most{s, {.size = std::numeric_limits<std::int64_t>::max()}};
    const std::string text = thrown_by([&] { field<double> x(most, "vast"); });
    expect(text.find("\"vast\": no memory for its more than 2^62 bytes") != std::string::npos);

    topo::global many{s, {.size = std::int64_t{1} << 50}};
    const std::string other = thrown_by([&] { field<double> x(many, "large"); });
    expect(other.find("\"large\": no memory for its 90071992547") != std::string::npos);

    topo::global one{s};
    field<double> small(one, "small"); // the scheduler goes on
  });
}

TEST_CASE("a topology of too many colors is refused with its kind, their number and the place") {
  const auto ranks = GENERATE(1U, 2U);
  on_ranks(make_local_transports(ranks), 1, [](scheduler& s) {
    const auto said_of = [&s](const char* kind, std::uint64_t colors, const std::string& text) {
      expect(text.starts_with(std::string(kind) + ", made at "));
      expect(text.find("too_large_tests.cpp:") != std::string::npos);
      expect(text.find("no memory for its " + std::to_string(colors) + " colors, about " +
                       std::to_string(colors / s.ranks()) + " on each rank") != std::string::npos);
    };
    for(const int bits : {33, 40, 60}) {
      const std::uint64_t colors = std::uint64_t{1} << unsigned(bits);
      said_of("rondo::topo::index", colors, thrown_by([&] { topo::index(s, {.colors = colors}); }));
    }
    for(const int bits : {40, 59}) {
      const std::int64_t n = std::int64_t{1} << unsigned(bits);
      said_of("rondo::structured", std::uint64_t(n),
        thrown_by([&] { structured<1>(s, {.extents = {n}, .colors = {n}}); }));
      const std::int64_t half = std::int64_t{1} << unsigned(bits / 2), other = n / half;
      said_of("rondo::structured", std::uint64_t(n), thrown_by([&] {
        structured<2>(s, {.extents = {half, other}, .colors = {half, other}});
      }));
    }
    topo::index small(s, {.colors = 4}); // the scheduler goes on
    expect(small.colors() == 4);
  });
}

TEST_CASE("a topology for which there is no memory says the same, whatever was thrown") {
  const auto here = std::source_location::current();
  const auto made = [&](auto&& make) { detail::if_there_is_memory("a mesh", 12, 3, here, make); };
  CHECK_THROWS_WITH(
    made([] { throw std::bad_alloc(); }), Catch::Contains("for its 12 colors, about 4"));
  CHECK_THROWS_WITH(
    made([] { throw std::length_error("vector::reserve"); }), Catch::Contains("for its 12 colors"));
  CHECK_THROWS_WITH(made([] { throw std::logic_error("something else"); }), "something else");
}
