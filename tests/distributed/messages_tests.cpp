// Which messages a program of launches leads to, rank by rank: asked of ranks in this process, without MPI.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"
#include "recording_transport.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;
using messages = std::vector<sent_message>;

void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>(i + 100 * j);
}
void smooth(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4;
}
void near_smooth(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro, 1> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4;
}
void give(grid::view m, numbers::accessor<rw, fold::sum> to) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i - 1, j) += to(i, j);
}
void scale(grid::view m, numbers::accessor<rw> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) *= 2;
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}

/// Runs the program on n ranks. It may ask, and forget, what its own one has sent.
void record(
  unsigned n, const std::function<void(scheduler&, const std::function<messages()>&)>& program) {
  std::vector<std::unique_ptr<transport>> all;
  std::vector<recording_transport*> recorders;
  for(auto& t : make_local_transports(n)) {
    auto recorder = std::make_unique<recording_transport>(std::move(t));
    recorders.push_back(recorder.get());
    all.push_back(std::move(recorder));
  }
  on_ranks(std::move(all), 1, [&](scheduler& s) {
    recorders[s.rank()]->begin();
    program(s, [&] {
      s.wait();
      return recorders[s.rank()]->take();
    });
  });
}

/// One exchange of a field of doubles, so often.
messages planned(const grid& m, const scheduler& s, int times = 1) {
  messages all;
  for(int k = 0; k != times; ++k)
    for(const auto& one : plan_exchange(m.coloring(), s.ranks(), s.rank()).outgoing)
      all.push_back({one.peer, one.size * sizeof(double)});
  return all;
}

bool are_same(messages a, messages b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

structured_options<2> some_mesh(const scheduler& s, bool is_periodic = false) {
  return {.extents = {24, 20},
    .colors = {2, static_cast<std::int64_t>(s.ranks())},
    .periodic = {is_periodic, is_periodic}};
}

} // namespace

TEST_CASE("a field is exchanged by the first task that reads its ghosts, and only if it is stale") {
  const unsigned ranks = GENERATE(1U, 2U, 3U, 5U);
  const bool is_periodic = GENERATE(false, true);
  record(ranks, [&](scheduler& s, const std::function<messages()>& sent) {
    grid m{s, some_mesh(s, is_periodic)};
    numbers u{m, "u"}, v{m, "v"};
    s.execute<fill>(m, u);
    s.execute<fill>(m, v);
    expect(sent().empty());
    s.execute<smooth>(m, v, u);
    expect(are_same(sent(), planned(m, s)));
    s.execute<smooth>(m, v, u);
    s.execute<scale>(m, v);
    expect(sent().empty());
    s.execute<scale>(m, u);
    s.execute<scale>(m, u);
    expect(sent().empty()); // nobody reads its ghosts
    s.execute<smooth>(m, v, u);
    s.execute<smooth>(m, v, u);
    expect(are_same(sent(), planned(m, s)));
  });
}

TEST_CASE("a task that looks less far than the halo is deep has no more fetched, and what is there "
          "isn't fetched again") {
  const unsigned ranks = GENERATE(2U, 3U);
  record(ranks, [&](scheduler& s, const std::function<messages()>& sent) {
    structured_options<2> deep = some_mesh(s, true), thin = deep;
    deep.halo = 3;
    const grid m{s, deep}, near{s, thin};
    const numbers u{m, "u"}, v{m, "v"};
    s.execute<fill>(m, u);
    s.execute<near_smooth>(m, v, u);
    s.execute<near_smooth>(m, v, u);
    expect(are_same(sent(), planned(near, s)));
    s.execute<smooth>(m, v, u); // all of it, since not all is up to date
    s.execute<smooth>(m, v, u);
    s.execute<near_smooth>(m, v, u);
    expect(are_same(sent(), planned(m, s)));
    s.execute<scale>(m, u);
    s.execute<near_smooth>(m, v, u);
    expect(are_same(sent(), planned(near, s)));
    s.execute<fill>(m, v);
    s.repeat(3, [&] {
      s.execute<near_smooth>(m, v, u);
      s.execute<near_smooth>(m, u, v);
    });
    expect(are_same(sent(), planned(near, s, 6)));
  });
}

TEST_CASE("contributions take one message to each rank that ghosts come from") {
  const unsigned ranks = GENERATE(1U, 2U, 4U);
  record(ranks, [&](scheduler& s, const std::function<messages()>& sent) {
    const grid m{s, some_mesh(s)};
    const numbers u{m, "u"};
    s.execute<fill>(m, u);
    messages wanted;
    for(const auto& one : plan_exchange(m.coloring(), s.ranks(), s.rank()).incoming)
      wanted.push_back({one.peer, one.size * sizeof(double)});
    s.execute<give>(m, u);
    expect(are_same(sent(), wanted));
    s.execute<give>(m, u);
    s.execute<scale>(m, u);
    expect(are_same(sent(), wanted));
  });
}

