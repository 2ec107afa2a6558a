// What is found out about runs that could have been is what has happened in them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis.hpp"
#include "report/simulated_run.hpp"

using namespace rondo::report;
using made::mode;
using made::run;
using made::simulation;

namespace {

using launches = std::set<std::uint32_t>;

/// Of each, all that have to end before it begins.
std::vector<launches> all_before(const std::vector<std::vector<made::use>>& in_order) {
  std::vector<launches> before(in_order.size());
  for(std::uint32_t n = 0; n != in_order.size(); ++n)
    for(std::uint32_t m = 0; m != n; ++m)
      if(made::must_wait(in_order[n], in_order[m])) {
        before[n].insert(m);
        before[n].insert(before[m].begin(), before[m].end());
      }
  return before;
}

/// The same of a graph with one flow; what stands between is not counted.
std::vector<launches> all_before(const graph& g) {
  std::vector<std::uint32_t> place(g.nodes.size(), none);
  std::vector<launches> of_node(g.nodes.size());
  std::vector<launches> before;
  for(std::uint32_t n = 0; n != g.nodes.size(); ++n) {
    for(const std::uint32_t m : g.before(n)) {
      REQUIRE(m < n);
      of_node[n].insert(of_node[m].begin(), of_node[m].end());
      if(place[m] != none)
        of_node[n].insert(place[m]);
    }
    if(g.nodes[n].shape != none) {
      place[n] = static_cast<std::uint32_t>(before.size());
      before.push_back(of_node[n]);
    }
  }
  return before;
}

/// Of each lane, the first events up to some time. Launches and messages are on the same one.
void lose_oldest(rondo::detail::timeline& t, std::mt19937& random) {
  for(auto& rank : t.ranks)
    for(auto& lane : rank.lanes) {
      if(random() % 4 == 0)
        continue;
      const auto until = static_cast<std::int64_t>(random() % 400'000);
      lane.dropped = std::erase_if(lane.launches, [&](const auto& x) { return x.at < until; });
      lane.dropped += std::erase_if(lane.messages, [&](const auto& x) { return x.at < until; });
      lane.dropped += std::erase_if(lane.tasks, [&](const auto& x) { return x.end < until; });
    }
}

} // namespace

TEST_CASE("the order in a graph is that of the protocol, whatever is launched") {
  std::mt19937 random(20261126);
  constexpr std::uint32_t body = 3;
  constexpr std::uint64_t passes = 3;
  for(int round = 0; round != 200; ++round) {
    run r;
    std::vector<std::vector<made::use>> in_order;
    std::uint64_t number = 0;
    for(int n = 0; n != 30; ++n) {
      std::vector<std::vector<made::use>> launched;
      if(random() % 6 != 0) {
        const bool has_task = random() % 5 != 0;
        in_order.push_back(made::any_uses(random));
        r.launch(n, number, "once", in_order.back(), {.has_task = has_task});
        number += has_task ? 1 + random() % 2 : 0;
        continue;
      }
      for(std::uint32_t step = 1; step <= body; ++step) {
        launched.push_back(made::any_uses(random));
        r.launch(n, number, "again", launched.back(),
          {.how = rondo::launch_info::how_type::repeated, .step = step, .passes = passes});
      }
      for(std::uint64_t pass = 0; pass != passes; ++pass) {
        in_order.insert(in_order.end(), launched.begin(), launched.end());
        for(std::uint32_t step = 1; step <= body; ++step)
          r.task(n, n, number, "again", {.step = step, .pass = pass});
      }
      ++number;
    }
    REQUIRE(all_before(graph_of(r.made(), spans_of(r.made()))) == all_before(in_order));
  }
}

TEST_CASE("the delays of tasks are those that they had") {
  for(unsigned seed = 1; seed != 30; ++seed) {
    simulation s(seed, 1 + seed % 3, 1 + seed % 4, 60);
    const analysis a(s.made.made());
    for(const made::simulated_task& t : s.all) {
      std::uint32_t at = none;
      for(std::uint32_t i = 0; i != a.spans.all.size(); ++i)
        if(const span& x = a.spans.all[i];
           a.spans.lanes[x.lane].rank == t.rank && x.flow == 1 && x.number == t.number)
          at = i;
      CAPTURE(seed, t.rank, t.number);
      REQUIRE(at != none);
      REQUIRE(delay_of(at, a.spans, a.graph, a.ready) == run::ns(t.begin) - run::ns(t.ready));
    }
  }
}

TEST_CASE("of runs whose oldest events are lost, the delays that are known are right") {
  std::mt19937 random(20261127);
  unsigned known = 0;
  unsigned all = 0;
  for(unsigned seed = 1; seed != 60; ++seed) {
    simulation s(seed, 1 + seed % 3, 1 + seed % 4, 80);
    lose_oldest(s.made.made(), random);
    const analysis a(s.made.made());
    for(std::uint32_t i = 0; i != a.spans.all.size(); ++i) {
      const span& x = a.spans.all[i];
      const std::int64_t delay = delay_of(i, a.spans, a.graph, a.ready);
      const auto t = std::ranges::find_if(s.all, [&](const made::simulated_task& one) {
        return one.rank == a.spans.lanes[x.lane].rank && one.number == x.number;
      });
      if(x.flow != 1 || t == s.all.end())
        continue;
      ++all;
      if(delay < 0)
        continue;
      ++known;
      CAPTURE(seed, t->rank, t->number);
      REQUIRE(delay == run::ns(t->begin) - run::ns(t->ready));
    }
  }
  CHECK(known > all / 4);
}

TEST_CASE("a path takes all of the time, and has tasks where these have run") {
  for(unsigned seed = 1; seed != 60; ++seed) {
    simulation s(seed, 1 + seed % 4, 1 + seed % 3, 80);
    const analysis a(s.made.made());
    CAPTURE(seed);
    REQUIRE(!a.path.empty());
    CHECK(a.path.front().begin == 0);
    CHECK(a.path.back().end == a.spans.end);
    for(std::size_t i = 0; i != a.path.size(); ++i) {
      const path_part& p = a.path[i];
      if(i != 0)
        REQUIRE(p.begin == a.path[i - 1].end);
      if(p.kind == path_part::kind_type::task) {
        REQUIRE(p.begin == a.spans.all.at(p.span).begin);
        REQUIRE(p.end <= a.spans.all[p.span].end);
      }
    }
    double seconds = 0;
    double share = 0;
    for(const part_row& p : a.parts) {
      seconds += p.seconds;
      share += p.share;
    }
    CHECK(seconds == Approx(a.seconds()));
    CHECK(share == Approx(1));
  }
}

TEST_CASE("what runs at a time adds up to what tasks took") {
  for(unsigned seed = 1; seed != 10; ++seed) {
    simulation s(seed, 2, 3, 60);
    const analysis a(s.made.made());
    double all = 0;
    for(const made::simulated_task& t : s.all)
      all += static_cast<double>(run::ns(t.end) - run::ns(t.begin));
    for(const std::size_t steps : {1, 7, 1000}) {
      const std::vector<double> busy = parallelism_of(a.spans, steps);
      REQUIRE(busy.size() == steps);
      const double step = static_cast<double>(a.spans.end) / static_cast<double>(steps);
      CHECK(step * std::accumulate(busy.begin(), busy.end(), 0.0) == Approx(all));
      CHECK(*std::ranges::max_element(busy) < 6 + 1e-9);
    }
  }
}

TEST_CASE("efficiencies are parts of 1, and their product is that of all") {
  for(unsigned seed = 1; seed != 40; ++seed) {
    simulation s(seed, 1 + seed % 5, 1 + seed % 3, 60);
    const efficiencies e = analysis(s.made.made()).efficiencies;
    CAPTURE(seed);
    for(const double x : {e.parallel, e.balance, e.serialization, e.transfer}) {
      CHECK(x > 0);
      CHECK(x <= 1 + 1e-9);
    }
    CHECK(e.parallel == Approx(e.balance * e.serialization * e.transfer));
  }
}

TEST_CASE("a run without messages loses nothing to them") {
  for(unsigned seed = 1; seed != 40; ++seed) {
    simulation s(seed, 1, 1 + seed % 3, 60);
    CAPTURE(seed);
    CHECK(analysis(s.made.made()).efficiencies.transfer == Approx(1));
  }
}
