// Reductions carried out by all ranks in one process, against the tree evaluated by itself.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/fold.hpp>
#include <rondo/distributed/reduction_steps.hpp>
#include <rondo/distributed/reduction_tree.hpp>

using namespace rondo;
using meshes::draw;
using meshes::mix;

namespace {

/// Neither associative nor commutative; tells how values were put together.
struct tangle {
  void operator()(std::uint64_t& into, std::uint64_t part) const { into = mix(into, part); }
};

/// The definition.
template<class T, class Op>
T evaluate(const std::vector<T>& values, std::uint64_t level, std::uint64_t index, const Op& op) {
  if(level == 0)
    return values[index];
  T value = evaluate(values, level - 1, 2 * index, op);
  if(const std::uint64_t right = 2 * index + 1; right << (level - 1) < values.size())
    op(value, evaluate(values, level - 1, right, op));
  return value;
}
template<class T, class Op>
T evaluate(const std::vector<T>& values, const Op& op) {
  return evaluate(values, static_cast<unsigned>(std::bit_width(values.size() - 1)), 0, op);
}

/// Of both signs and any magnitude: no two orders to add them give the same.
std::vector<double> random_numbers(std::uint64_t seed, std::size_t n) {
  std::vector<double> values(n);
  for(std::size_t i = 0; i != n; ++i)
    values[i] = std::ldexp(static_cast<double>(draw(seed, 2 * i, -1'000'000'007, 1'000'000'007)),
      static_cast<int>(draw(seed, 2 * i + 1, -40, 40)));
  return values;
}
std::vector<std::uint64_t> random_words(std::uint64_t seed, std::size_t n) {
  std::vector<std::uint64_t> values(n);
  for(std::size_t i = 0; i != n; ++i)
    values[i] = mix(seed, i);
  return values;
}

template<class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template<class T, class Op>
partial<T> partial_of(const std::vector<T>& values, color_id first, color_id last, const Op& op) {
  partial<T> p(values.size(), first);
  for(color_id c = first; c != last; ++c)
    p.append(values[c], op);
  return p;
}

/// All ranks take their steps; messages between two ranks arrive in order, and only the bytes that
/// are said to matter. Which rank goes on is left to chance.
template<class T, class Op>
std::vector<T> reduce(const std::vector<T>& values, unsigned ranks, const Op& op,
  std::uint64_t seed, std::size_t& most_steps) {
  struct state {
    partial<T> mine;
    std::vector<reduction_step> steps;
    std::size_t at = 0;
    bool sent = false;
  };
  const distribution who{values.size(), ranks};
  std::vector<state> all;
  for(unsigned r = 0; r != ranks; ++r)
    all.push_back({partial_of(values, who.share_of_rank(r).first, who.share_of_rank(r).last, op),
      reduction_steps(r, ranks), 0, false});

  std::map<std::pair<unsigned, unsigned>, std::deque<std::vector<std::byte>>> under_way;
  std::size_t left = 0;
  most_steps = 0;
  for(const state& s : all) {
    left += s.steps.size();
    most_steps = std::max(most_steps, s.steps.size());
  }
  for(std::uint64_t turn = 0, idle = 0; left != 0; ++turn) {
    // All in turn, from a rank that is drawn.
    const auto r = static_cast<unsigned>((mix(seed, turn / ranks) + turn) % ranks);
    state& s = all[r];
    REQUIRE(++idle <= 2 * ranks); // else they wait for each other
    if(s.at == s.steps.size())
      continue;
    const reduction_step& step = s.steps[s.at];
    if(step.send && !s.sent) {
      std::vector<std::byte> message(partial<T>::bytes(values.size()));
      s.mine.store(message.data());
      under_way[{r, step.peer}].push_back(std::move(message));
      s.sent = true;
      idle = 0;
    }
    if(step.receive) {
      auto& queue = under_way[{step.peer, r}];
      if(queue.empty())
        continue;
      partial<T> other(values.size());
      other.load(queue.front().data());
      queue.pop_front();
      s.mine.join(other, op);
    }
    idle = 0;
    s.sent = false;
    ++s.at;
    --left;
  }
  for(const auto& [between, queue] : under_way)
    REQUIRE(queue.empty());

  std::vector<T> results;
  for(const state& s : all) {
    REQUIRE(s.mine.is_whole());
    results.push_back(s.mine.result());
  }
  return results;
}

} // namespace

TEST_CASE("values appended one by one make what the tree says") {
  for(std::size_t n = 1; n != 300; ++n) {
    CAPTURE(n);
    const auto words = random_words(n, n);
    REQUIRE(partial_of(words, 0, n, tangle{}).result() == evaluate(words, tangle{}));
    const auto numbers = random_numbers(n, n);
    REQUIRE(same_bits(partial_of(numbers, 0, n, fold::sum).result(), evaluate(numbers, fold::sum)));
  }
}