TEST_CASE("a rank sends one message to each rank next to it, whatever the colors") {
  record(6, [](scheduler& s, const std::function<messages()>& sent) {
    for(const point<2> colors : {point<2>{1, 6}, point<2>{3, 4}, point<2>{6, 6}}) {
      grid m{s, {.extents = {24, 20}, .colors = colors}};
      numbers u{m, "u"}, v{m, "v"};
      s.execute<fill>(m, u);
      static_cast<void>(sent());
      s.execute<smooth>(m, v, u);
      messages all = sent();
      expect(are_same(all, planned(m, s)));
      std::sort(all.begin(), all.end());
      for(std::size_t i = 1; i < all.size(); ++i)
        expect(all[i - 1].to != all[i].to);
    }
  });
}

TEST_CASE("loops lead to the same messages, however they are run") {
  constexpr int passes = 12;
  const unsigned ranks = GENERATE(2U, 4U);
  record(ranks, [&](scheduler& s, const std::function<messages()>& sent) {
    grid m{s, some_mesh(s)};
    numbers u{m, "u"}, v{m, "v"};
    const auto pass = [&] {
      s.execute<smooth>(m, v, u);
      s.execute<smooth>(m, u, v);
    };
    const auto begin = [&] {
      s.execute<fill>(m, u);
      s.execute<fill>(m, v);
      static_cast<void>(sent());
    };
    begin();
    for(int k = 0; k != passes; ++k)
      pass();
    expect(are_same(sent(), planned(m, s, 2 * passes)));
    begin();
    trace t;
    for(int k = 0; k != passes; ++k) {
      const auto guard = t.make_guard();
      pass();
    }
    expect(are_same(sent(), planned(m, s, 2 * passes)));
    begin();
    s.repeat(passes, pass);
    expect(are_same(sent(), planned(m, s, 2 * passes)));
  });
}

namespace {

/// u(i, j) += c around it.
void add_around(grid::view m, numbers::accessor<rw> u, numbers::accessor<ro, ro> c) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      u(i, j) += c(i - 1, j) + c(i + 1, j) + c(i, j - 1) + c(i, j + 1);
}

/// The sum of u after all, for the same program in plain loops.
double sum_of(scheduler& s, const grid& m, const numbers& u) {
  return s.reduce<sum, fold::sum>(m, u).get();
}

} // namespace

TEST_CASE("what a repeated body reads and doesn't write is fetched once, before it") {
  const unsigned ranks = GENERATE(1U, 2U, 4U);
  const std::size_t stages = GENERATE(1U, 3U);
  record(ranks, [&](scheduler& s, const std::function<messages()>& sent) {
    structured_options<2> with_waves = some_mesh(s);
    with_waves.stages = stages;
    const grid m{s, with_waves};
    const numbers u{m, "u"}, c{m, "c"}, d{m, "d"};
    const auto begin = [&] {
      s.execute<fill>(m, u);
      s.execute<fill>(m, c);
      s.execute<fill>(m, d);
      static_cast<void>(sent());
    };
    const auto run = [&](bool is_repeated, std::uint64_t n, const auto& body) {
      if(is_repeated)
        s.repeat(n, body);
      else
        for(std::uint64_t k = 0; k != n; ++k)
          body();
    };
    // What a body sends in five passes, and that it computes what a plain loop does.
    const auto check = [&](const auto& body, int exchanges) {
      double results[2] = {};
      for(const bool is_repeated : {false, true}) {
        begin();
        run(is_repeated, 5, [&] { body(is_repeated); });
        const messages all = sent();
        if(is_repeated)
          expect(are_same(all, planned(m, s, exchanges)));
        results[is_repeated ? 1 : 0] = sum_of(s, m, u);
        static_cast<void>(sent());
      }
      expect(results[0] == results[1]);
    };
    check([&](bool) { s.execute<add_around>(m, u, c); }, 1);
    check(
      [&](bool) {
        s.execute<add_around>(m, u, c);
        s.execute<add_around>(m, u, d);
        s.execute<add_around>(m, u, c);
      },
      2);
    // Written in the body, behind what reads it or before.
    check(
      [&](bool) {
        s.execute<add_around>(m, u, c);
        s.execute<scale>(m, c);
      },
      5);
    check(
      [&](bool) {
        s.execute<scale>(m, c);
        s.execute<add_around>(m, u, c);
      },
      5);
    check(
      [&](bool) {
        s.execute<add_around>(m, u, d);
        s.execute<scale>(m, c);
        s.execute<add_around>(m, u, c);
        s.execute<add_around>(m, u, d);
      },
      6);
    // In a loop in a loop: before each time that the inner one is entered.
    check(
      [&](bool is_repeated) {
        s.execute<scale>(m, c);
        run(is_repeated, 3, [&] {
          s.execute<add_around>(m, u, c);
          s.execute<add_around>(m, u, d);
        });
      },
      10);
    check(
      [&](bool is_repeated) {
        s.execute<add_around>(m, u, d);
        run(is_repeated, 3, [&] { s.execute<add_around>(m, u, c); });
        s.execute<add_around>(m, u, d);
      },
      11); // d is not known to be up to date behind the inner loop
  });
}

