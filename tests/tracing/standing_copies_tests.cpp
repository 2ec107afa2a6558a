// Parts of launches that stand: their copies, what they are told, and how values are compared.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/tracing/lane_queue.hpp>
#include <rondo/tracing/same_bytes.hpp>
#include <rondo/tracing/standing_launches.hpp>

using namespace rondo;

namespace {
/// Of one launch, without a flow.
struct stood {
  explicit stood(std::size_t nodes) : all(nodes) {
    for(std::uint32_t i = 0; i != nodes; ++i)
      all.original_of(i).made = &originals[i];
  }
  detail::launch* renew(std::uint32_t node, bool has_changed = false) {
    return all.renew_copy(node, has_changed, sizeof(detail::launch), alignof(detail::launch));
  }
  /// As a launch does that has the values of the one before.
  detail::launch* launch(std::uint32_t node) {
    detail::launch* const l = all.same_copy(node);
    return l != nullptr ? l : renew(node);
  }
  /// All that was launched before has ended.
  void begin_next() {
    all.end_pass(++now);
    REQUIRE(all.begin_pass(now));
  }

  std::array<detail::launch, 2> originals{};
  detail::standing_launches all;
  std::uint64_t now = 100;
};
} // namespace

TEST_CASE("copies are used again when the launches of their pass have ended") {
  stood t(1);
  CHECK_FALSE(t.all.has_pass());
  CHECK_FALSE(t.all.begin_pass(0));
  t.all.add_pass();
  REQUIRE(t.all.has_pass());
  const auto* const first = t.launch(0);
  t.all.end_pass(10);
  CHECK_FALSE(t.all.has_pass());
  CHECK_FALSE(t.all.begin_pass(9));
  t.all.add_pass();
  const auto* const second = t.launch(0);
  CHECK(second != first);
  t.all.end_pass(20);
  REQUIRE(t.all.begin_pass(10));
  CHECK(t.launch(0) == first);
  t.all.end_pass(30);
  CHECK_FALSE(t.all.begin_pass(19)); // the second one is next
  REQUIRE(t.all.begin_pass(20));
  CHECK(t.launch(0) == second);
}

TEST_CASE("a copy is what the original is, or is not taken") {
  stood t(2);
  t.all.add_pass();
  CHECK(t.all.same_copy(0) == nullptr); // there is none
  const auto* const first = t.renew(0, true);
  t.renew(1, true);
  t.all.end_pass(50);
  t.all.add_pass();
  t.renew(0);
  t.renew(1);
  t.begin_next();
  CHECK(t.all.same_copy(0) == first);
  CHECK(t.all.same_copy(1) != nullptr);
  t.begin_next();
  // Values change, so the copies of both passes are old.
  t.renew(0, true);
  CHECK(t.all.same_copy(1) != nullptr);
  t.begin_next();
  CHECK(t.all.same_copy(0) == nullptr);
  t.renew(0);
  t.begin_next(); // a pass without 1
  CHECK(t.all.same_copy(0) != nullptr);
  t.begin_next();
  CHECK(t.all.same_copy(0) != nullptr);
  CHECK(t.all.same_copy(1) == nullptr);
  t.renew(1);
  t.begin_next(); // that one's copies have not been renewed: it may have changed twice meanwhile
  CHECK(t.all.same_copy(1) == nullptr);
  t.renew(1);
  t.begin_next();
  CHECK(t.all.same_copy(1) != nullptr);
}

TEST_CASE("a launch that changes in each pass is tried now and then only") {
  stood t(1);
  t.all.add_pass();
  CHECK_FALSE(t.all.is_restless(0));
  for(int pass = 0; pass != 3; ++pass) {
    t.renew(0, true);
    CHECK_FALSE(t.all.is_restless(0));
    t.begin_next();
  }
  t.renew(0, true);
  CHECK(t.all.is_restless(0));
  int tries = 0;
  for(int pass = 0; pass != 640; ++pass) {
    t.begin_next();
    if(!t.all.is_restless(0)) {
      ++tries;
      t.renew(0, tries < 10); // then it changes no more
    }
  }
  CHECK(tries >= 10);
  CHECK_FALSE(t.all.is_restless(0));
}

