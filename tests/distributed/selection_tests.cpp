// Selections of lists, next to what copying one element after the other does.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/fold.hpp>
#include <rondo/distributed/folding.hpp>
#include <rondo/distributed/selection.hpp>

using namespace rondo;
using namespace rondo::detail;
using meshes::draw;

namespace {

constexpr std::int64_t elements_of_color = 60;

/// Without repetition: now scattered, now in runs of several lengths, now all of it.
std::vector<std::int64_t> random_list(std::uint64_t seed) {
  std::vector<std::int64_t> all;
  std::vector<bool> is_taken(elements_of_color);
  const std::int64_t longest = draw(seed, 0, 0, 3) == 0 ? 1 : draw(seed, 1, 1, 20);
  const std::int64_t tries = draw(seed, 2, 0, 30);
  for(std::int64_t k = 0; k != tries; ++k) {
    const auto key = static_cast<std::uint64_t>(k);
    const std::int64_t first = draw(seed, 100 + key, 0, elements_of_color - 1);
    const std::int64_t n = draw(seed, 200 + key, 1, longest);
    for(std::int64_t e = first; e != std::min(first + n, elements_of_color); ++e)
      if(!is_taken[static_cast<std::size_t>(e)]) {
        is_taken[static_cast<std::size_t>(e)] = true;
        all.push_back(e);
      }
  }
  return all;
}

/// As many others.
std::vector<std::int64_t> another_list(std::uint64_t seed, std::size_t size) {
  std::vector<std::int64_t> all(elements_of_color);
  std::iota(all.begin(), all.end(), std::int64_t{0});
  switch(seed % 3) {
  case 0: // one run
    std::rotate(all.begin(), all.begin() + draw(seed, 5, 0, 9), all.end());
    break;
  case 1: // some
    for(std::size_t k = 0; k != 5; ++k)
      std::rotate(all.begin() + draw(seed, 10 + k, 0, 30), all.begin() + draw(seed, 20 + k, 30, 40),
        all.begin() + draw(seed, 30 + k, 40, 60));
    break;
  default: // scattered
    for(std::size_t k = all.size(); k-- > 1;)
      std::swap(all[k], all[meshes::mix(seed, 40 + k) % (k + 1)]);
  }
  all.resize(size);
  return all;
}

template<std::size_t Size>
using value = std::array<unsigned char, Size>;

/// The values of a color; element 0 is not the first one in memory.
template<class T>
struct values {
  std::vector<T> all;
  color_block block;
  explicit values(std::uint64_t seed) : all(elements_of_color + 7) {
    for(std::size_t k = 0; k != all.size(); ++k)
      for(std::size_t b = 0; b != sizeof(T); ++b)
        reinterpret_cast<unsigned char*>(&all[k])[b] =
          static_cast<unsigned char>(meshes::mix(seed, 1000 * k + b));
    point_to_it();
  }
  values(const values& other) : all(other.all) { point_to_it(); }
  values& operator=(const values&) = delete;
  T& operator[](std::int64_t e) { return all[static_cast<std::size_t>(e + 4)]; }

private:
  void point_to_it() {
    block.origin = reinterpret_cast<std::byte*>(all.data() + 4);
    block.stride[0] = block.stride[1] = elements_of_color;
  }
};

template<class T>
void check_copies(std::uint64_t seed) {
  CAPTURE(seed, sizeof(T));
  const std::vector<std::int64_t> list = random_list(seed);
  const std::vector<std::int64_t> other = another_list(seed, list.size());
  const selection what = selection::of_list(list);
  const selection where = selection::of_list(other);
  REQUIRE(what.size() == static_cast<std::int64_t>(list.size()));
  values<T> from(seed);
  const values<T> before(seed + 1);

  std::vector<T> message(list.size() + 1, T{});
  pack(from.block, what, sizeof(T), reinterpret_cast<std::byte*>(message.data()));
  for(std::size_t k = 0; k != list.size(); ++k)
    REQUIRE(message[k] == from[list[k]]);
  REQUIRE(message.back() == T{});

  values<T> wanted = before;
  for(std::size_t k = 0; k != list.size(); ++k)
    wanted[other[k]] = message[k];
  values<T> into = before;
  unpack(reinterpret_cast<const std::byte*>(message.data()), into.block, where, sizeof(T));
  REQUIRE(into.all == wanted.all);
  values<T> copied = before;
  copy(from.block, what, copied.block, where, sizeof(T));
  REQUIRE(copied.all == wanted.all);
  REQUIRE((list.empty() || !is_same_memory(from.block, what, copied.block, where, sizeof(T))));
  REQUIRE(is_same_memory(from.block, what, from.block, what, sizeof(T)));
  REQUIRE((list.empty() ||
           is_same_memory(from.block, what, from.block, where, sizeof(T)) == (list == other)));
}

/// The order in which parts are folded is to be seen.
struct in_turn {
  std::uint64_t identity(const std::uint64_t& /*any*/) const { return 17; }
  void operator()(std::uint64_t& into, const std::uint64_t& part) const {
    into = meshes::mix(into, part);
  }
};

} // namespace

TEST_CASE("lists are packed, unpacked and copied as their elements are, one by one") {
  for(std::uint64_t seed = 0; seed != 400; ++seed) {
    check_copies<value<1>>(seed);
    check_copies<value<3>>(seed);
    check_copies<std::uint64_t>(seed);
    check_copies<value<40>>(seed);
  }
}