TEST_CASE("ranges cut anywhere and joined in any order make what the tree says") {
  for(std::uint64_t seed = 0; seed != 3000; ++seed) {
    CAPTURE(seed);
    const auto n = static_cast<std::size_t>(draw(seed, 0, 1, 200));
    const auto words = random_words(seed, n);
    const auto numbers = random_numbers(seed, n);
    std::vector<partial<std::uint64_t>> parts;
    std::vector<partial<double>> sums;
    for(color_id first = 0, i = 0; first != n; ++i) {
      // Some of them empty.
      const auto last = std::min<color_id>(
        n, first + static_cast<color_id>(draw(seed, 100 + i, 0, draw(seed, 1, 1, 50))));
      parts.push_back(partial_of(words, first, last, tangle{}));
      sums.push_back(partial_of(numbers, first, last, fold::sum));
      first = last;
    }
    for(std::uint64_t i = 0; parts.size() != 1; ++i) {
      const auto at = static_cast<std::size_t>(mix(seed, 1000 + i) % (parts.size() - 1));
      if(mix(seed, 2000 + i) % 2 == 0) {
        parts[at].join(parts[at + 1], tangle{});
        sums[at].join(sums[at + 1], fold::sum);
      }
      else {
        parts[at + 1].join(parts[at], tangle{});
        sums[at + 1].join(sums[at], fold::sum);
        std::swap(parts[at], parts[at + 1]);
        std::swap(sums[at], sums[at + 1]);
      }
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      sums.erase(sums.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    REQUIRE(parts[0].is_whole());
    REQUIRE(parts[0].result() == evaluate(words, tangle{}));
    REQUIRE(same_bits(sums[0].result(), evaluate(numbers, fold::sum)));
  }
}

TEST_CASE("what is known of a range are its largest nodes, and these are few") {
  for(std::size_t n = 1; n != 70; ++n) {
    const auto words = random_words(n, n);
    for(color_id first = 0; first != n; ++first)
      for(color_id last = first; last <= n; ++last) {
        CAPTURE(n, first, last);
        const auto p = partial_of(words, first, last, tangle{});
        REQUIRE(p.values().size() <= detail::most_nodes(n));
        std::size_t i = 0;
        for(color_id at = first; at != last; ++i) {
          const unsigned level = detail::largest_node(at, last, n);
          REQUIRE(i < p.values().size());
          REQUIRE(p.values()[i] == evaluate(words, level, at >> level, tangle{}));
          at = std::min<color_id>(n, at + (color_id{1} << level));
        }
        REQUIRE(i == p.values().size());
      }
  }
  CHECK(partial<double>::bytes(1024) == 32 + 18 * 8);
  CHECK_THROWS_AS(partial<double>(partial<double>::most_colors + 1), std::invalid_argument);
}

TEST_CASE("all ranks get the same bits, whatever their number") {
  for(unsigned ranks = 1; ranks <= 130; ++ranks) {
    CAPTURE(ranks);
    for(const std::size_t n :
      {std::size_t{ranks}, std::size_t{ranks + ranks / 3}, std::size_t{517}}) {
      CAPTURE(n);
      const auto check = [&](const auto& values, const auto& op) {
        const auto expected = evaluate(values, op);
        std::size_t steps = 0;
        for(const auto& result : reduce(values, ranks, op, ranks, steps))
          REQUIRE(same_bits(result, expected));
        REQUIRE(steps <= std::bit_width(ranks) + 1U);
      };
      const auto numbers = random_numbers(n, n);
      check(numbers, fold::sum);
      check(numbers, fold::min);
      check(numbers, fold::max);
      check(random_words(n, n), tangle{});
    }
  }
}

TEST_CASE("the place of the least value is found, on whatever rank it is") {
  using at = fold::located<double>;
  for(unsigned ranks = 1; ranks <= 40; ++ranks) {
    std::vector<at> values;
    for(std::int64_t i = 0; i != 100; ++i)
      values.push_back({static_cast<double>(mix(ranks, i) % 20), i});
    const auto least = *std::min_element(
      values.begin(), values.end(), [](const at& a, const at& b) { return a.value < b.value; });
    std::size_t steps = 0;
    for(const at& result : reduce(values, ranks, fold::minloc, ranks, steps))
      REQUIRE(result == least);
  }
}

TEST_CASE("every message has somebody who waits for it, up to many ranks") {
  for(unsigned ranks : {1U, 2U, 3U, 5U, 8U, 100U, 1000U, 4096U, 5000U}) {
    CAPTURE(ranks);
    // By step: what goes from one to the other, and what is waited for.
    std::map<std::pair<unsigned, unsigned>, int> sent, awaited;
    for(unsigned r = 0; r != ranks; ++r) {
      const auto steps = reduction_steps(r, ranks);
      REQUIRE(steps.size() <= std::bit_width(ranks) + 1U);
      for(const reduction_step& s : steps) {
        REQUIRE(s.peer < ranks);
        REQUIRE(s.peer != r);
        sent[{r, s.peer}] += s.send;
        awaited[{s.peer, r}] += s.receive;
      }
    }
    REQUIRE(sent == awaited);
  }
}

TEST_CASE("ranks that don't fit together are noticed") {
  const auto words = random_words(1, 10);
  auto p = partial_of(words, 2, 4, tangle{});
  const auto refuses = [&](partial<std::uint64_t> other) {
    CHECK_THROWS_AS(p.join(other, tangle{}), std::logic_error);
  };
  refuses(partial_of(words, 5, 7, tangle{}));
  refuses(partial_of(words, 3, 6, tangle{}));
  refuses(partial<std::uint64_t>(11, 4));
}
