// Tasks over meshes with priorities: what goes first, and that results are the same.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "line_tasks.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace line_tasks;

namespace {

void note(line::view /*m*/, numbers::accessor<rw> u, int what, std::vector<int>* order) {
  u(0) += 1;
  order->push_back(what);
}
double note_and_count(
  line::view /*m*/, numbers::accessor<ro> /*u*/, int what, std::vector<int>* order) {
  order->push_back(what);
  return 1;
}

/// All launches of a program, with a priority or without.
template<priority P>
std::vector<double> results(scheduler& s) {
  line m{s, {.extents = {points}, .colors = {4}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  std::vector<double> all;
  s.execute<start, P>(m, u);
  s.execute<start>(m, v);
  const auto pass = [&] {
    s.execute<smooth, P>(m, v, u);
    s.execute<smooth>(m, u, v);
    s.execute<scale, P>(m, u, 1.5);
  };
  for(int i = 0; i != 5; ++i)
    pass();
  trace t(s.launches());
  for(int i = 0; i != 10; ++i) {
    const auto guard = t.make_guard();
    pass();
  }
  s.repeat(20, pass);
  std::vector<future<double>> sums;
  const auto passes = s.iterate({.max = 30}, [&](std::uint64_t p) {
    pass();
    sums.push_back(s.reduce<sum, fold::sum, P>(m, u));
    const future<double> largest = s.reduce<most, fold::max, P>(m, u);
    s.when(largest.then([](double x) { return x > 0; }), [&] { s.execute<scale, P>(m, v, 2); });
    return largest.then([p](double) { return p == 7; });
  });
  s.execute<scale, P>(m, u, s.reduce<most, fold::max, P>(m, v));
  all.push_back(s.reduce<sum, fold::sum, P>(m, u).get());
  all.push_back(static_cast<double>(passes.get()));
  for(std::uint64_t p = 0; p != passes.get(); ++p)
    all.push_back(sums[p].get());
  return all;
}

using plane = structured<2>;

void clear(plane::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = 0;
}
/// Takes as long as a message, or longer.
void relax(plane::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4 + 1;
}
double largest(plane::view m, numbers::accessor<ro> u) {
  double x = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      fold::max(x, u(i, j));
  return x;
}

template<priority P>
double relaxed(scheduler& s) {
  plane m{s, {.extents = {101, 67}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<clear>(m, u);
  s.execute<clear>(m, v);
  for(int step = 0; step != 8; ++step)
    s.iterate({.max = 40}, [&] {
      s.repeat(2, [&] {
        s.execute<relax>(m, v, u);
        s.execute<relax>(m, u, v);
      });
      return s.reduce<largest, fold::max, P>(m, u).then(
        [step](double x) { return x > 30 * (step + 1); });
    });
  return s.reduce<largest, fold::max>(m, u).get();
}

} // namespace

TEST_CASE("results of tasks with priorities are those without") {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const unsigned workers : {1U, 2U})
      on_ranks(make_local_transports(ranks), workers, [](scheduler& s) {
        const auto plain = results<priority::normal>(s);
        expect(plain[1] == 8);
        expect(results<priority::high>(s) == plain);
        expect(results<priority::low>(s) == plain);
      });
}

TEST_CASE("tasks of high priority go first, and those of low priority last") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    line m{s, {.extents = {points}, .colors = {1}}};
    constexpr int many = 100;
    std::deque<numbers> fields;
    for(int i = 0; i != many; ++i)
      fields.emplace_back(m);
    std::vector<int> order;
    for(auto& u : fields)
      s.execute<start>(m, u);
    s.wait();
    s.execute<note, priority::low>(m, fields[0], 0, &order);
    for(int i = 1; i != many - 2; ++i)
      s.execute<note>(m, fields[static_cast<std::size_t>(i)], i, &order);
    s.execute<note, priority::high>(m, fields[many - 2], many - 2, &order);
    const future<double> one =
      s.reduce<note_and_count, fold::sum, priority::high>(m, fields[many - 1], many - 1, &order);
    s.wait();
    expect(order.size() == many);
    expect(order.back() == 0);
    const auto place = [&](int what) {
      return std::find(order.begin(), order.end(), what) - order.begin();
    };
    expect(place(many - 2) < many / 2);
    expect(place(many - 1) < many / 2);
    expect(one.get() == 1);
  });
}

// What is launched first there, and waits for the same task as a message that is to be sent, must not make the worker forget that.
TEST_CASE("reductions of high priority go before messages behind a loop, whose tasks take long") {
  for(const unsigned workers : {1U, 2U})
    on_ranks(make_local_transports(3), workers, [](scheduler& s) {
      const double plain = relaxed<priority::normal>(s);
      for(int i = 0; i != 3; ++i)
        expect(relaxed<priority::high>(s) == plain);
      expect(relaxed<priority::low>(s) == plain);
    });
}
