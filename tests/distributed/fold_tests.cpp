#include <cmath>
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

TEST_CASE("a value that is no number wins in min and max, wherever it stands") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for(std::size_t n = 1; n != 6; ++n)
    for(std::size_t where = 0; where != n; ++where) {
      double least = fold::min.identity(0.0), most = fold::max.identity(0.0);
      fold::located<double> first = fold::minloc.identity(fold::located<double>{});
      fold::located<double> last = fold::maxloc.identity(fold::located<double>{});
      for(std::size_t i = 0; i != n; ++i) {
        const double value = i == where ? nan : double(i) - 2;
        const fold::located<double> part{value, std::int64_t(i)};
        fold::min(least, value);
        fold::max(most, value);
        fold::minloc(first, part);
        fold::maxloc(last, part);
      }
      CAPTURE(n, where);
      CHECK(std::isnan(least));
      CHECK(std::isnan(most));
      CHECK(std::isnan(first.value));
      CHECK(std::isnan(last.value));
      CHECK(first.where == std::int64_t(where));
      CHECK(last.where == std::int64_t(where));
    }
}

TEST_CASE("of several values that are no numbers minloc and maxloc tell the first place") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using at = fold::located<double>;
  at least = fold::minloc.identity(at{}), most = fold::maxloc.identity(at{});
  for(const at& part : {at{1, 9}, at{nan, 4}, at{nan, 2}, at{nan, 6}, at{5, 1}}) {
    fold::minloc(least, part);
    fold::maxloc(most, part);
  }
  CHECK(least.where == 2);
  CHECK(most.where == 2);
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