TEST_CASE("lists are folded as their elements are, one by one") {
  using number = std::uint64_t;
  const folding& how = folding_with<number, in_turn{}>;
  for(std::uint64_t seed = 0; seed != 400; ++seed) {
    CAPTURE(seed);
    const std::vector<std::int64_t> list = random_list(seed);
    const std::vector<std::int64_t> other = another_list(seed, list.size());
    const selection what = selection::of_list(list);
    const selection where = selection::of_list(other);
    values<number> from(seed);
    const values<number> before(seed + 1);

    values<number> wanted = before;
    for(const std::int64_t e : list)
      wanted[e] = 17;
    values<number> begun = before;
    begin_fold(begun.block, what, sizeof(number), how);
    REQUIRE(begun.all == wanted.all);

    values<number> folded = before;
    for(std::size_t k = 0; k != list.size(); ++k)
      in_turn()(folded[other[k]], from[list[k]]);
    values<number> into = before;
    detail::fold(from.block, what, into.block, where, sizeof(number), how);
    REQUIRE(into.all == folded.all);

    std::vector<number> message(list.size() + 1);
    pack(from.block, what, sizeof(number), reinterpret_cast<std::byte*>(message.data()));
    values<number> by_message = before;
    detail::fold(reinterpret_cast<const std::byte*>(message.data()), by_message.block, where,
      sizeof(number), how);
    REQUIRE(by_message.all == folded.all);
  }
}

TEST_CASE("a list and a box of as many elements are copied and folded into each other") {
  const selection square =
    selection::of(box<2>{{1, 0}, {4, 3}}); // rows of 3 in a block that is 10 wide
  const std::vector<std::int64_t> list{7, 8, 3, 50, 51, 52, 53, 1, 20};
  const selection scattered = selection::of_list(list);
  values<std::uint64_t> wide(1);
  wide.block.stride[0] = 10;
  const auto place = [](
                       std::size_t k) { return static_cast<std::int64_t>(1 + k % 3 + k / 3 * 10); };
  values<std::uint64_t> row(2);
  copy(wide.block, square, row.block, scattered, sizeof(std::uint64_t));
  for(std::size_t k = 0; k != list.size(); ++k)
    CHECK(row[list[k]] == wide[place(k)]);
  values<std::uint64_t> back(3);
  back.block.stride[0] = 10;
  values<std::uint64_t> wanted = back;
  copy(row.block, scattered, back.block, square, sizeof(std::uint64_t));
  for(std::size_t k = 0; k != list.size(); ++k)
    CHECK(back[place(k)] == row[list[k]]);
  detail::fold(row.block, scattered, back.block, square, sizeof(std::uint64_t),
    folding_with<std::uint64_t, in_turn{}>);
  for(std::size_t k = 0; k != list.size(); ++k)
    CHECK(back[place(k)] == meshes::mix(row[list[k]], row[list[k]]));
  CHECK(is_same_memory(row.block, selection::of_list({5, 6, 7, 1}), row.block,
    selection::of_list({5, 6, 7, 1}), sizeof(std::uint64_t)));
  CHECK_FALSE(is_same_memory(row.block, selection::of_list({5, 6, 7, 1}), row.block,
    selection::of_list({5, 6, 8, 1}), sizeof(std::uint64_t)));
}

TEST_CASE("lists say how many elements they have and where") {
  const selection list = selection::of_list({4, 5, 6, 11, 2});
  CHECK(list.size() == 5);
  CHECK(list.bounds() == box<3>{{2, 0, 0}, {12, 1, 1}});
  CHECK(describe(list) == "[4, 7) + [11, 12) + [2, 3)");
  CHECK(list.boxes() == std::vector<box<3>>{{{4, 0, 0}, {7, 1, 1}}, {{11, 0, 0}, {12, 1, 1}},
                          {{2, 0, 0}, {3, 1, 1}}});
  const selection run = selection::of_list({4, 5, 6});
  CHECK(describe(run) == "[4, 7)");
  CHECK(run == selection::of_range(4, 7));
  CHECK(run == selection::of(box<1>{{4}, {7}}));
  const selection empty = selection::of_list({});
  CHECK(empty.size() == 0);
  CHECK(empty == selection());
  CHECK(empty == selection::of_range(5, 5));
  CHECK(list == selection::of_list({4, 5, 6, 11, 2}));
  const selection same = list;
  CHECK(same == list);
  CHECK_FALSE(list == selection::of_list({4, 5, 6, 2, 11}));
  CHECK_FALSE(list == selection::of_list({4, 5, 6, 11}));
  CHECK_FALSE(list == selection::of_range(2, 7));
  std::vector<std::int64_t> odd;
  for(std::int64_t e = 1; e < 40; e += 2)
    odd.push_back(e);
  CHECK(describe(selection::of_list(odd)) ==
        "[1, 2) + [3, 4) + [5, 6) + [7, 8) + [9, 10) + [11, 12) + ..., 20 elements in 20 runs");
  for(std::uint64_t seed = 0; seed != 200; ++seed) {
    const std::vector<std::int64_t> some = random_list(seed);
    std::vector<std::int64_t> listed;
    if(!some.empty())
      for(const box<3>& b : selection::of_list(some).boxes())
        for(std::int64_t e = b.lo[0]; e != b.hi[0]; ++e)
          listed.push_back(e);
    CHECK(listed == some);
  }
}
