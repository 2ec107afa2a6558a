// Tasks on rank 0 whose results all ranks get.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/broadcast_steps.hpp>
#include <rondo/rondo.hpp>

#include "plain_line.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using plain_line::line;
using plain_line::numbers;
using plain_line::set;
using plain_line::sum;

void add(line::view m, numbers::accessor<rw> u, double x) {
  for(const auto i : m.owned(0))
    u(i) += x;
}

std::atomic<int> calls{0};

int answer() {
  ++calls;
  return 42;
}
double half(double x) {
  ++calls;
  return x / 2;
}
std::size_t length(std::string text) { return text.size(); }
std::size_t length_of_both(const std::string& a, const std::string& b) {
  return a.size() + b.size();
}
void append(int x, std::vector<int>* to) { to->push_back(x); }
int append_and_count(int x, std::vector<int>* to) {
  to->push_back(x);
  return static_cast<int>(to->size());
}
int fail_on_rank_0() { throw std::runtime_error("nothing to read"); }

/// Has no default, and padding.
struct setting {
  explicit setting(char k, double v) : kind(k), value(v) {}
  char kind;
  double value;
};
setting read_setting() { return setting('x', 2.5); }
double value_of(setting s) { return s.kind == 'x' ? s.value : 0; }

const structured_options<1> cut{.extents = {24}, .colors = {8}};

/// The same of all ranks.
template<class T>
bool all_are(const std::vector<T>& values, const T& x) {
  for(const T& v : values)
    if(!(v == x))
      return false;
  return true;
}

} // namespace

TEST_CASE("what rank 0 has reaches every rank once, within log2(ranks) steps") {
  for(unsigned ranks = 1; ranks != 70; ++ranks) {
    std::vector<unsigned> heard(ranks), at(ranks);
    std::vector<std::vector<reduction_step>> steps;
    for(unsigned r = 0; r != ranks; ++r)
      steps.push_back(broadcast_steps(r, ranks));
    unsigned most = 0;
    for(unsigned r = 0; r != ranks; ++r) { // who tells is always before who hears
      unsigned number = 0;
      for(const reduction_step& s : steps[r]) {
        REQUIRE(s.peer < ranks);
        if(s.receive) {
          CHECK(number == 0);
          CHECK(s.peer < r);
          CHECK_FALSE(s.send);
          continue;
        }
        CHECK(s.send);
        CHECK(s.peer > r);
        ++heard[s.peer];
        at[s.peer] = at[r] + ++number;
        most = std::max(most, at[s.peer]);
        CHECK(steps[s.peer].front() == reduction_step{r, false, true});
      }
    }
    CHECK(heard[0] == 0);
    for(unsigned r = 1; r != ranks; ++r)
      CHECK(heard[r] == 1);
    unsigned log2 = 0;
    while((1U << log2) < ranks)
      ++log2;
    CHECK(most <= log2);
  }
}

TEST_CASE("all ranks get the result of a task that runs on rank 0") {
  for(const unsigned ranks : {1U, 2U, 3U, 8U})
    for(const unsigned workers : {1U, 2U}) {
      CAPTURE(ranks, workers);
      calls = 0;
      std::vector<int> seen(ranks);
      std::vector<double> values(ranks);
      on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
        seen[s.rank()] = s.execute<answer>().get();
        values[s.rank()] = s.execute<read_setting>().get().value;
        values[s.rank()] += s.execute<value_of>(s.execute<read_setting>()).get();
      });
      CHECK(calls == 1);
      CHECK(all_are(seen, 42));
      CHECK(all_are(values, 5.0));
    }
}

TEST_CASE("a result goes into tasks on all ranks without anybody waiting") {
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const bool is_traced : {false, true}) {
      CAPTURE(ranks, is_traced);
      calls = 0;
      std::vector<double> seen(ranks);
      on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
        line m{s, cut};
        numbers u{m, "u"};
        s.execute<set>(m, u, 1.0);
        trace t;
        for(int k = 0; k != 30; ++k) {
          const auto pass = [&] {
            // Half of the sum, which is 24 times the value.
            const future<double> h = s.execute<half>(s.reduce<sum, fold::sum>(m, u));
            s.execute<add>(m, u, h.then([](double x) { return x / 12 + 1; }));
            s.execute<set>(m, u, h.then([k](double x) { return x > 100 ? 1.0 : k; }));
          };
          if(is_traced) {
            const auto guard = t.make_guard();
            pass();
          }
          else
            pass();
        }
        seen[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
      });
      CHECK(calls == 30);
      double x = 1;
      for(int k = 0; k != 30; ++k)
        x = 12 * x > 100 ? 1 : k;
      CHECK(all_are(seen, 24 * x));
    }
}