TEST_CASE(
  "a launch that stands in a lane is told its batch and its pass by the crew that claims it") {
  std::vector<detail::launch> launches(2);
  alignas(detail::batch) std::array<std::byte, sizeof(detail::batch)> memory{};
  auto& home = reinterpret_cast<detail::batch&>(memory); // it is not looked at
  launches[0].home = launches[1].home = nullptr;
  launches[0].round = launches[1].round = 3;
  launches[0].begin(detail::launch_stage::body);
  launches[0].skipped = true;
  detail::loop_pass pass;
  detail::lane_queue q(8);
  q.push_standing(launches[0], home, {.round = 7, .pass = &pass});
  q.push(launches[1]);
  q.prepare(q.claim(2));
  CHECK(launches[0].home == &home);
  CHECK(launches[0].round == 7);
  CHECK(launches[0].pass == &pass);
  CHECK_FALSE(launches[0].is_simple); // it waits for the answers before its pass
  CHECK(launches[0].stage == detail::launch_stage::futures);
  CHECK_FALSE(launches[0].skipped);
  CHECK(launches[1].home == nullptr);
  CHECK(launches[1].round == 3);
}

TEST_CASE("of those in a batch just the claimed ones are told") {
  executor ex(2);
  flow f(ex);
  detail::batch b(f);
  std::vector<detail::launch> launches(4);
  for(std::uint32_t i = 0; i != 4; ++i) {
    launches[i].home = nullptr;
    launches[i].round = 1;
    b.launches[i] = &launches[i];
    if(i != 2)
      b.note_standing(i, {.round = 10 + i});
  }
  b.prepare(1, 2);
  CHECK(launches[0].home == nullptr);
  CHECK(launches[1].home == &b);
  CHECK(launches[1].round == 11);
  CHECK(launches[1].is_simple);
  CHECK(launches[2].home == nullptr);
  CHECK(launches[3].home == nullptr);
  b.prepare(3, 1);
  CHECK(launches[3].round == 13);
  b.clear();
  b.prepare(0, detail::batch::most);
  CHECK(launches[0].home == nullptr);
}

namespace {
template<std::size_t Size>
void look_at_each_byte() {
  std::array<std::byte, Size> a{};
  std::array<std::byte, Size> b{};
  CHECK(detail::are_same_bytes(a, b));
  for(std::byte& x : b) {
    x = std::byte{1};
    CHECK_FALSE(detail::are_same_bytes(a, b));
    x = std::byte{0};
  }
}
} // namespace

TEST_CASE("values differ if any of their bytes do") {
  []<std::size_t... N>(std::index_sequence<N...>) { (look_at_each_byte<N + 1>(), ...); }(
    std::make_index_sequence<40>());
}

namespace {
template<class... A>
using launch_with = detail::launch_of<A...>;
using reads = detail::kept_access<int, detail::access_mode::read>;
using writes = detail::kept_access<int, detail::access_mode::write>;
using commutes = detail::kept_access<int, detail::access_mode::commute>;
using sums = detail::kept_access<int, detail::access_mode::reduce, fold::sum_type>;
} // namespace

// Only what is bytes, and waits for nothing but its edges.
static_assert(launch_with<void (*)(const int&, int&, double), reads, writes, double>::may_stand);
static_assert(!launch_with<int (*)(int&), writes>::may_stand);
static_assert(!launch_with<void (*)(int&), commutes>::may_stand);
static_assert(!launch_with<void (*)(int&), sums>::may_stand);
static_assert(!launch_with<void (*)(int&, const int&), writes, future<int>>::may_stand);
static_assert(!launch_with<std::function<void(int&)>, writes>::may_stand);
static_assert(!launch_with<void (*)(int&, std::string), writes, std::string>::may_stand);
