// What goes with colors to other ranks.

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/partition.hpp>

#include "ranks.hpp"
#include "teams.hpp"

using namespace rondo;
using namespace rondo::detail;

namespace {

struct table {
  std::vector<std::int64_t> rows;
  double weight = 0;
  bool operator==(const table&) const = default;
};

table table_of(color_id c) {
  return {std::vector<std::int64_t>(c % 4, static_cast<std::int64_t>(100 + c)),
    0.5 * static_cast<double>(c)};
}

} // namespace

TEST_CASE("what belongs to colors goes with them", "[balance]") {
  // Some ranks have nothing before, or after.
  const std::vector<std::vector<color_id>> deals{
    {0, 3, 6, 9, 12}, {0, 0, 0, 12, 12}, {0, 1, 11, 11, 12}, {0, 3, 6, 9, 12}};
  on_team(4, [&](team& all) {
    std::vector<table> tables;
    const distribution first(deals[0]);
    partition now(first, all.rank(), 1);
    for(const color_id c : now.mine())
      tables.push_back(table_of(c));
    for(std::size_t d = 1; d != deals.size(); ++d) {
      const partition next = now.dealt_as(distribution(deals[d]));
      const color_carrier carrier(all, now, next);
      std::uint64_t moved = 0;
      for(color_id c = 0; c != 12; ++c)
        moved += now.rank_of(c) != next.rank_of(c);
      expect(carrier.moved() == moved);
      tables = carrier.carry<table>(
        [&](std::size_t c, parcel& p) {
          p.put(tables[c].rows);
          p.put(tables[c].weight);
        },
        [](parcel_reader& p) {
          table t{p.take<std::int64_t>(), 0};
          t.weight = p.take_one<double>();
          return t;
        },
        [&](std::size_t c) { return std::move(tables[c]); });
      now = next;
      expect(tables.size() == now.mine().size());
      for(std::size_t c = 0; c != tables.size(); ++c)
        expect(tables[c] == table_of(now.mine()[c]));
    }
  });
}

TEST_CASE("no more and no less is taken than was put", "[balance]") {
  parcel p;
  p.put(std::vector<std::int64_t>{1, 2, 3});
  const auto bytes = p.bytes();
  parcel_reader right(bytes, 7);
  CHECK(right.take<std::int64_t>() == std::vector<std::int64_t>{1, 2, 3});
  right.end();
  parcel_reader less(bytes, 7);
  CHECK(less.take_one<std::size_t>() == 3);
  CHECK_THROWS_WITH(less.end(), Catch::Contains("color 7") && Catch::Contains("less is taken"));
  parcel_reader more(bytes, 7);
  static_cast<void>(more.take<std::int64_t>());
  CHECK_THROWS_WITH(more.take_one<char>(), Catch::Contains("more is taken"));
  parcel long_row;
  long_row.put(~std::size_t{0} / 4); // as the length of something else would be
  parcel_reader wrong(long_row.bytes(), 7);
  CHECK_THROWS_WITH(wrong.take<double>(), Catch::Contains("more is taken"));
}