TEST_CASE("what is fetched before a repeated loop is fetched as deep as it is read") {
  record(3, [&](scheduler& s, const std::function<messages()>& sent) {
    structured_options<2> deep = some_mesh(s, true), thin = deep;
    deep.halo = 3;
    const grid m{s, deep}, near{s, thin};
    const numbers u{m, "u"}, v{m, "v"};
    s.execute<fill>(m, u);
    s.execute<fill>(m, v);
    s.repeat(4, [&] { s.execute<near_smooth>(m, v, u); });
    expect(are_same(sent(), planned(near, s)));
    s.repeat(4, [&] {
      s.execute<near_smooth>(m, v, u);
      s.execute<smooth>(m, v, u);
    });
    messages both = planned(near, s);
    const messages whole = planned(m, s);
    both.insert(both.end(), whole.begin(), whole.end());
    expect(are_same(sent(), both));
  });
}

TEST_CASE("a reduction takes a few small messages of each rank") {
  const unsigned ranks = GENERATE(1U, 2U, 4U, 7U);
  record(ranks, [&](scheduler& s, const std::function<messages()>& sent) {
    grid m{s, some_mesh(s)};
    numbers u{m, "u"};
    s.execute<fill>(m, u);
    static_cast<void>(sent());
    const double first = s.reduce<sum, fold::sum>(m, u).get();
    static_cast<void>(sent());
    expect(s.reduce<sum, fold::sum>(m, u).get() == first);
    const messages all = sent();
    std::size_t steps = 0; // log2, rounded up
    while((std::size_t{1} << steps) < s.ranks())
      ++steps;
    expect(all.size() <= 2 * steps + 1 && (s.ranks() == 1) == all.empty());
    for(const sent_message& one : all)
      expect(one.bytes <= 1024);
  });
}

// ---- what waits for which message ------------------------------------------------------------

namespace {

/// Rank 0, which has so many colors, writes its points only when this is so; or, if it never is, in the end.
std::atomic<bool> may_be_written{false};
std::atomic<bool> was_in_vain{false};
std::atomic<color_id> late_colors{0};

/// Needs copies of all ghosts, and changes nothing where all is 0.
void spread(grid::view m, numbers::accessor<rw, ro> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      u(i, j) += u(i, j - 1) + u(i, j + 1);
}

void write_when_told(grid::view m, numbers::accessor<wo> u) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds most(60); // nothing but this test's failure depends on it
  if(m.color() < late_colors)
    for(const auto begin = clock::now(); !may_be_written;) {
      if(clock::now() - begin > most) {
        was_in_vain = true;
        break;
      }
      std::this_thread::yield();
    }
  fill(m, u);
}

/// Tells rank 0 to write when the others' ghosts are where they belong.
struct telling final : observer {
  explicit telling(unsigned of_both_kinds) : left(of_both_kinds) {}
  void message(const message_info& m) noexcept override {
    if(m.what == message_info::what_type::taken && m.peer == 2)
      one_less();
  }
  void task_end(unsigned /*worker*/, const task_info& t) noexcept override {
    if(std::string_view(t.name) == "halo: copy")
      one_less();
  }
  void one_less() {
    if(left.fetch_sub(1) == 1)
      may_be_written = true;
  }
  std::atomic<unsigned> left;
};

} // namespace

TEST_CASE("ghosts of a color are filled by what has come, whatever else is to come") {
  // Rank 1 has ghosts from rank 0, which is late, and others: from rank 2, or from color to color.
  const bool are_copied = GENERATE(false, true);
  CAPTURE(are_copied);
  may_be_written = false;
  was_in_vain = false;
  late_colors = are_copied ? 2 : 1;
  telling told(are_copied ? 2 + 2 : 1); // of two launches
  std::array<std::atomic<bool>, 3> is_right{};
  on_ranks(make_local_transports(are_copied ? 2 : 3), 1, [&](scheduler& s) {
    if(s.rank() == 1)
      s.home().attach(told);
    {
      grid m{s, {.extents = {12, 12}, .colors = {1, are_copied ? 4 : 3}, .diagonals = are_copied}};
      numbers u{m, "u"}, to{m, "to"};
      if(are_copied)
        s.execute<spread>(m, u); // else neighbours on the same rank are read in place
      s.execute<write_when_told>(m, u);
      s.execute<smooth>(m, to, u);
      const double all = s.reduce<sum, fold::sum>(m, to).get();
      s.wait();
      is_right[s.rank()] = std::abs(all - 55550) < 1e-9;
    }
    if(s.rank() == 1)
      s.home().detach(told);
  });
  CHECK(!was_in_vain);
  for(unsigned r = 0; r != (are_copied ? 2 : 3); ++r)
    CHECK(is_right[r]);
}
