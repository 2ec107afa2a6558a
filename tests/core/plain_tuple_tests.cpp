#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <catch2/catch.hpp>
#include <rondo/core/plain_tuple.hpp>

using namespace rondo::detail;

namespace {

struct nothing {};
struct also_nothing {};
/// Takes anything, as some values of users do.
struct from_all {
  template<class T>
  explicit from_all(T&&) {}
  from_all(const from_all&) = default;
};

} // namespace

TEST_CASE("values of several types are kept in their order") {
  plain_tuple<int, std::string, const double> t(std::in_place, 7, "seven", 7.5);
  CHECK(nth<0>(t) == 7);
  CHECK(nth<1>(t) == "seven");
  CHECK(nth<2>(std::as_const(t)) == 7.5);
  nth<0>(t) = 8;
  const auto copy = t;
  CHECK(nth<0>(copy) == 8);
  STATIC_REQUIRE(std::is_same_v<decltype(nth<0>(t)), int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(nth<0>(copy)), const int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(nth<2>(t)), const double&>);
}

TEST_CASE("two values of one type are two") {
  plain_tuple<int, int> t(std::in_place, 1, 2);
  nth<1>(t) = 3;
  CHECK(nth<0>(t) == 1);
  CHECK(nth<1>(t) == 3);
}

TEST_CASE("references stay references, of each kind") {
  int i = 1;
  std::string s = "moved";
  plain_tuple<int&, std::string&&, const int&> t(std::in_place, i, std::move(s), i);
  nth<0>(t) = 2;
  CHECK(i == 2);
  CHECK(&nth<2>(std::as_const(t)) == &i);
  STATIC_REQUIRE(std::is_same_v<decltype(nth<0>(std::as_const(t))), int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(forward_nth<0>(t)), int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(forward_nth<1>(t)), std::string&&>);
  CHECK(s == "moved"); // nobody has moved it yet
  const std::string taken = forward_nth<1>(t);
  CHECK(taken == "moved");
}

TEST_CASE("what can only be moved is kept and taken") {
  plain_tuple<std::unique_ptr<int>, int> t(std::in_place, std::make_unique<int>(5), 1);
  auto moved = std::move(t);
  CHECK(nth<0>(t) == nullptr);
  const std::unique_ptr<int> taken = forward_nth<0>(moved);
  CHECK(*taken == 5);
}

TEST_CASE("references to all of them") {
  plain_tuple<int, const std::string, int&> t(std::in_place, 1, "one", nth<0>(t));
  const auto all = references_to(t);
  STATIC_REQUIRE(std::is_same_v<decltype(all), const plain_tuple<int&, const std::string&, int&>>);
  nth<0>(all) = 4;
  CHECK(nth<0>(t) == 4);
  CHECK(&nth<1>(all) == &nth<1>(t));
  CHECK(&nth<2>(all) == &nth<0>(t));
}

TEST_CASE("a value that can be made of anything is not made of the tuple") {
  plain_tuple<from_all> t(std::in_place, 1);
  const plain_tuple<from_all> copy = t;
  static_cast<void>(copy);
  STATIC_REQUIRE(std::is_copy_constructible_v<plain_tuple<from_all>>);
}

TEST_CASE("what is empty takes no room, and what is trivial stays so") {
  STATIC_REQUIRE(sizeof(plain_tuple<nothing, void*, also_nothing>) == sizeof(void*));
  STATIC_REQUIRE(std::is_empty_v<plain_tuple<>>);
  STATIC_REQUIRE(std::is_trivially_destructible_v<plain_tuple<int, double*>>);
  STATIC_REQUIRE(!std::is_trivially_destructible_v<plain_tuple<int, std::string>>);
  STATIC_REQUIRE(std::is_trivially_copy_constructible_v<plain_tuple<int, nothing>>);
}
