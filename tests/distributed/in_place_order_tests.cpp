// Neighbours that are read in place: launches come in the right order, whether they name these or others wait for them.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <rondo/distributed/coherence.hpp>
#include <tracing/random_programs.hpp>

using namespace rondo::detail;
using random_programs::dice;

namespace {

/// The launches that a launch comes after, directly or not.
using earlier = std::vector<bool>;

/// As flows order launches: docs/protocols/flow.md.
class launch_graph {
public:
  explicit launch_graph(std::size_t regions) : regions_(regions) {}

  struct use {
    std::size_t of;
    enum { reads, writes, writes_part } how;
  };
  std::size_t submit(const std::vector<use>& uses) {
    const std::size_t id = all_.size();
    earlier before(id, false);
    for(const use& u : uses) {
      region& r = regions_[u.of];
      const bool joins =
        u.how == use::reads ? r.is_read : u.how == use::writes_part && r.is_in_parts;
      if(!joins) {
        r.before = std::exchange(r.now, {});
        r.is_read = u.how == use::reads;
        r.is_in_parts = u.how == use::writes_part;
      }
      for(const std::size_t b : r.before)
        come_after(before, b);
      r.now.push_back(id);
    }
    all_.push_back(std::move(before));
    return id;
  }
  [[nodiscard]] bool comes_after(std::size_t launch, std::size_t other) const {
    return other < launch && all_[launch][other];
  }

private:
  /// Those that use it now don't wait for each other, and wait for those of before.
  struct region {
    std::vector<std::size_t> before;
    std::vector<std::size_t> now;
    bool is_read = false;
    bool is_in_parts = false;
  };
  void come_after(earlier& before, std::size_t other) const {
    before[other] = true;
    for(std::size_t i = 0; i != all_[other].size(); ++i)
      before[i] = before[i] || all_[other][i];
  }

  std::vector<region> regions_;
  std::vector<earlier> all_;
};

/// A launch over all colors.
struct color_launch {
  bool writes_owned;
  bool reads_ghosts;
  bool is_near;  ///< It sees the next color only.
  bool may_name; ///< It is no launch of a single task.
};

/// Colors of a rank in a row, as far as launches over them go that read in place.
class row_of_colors {
public:
  void launch(const color_launch& l) {
    const coherence_use use{.writes_owned = l.writes_owned, .reads_ghosts = l.reads_ghosts};
    const coherence_step step =
      before_launch(state_, use, l.is_near ? short{1} : rondo::whole_halo);
    const bool names = l.may_name && may_name_neighbours(use);
    const in_place_step in_place = before_launch(in_place_, use, step.fetches, !l.is_near, names);
    state_ = after_launch(step.then, use);
    in_place_ = in_place.then;
    if(in_place.clears)
      launch_clearing();
    if(in_place.waits)
      launch_waits(l.is_near && step.fetches);
    const std::size_t before = launched_.size();
    for(std::size_t c = 0; c != colors; ++c)
      launch_task(c, l, names);
    for(std::size_t i = before; i != launched_.size(); ++i)
      check(launched_[i], before);
  }
  void enter_loop() {
    state_ = after_launch(state_, {.writes_owned = true});
    in_place_ = {.readers = in_place_readers::anybody, .owes_waits = true};
  }

private:
  static constexpr std::size_t colors = 7;
  static constexpr std::size_t farthest = 3; ///< More than two near ones reach.
  static std::size_t owned(std::size_t c) { return 2 * c; }
  static std::size_t ghosts(std::size_t c) { return 2 * c + 1; }
  using graph_use = launch_graph::use;

  template<class F>
  static void for_each_neighbour(std::size_t c, std::size_t reach, F f) {
    for(std::size_t n = 0; n != colors; ++n)
      if(n != c && n <= c + reach && c <= n + reach)
        f(n);
  }
  void launch_clearing() {
    for(std::size_t c = 0; c != colors; ++c) {
      std::vector<graph_use> uses{{owned(c), graph_use::writes}};
      for_each_neighbour(c, farthest, [&](std::size_t n) {
        uses.push_back({ghosts(n), graph_use::writes});
      });
      graph_.submit(uses);
    }
  }
  void launch_waits(bool near_only) {
    for(std::size_t c = 0; c != colors; ++c) {
      std::vector<graph_use> uses{{ghosts(c), graph_use::writes_part}};
      for_each_neighbour(c, near_only ? 1 : farthest, [&](std::size_t n) {
        uses.push_back({owned(n), graph_use::reads});
      });
      graph_.submit(uses);
    }
  }
  void launch_task(std::size_t c, const color_launch& l, bool names) {
    task t{.color = c, .writes = l.writes_owned, .reach = reach_of(l)};
    // Tasks that read their own color as well, or don't.
    std::vector<graph_use> uses{{owned(c), l.writes_owned ? graph_use::writes : graph_use::reads}};
    if(l.reads_ghosts)
      uses.push_back({ghosts(c), graph_use::reads});
    if(names)
      for_each_neighbour(c, t.reach, [&](std::size_t n) {
        uses.push_back({owned(n), graph_use::reads});
      });
    t.id = graph_.submit(uses);
    launched_.push_back(t);
  }

  struct task {
    std::size_t id = 0;
    std::size_t color;
    bool writes;
    std::size_t reach; ///< So many colors at each side it reads. 0: none.

    [[nodiscard]] bool reads(std::size_t c) const {
      return c != color && c <= color + reach && color <= c + reach;
    }
  };
  static std::size_t reach_of(const color_launch& l) {
    return !l.reads_ghosts ? 0 : l.is_near ? 1 : farthest;
  }
  /// With the tasks of launches before its own.
  void check(const task& t, std::size_t before) const {
    for(std::size_t i = 0; i != before; ++i) {
      const task& other = launched_[i];
      const bool is_after =
        (t.writes && other.reads(t.color)) || (other.writes && t.reads(other.color));
      CAPTURE(t.id, t.color, other.id, other.color);
      if(is_after)
        REQUIRE(graph_.comes_after(t.id, other.id));
    }
  }

  coherence state_;
  in_place_state in_place_;
  launch_graph graph_{2 * colors};
  std::vector<task> launched_;
};

} // namespace

TEST_CASE("what is read in place has been written before, and is written again afterwards") {
  for(std::uint64_t seed = 0; seed != 1000; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    row_of_colors row;
    for(unsigned i = 0, n = 2 + d.below(8); i != n; ++i) {
      if(d.one_in(8))
        row.enter_loop();
      row.launch({.writes_owned = d.one_in(2),
        .reads_ghosts = d.one_in(2),
        .is_near = d.one_in(3),
        .may_name = !d.one_in(4)});
    }
  }
}

TEST_CASE("launches that name their neighbours need no others") {
  const coherence_use writes{.writes_owned = true};
  const coherence_use reads{.reads_ghosts = true};
  coherence state;
  in_place_state in_place;
  for(int pass = 0; pass != 3; ++pass)
    for(const coherence_use& use : {writes, reads, reads}) {
      const coherence_step step = before_launch(state, use);
      const in_place_step now =
        before_launch(in_place, use, step.fetches, true, may_name_neighbours(use));
      CHECK_FALSE(now.clears);
      CHECK_FALSE(now.waits);
      state = after_launch(step.then, use);
      in_place = now.then;
    }
}