TEST_CASE("tasks on rank 0 with and without a result run in the order of the program") {
  for(const unsigned ranks : {1U, 3U}) {
    std::vector<int> order;
    std::vector<int> last(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      future<int> n;
      for(int k = 0; k != 50; ++k) {
        s.execute<append>(2 * k, &order);
        n = s.execute<append_and_count>(2 * k + 1, &order);
      }
      last[s.rank()] = n.get();
    });
    REQUIRE(order.size() == 100);
    for(int k = 0; k != 100; ++k)
      CHECK(order[static_cast<std::size_t>(k)] == k);
    CHECK(all_are(last, 100));
  }
}

TEST_CASE(
  "a task on rank 0 returns something in each pass of a closed loop, and the last one counts") {
  for(const unsigned ranks : {1U, 2U, 5U}) {
    std::vector<int> order;
    std::vector<int> last(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, cut};
      numbers u{m, "u"};
      future<int> n;
      s.repeat(25, [&] {
        s.execute<add>(m, u, 1.0);
        n = s.execute<append_and_count>(7, &order);
      });
      last[s.rank()] = n.get();
      expect(s.reduce<sum, fold::sum>(m, u).get() == 24 * 25);
      last[s.rank()] += s.execute<append_and_count>(8, &order).get();
    });
    CHECK(all_are(last, 25 + 26));
  }
}

TEST_CASE("a loop ends when a task on rank 0 says so") {
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const unsigned workers : {1U, 2U}) {
      CAPTURE(ranks, workers);
      std::vector<int> order;
      std::vector<std::uint64_t> passes(ranks);
      std::vector<int> after(ranks);
      on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
        trace t;
        const auto n = s.iterate(t, {.max = 100}, [&](std::uint64_t pass) {
          // Ranks launch ahead more or less far.
          if(s.rank() == 1)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
          return s.execute<append_and_count>(static_cast<int>(pass), &order).then([](int x) {
            return x == 13;
          });
        });
        passes[s.rank()] = n.get();
        after[s.rank()] = s.execute<append_and_count>(0, &order).get();
      });
      CHECK(all_are<std::uint64_t>(passes, 13));
      CHECK(all_are(after, 14));
    }
}

TEST_CASE("a task on rank 0 that only passes in vain would have launched is launched later") {
  for(const unsigned ranks : {1U, 2U, 3U}) {
    CAPTURE(ranks);
    calls = 0;
    std::vector<int> seen(ranks);
    std::vector<double> halves(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const auto n = s.iterate({.max = s.rank() == 0 ? 40U : 9U}, [&](std::uint64_t pass) {
        if(pass >= 6)
          static_cast<void>(s.execute<answer>());
        if(s.rank() != 0)
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return s.execute<length>("four").then([pass](std::size_t x) { return x + pass == 7; });
      });
      expect(n.get() == 4);
      halves[s.rank()] = s.execute<half>(8.0).get();
      seen[s.rank()] = s.execute<answer>().get();
    });
    CHECK(calls == 2);
    CHECK(all_are(seen, 42));
    CHECK(all_are(halves, 4.0));
  }
}

TEST_CASE("a task on rank 0 that is launched first in a late pass of a loop has its result there") {
  for(const unsigned ranks : {1U, 3U}) {
    calls = 0;
    std::vector<double> sums(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, cut};
      numbers u{m, "u"};
      const auto n = s.iterate({.max = 20}, [&](std::uint64_t pass) {
        s.execute<add>(m, u, 1.0);
        if(pass == 3 || pass == 5)
          s.execute<add>(m, u, s.execute<half>(2.0));
        return s.reduce<sum, fold::sum>(m, u).then([](double x) { return x >= 24 * 10; });
      });
      expect(n.get() == 8);
      sums[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
    });
    CHECK(calls == 2);
    CHECK(all_are(sums, 24 * 10.0));
  }
}

TEST_CASE("a literal is taken for a string") {
  for(const unsigned ranks : {1U, 2U})
    on_ranks(make_local_transports(ranks), 1, [](scheduler& s) {
      expect(s.execute<length>("four").get() == 4);
      expect(s.execute<length_of_both>("one", "three").get() == 8);
      const std::string text = "a string";
      expect(s.execute<length>(text).get() == 8);
      promise<std::string> p;
      p.set_value("later");
      expect(s.execute<length>(p.get_future()).get() == 5);
      expect(s.execute<half>(3).get() == 1.5);
    });
}

TEST_CASE("a task on rank 0 that fails is told by wait, and its future has no value") {
  on_ranks(make_local_transports(1), 2, [](scheduler& s) {
    const future<int> lost = s.execute<fail_on_rank_0>();
    CHECK_THROWS_WITH(lost.get(), "nothing to read");
    CHECK_THROWS_WITH(s.wait(), "nothing to read");
    CHECK(s.execute<half>(4.0).get() == 2);
  });
}
