// Fields that are larger than any memory.

#include <cstdint>
#include <limits>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

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
