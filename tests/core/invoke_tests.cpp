// Calls of all that can be called, and what is kept to be called later.

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <catch2/catch.hpp>
#include <rondo/core/function_ref.hpp>
#include <rondo/core/invoke.hpp>
#include <rondo/core/kept_function.hpp>

using namespace rondo::detail;

namespace {

struct counter {
  int count = 3;
  int add(int n) { return count += n; }
  [[nodiscard]] int twice() const noexcept { return 2 * count; }
};
struct special : counter {};
int negated(int n) { return -n; }

/// An iterator-like object that gives a counter by value.
struct gives_one {
  counter operator*() const { return {7}; }
};

template<class F, class... A>
void same_as_std(F f, A&&... a) {
  STATIC_REQUIRE(std::is_same_v<decltype(invoke_with(f, std::forward<A>(a)...)),
    decltype(std::invoke(f, std::forward<A>(a)...))>);
  CHECK(invoke_with(f, std::forward<A>(a)...) == std::invoke(f, std::forward<A>(a)...));
}

} // namespace

TEST_CASE("a call gives what std::invoke gives") {
  counter c;
  const counter fixed;
  special s;
  same_as_std(negated, 3);
  same_as_std(&negated, 3);
  same_as_std([](const std::string& text) { return text.size(); }, std::string("four"));
  same_as_std(&counter::count, c);
  same_as_std(&counter::count, &c);
  same_as_std(&counter::count, fixed);
  same_as_std(&counter::count, std::move(s));
  same_as_std(&counter::count, std::make_unique<special>());
  same_as_std(&counter::count, std::ref(c));
  same_as_std(&counter::twice, c);
  same_as_std(&counter::twice, &fixed);
  same_as_std(&counter::twice, s);
  same_as_std(&counter::twice, std::cref(fixed));
  same_as_std(&counter::twice, gives_one());
  CHECK(invoke_with(&counter::add, c, 4) == 7);
  invoke_with(&counter::count, c) = 5;
  CHECK(c.count == 5);
}

TEST_CASE("a function_ref calls members, too") {
  counter c;
  const auto count = &counter::count;
  CHECK(rondo::function_ref<int(const counter&)>(count)(c) == 3);
}

TEST_CASE("a kept function has what it is made of, and copies share it") {
  using kept = rondo::kept_function<int(int)>;
  const auto owned = std::make_shared<int>(4);
  kept empty;
  {
    kept f = [owned, calls = 0](int n) mutable { return *owned + n + 10 * calls++; };
    CHECK(owned.use_count() == 2);
    const kept copy = f;
    CHECK(owned.use_count() == 2);
    CHECK(f(1) == 5);
    CHECK(copy(1) == 15);
    CHECK(static_cast<bool>(copy));
    empty = copy;
  }
  CHECK(owned.use_count() == 2);
  empty = nullptr;
  CHECK(owned.use_count() == 1);
  CHECK(!empty);
  CHECK(kept(negated)(3) == -3);
  CHECK(rondo::kept_function<int(const counter&)>(&counter::twice)(counter()) == 6);
}

TEST_CASE("what is empty makes an empty kept function") {
  using kept = rondo::kept_function<int(int)>;
  CHECK(!kept());
  CHECK(!kept(std::function<int(int)>()));
  CHECK(!kept(static_cast<int (*)(int)>(nullptr)));
  CHECK(!rondo::kept_function<int(const counter&)>(static_cast<int counter::*>(nullptr)));
  CHECK(kept(std::function<int(int)>(negated))(2) == -2);
  STATIC_REQUIRE(!std::is_constructible_v<kept, int>);
  STATIC_REQUIRE(!std::is_constructible_v<kept, std::string (*)(int)>);
}
