#include <limits>
#include <tuple>

#include <catch2/catch.hpp>
#include <rondo/distributed/fold.hpp>

using namespace rondo;

TEST_CASE("minloc and maxloc tell where, and of equal ones the first place") {
  using at = fold::located<double>;
  at least = fold::minloc.identity(at{});
  for(const at& part : {at{3, 5}, at{1, 9}, at{1, 4}, at{1, 7}, at{2, 0}})
    fold::minloc(least, part);
  CHECK(least == at{1, 4});

  at most = fold::maxloc.identity(at{});
  for(const at& part : {at{-3, 5}, at{-1, 9}, at{-1, 4}, at{-1, 7}, at{-2, 0}})
    fold::maxloc(most, part);
  CHECK(most == at{-1, 4});
}

TEST_CASE("nothing is like the identity of minloc and maxloc, not even the worst value") {
  using at = fold::located<double, std::array<std::int64_t, 2>>;
  const double infinity = std::numeric_limits<double>::infinity();
  at least = fold::minloc.identity(at{});
  fold::minloc(least, at{infinity, {3, 4}});
  CHECK(least == at{infinity, {3, 4}});
  at most = fold::maxloc.identity(at{});
  fold::maxloc(most, at{-infinity, {3, 4}});
  CHECK(most == at{-infinity, {3, 4}});

  using number = fold::located<int, unsigned>;
  number lowest = fold::maxloc.identity(number{});
  fold::maxloc(lowest, number{std::numeric_limits<int>::lowest(), 3});
  CHECK(lowest == number{std::numeric_limits<int>::lowest(), 3});
}

TEST_CASE("logical folds tell whether all or some are true") {
  const auto folded = [](const auto& op, auto... parts) {
    auto into = op.identity(std::get<0>(std::tuple(parts...)));
    (op(into, parts), ...);
    return into;
  };
  CHECK(folded(fold::logical_and, true, true));
  CHECK_FALSE(folded(fold::logical_and, true, false, true));
  CHECK(folded(fold::logical_or, false, true, false));
  CHECK_FALSE(folded(fold::logical_or, false, false));
  CHECK(folded(fold::logical_and, 4, 2) == 1);
  CHECK(folded(fold::logical_or, 0, 7) == 1);
  CHECK(folded(fold::logical_or, 0, 0) == 0);
}
