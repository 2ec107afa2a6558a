// Plans of all ranks, made and carried out in one process.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/structured_points.hpp>

using namespace rondo;

namespace {

constexpr std::int64_t nothing = -1;

/// A point's number in the whole mesh, also if it is beyond its ends, or seen there because they are neighbours.
template<std::size_t D>
std::int64_t number_of(const structured_shape<D>& s, point<D> p) {
  std::int64_t number = 0;
  for(std::size_t a = D; a-- != 0;)
    if(s.periodic[a])
      number = number * s.extents[a] + (p[a] % s.extents[a] + s.extents[a]) % s.extents[a];
    else
      number = number * (s.extents[a] + 2 * s.beyond) + p[a] + s.beyond;
  return number;
}

template<std::size_t D, class F>
void for_each_point(const box<D>& b, F&& f) {
  b.for_each_row([&](point<D> p, std::int64_t length) {
    for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0])
      f(p);
  });
}

template<std::size_t D>
box<D> box_of(const detail::selection& s) {
  const box<3> all = s.bounds();
  box<D> b;
  for(std::size_t a = 0; a != D; ++a) {
    b.lo[a] = all.lo[a];
    b.hi[a] = all.hi[a];
  }
  return b;
}

/// What a color holds: what it owns, and ghosts around it.
template<std::size_t D>
struct piece {
  box<D> all;
  std::vector<std::int64_t> values;
  std::vector<int> written;

  std::size_t at(const point<D>& p) const {
    if(!all.contains(p))
      throw std::out_of_range("a point far from the color");
    std::int64_t i = 0;
    for(std::size_t a = D; a-- != 0;)
      i = i * all.length(a) + p[a] - all.lo[a];
    return static_cast<std::size_t>(i);
  }
};

/// A mesh, the next finer one, and by how much that was coarsened: the same, if it was not.
template<std::size_t D>
struct two_levels {
  structured_coloring<D> finer;
  structured_coloring<D> mesh;
  point<D> by;
  bool is_staggered = false;

  explicit two_levels(const structured_coloring<D>& one) : finer(one), mesh(one) { by.fill(1); }
  /// What is between the cells along some axes, of both.
  [[nodiscard]] two_levels staggered(std::uint64_t seed) const {
    two_levels all = *this;
    std::array<bool, D> along{};
    for(std::size_t a = 0; a != D; ++a)
      along[a] = meshes::draw(seed, 60 + a, 0, 1) != 0;
    all.finer = finer.staggered(along);
    all.mesh = mesh.staggered(along);
    all.is_staggered = true;
    return all;
  }
  /// Coarsened at random, once or more often.
  static two_levels random(std::uint64_t seed) {
    two_levels all(structured_coloring<D>(meshes::random_shape<D>(seed)));
    for(std::uint64_t level = 0, n = 1 + meshes::mix(seed, 70) % 5; level != n; ++level) {
      point<D> by;
      bool is_coarser = false;
      for(std::size_t a = 0; a != D; ++a) {
        const std::int64_t points = all.mesh.shape().extents[a];
        by[a] = meshes::draw(seed, 71 + 10 * level + a, 1, 3);
        while(all.mesh.shape().periodic[a] && points % by[a] != 0)
          --by[a];
        is_coarser = is_coarser || (by[a] != 1 && points != 1);
      }
      if(is_coarser)
        all = {all.mesh, by};
    }
    return all;
  }

private:
  two_levels(const structured_coloring<D>& fine, const point<D>& factors)
      : finer(fine), mesh(fine.coarsened(factors)), by(factors) {}
};

/// All ranks' plans, and all colors' points.
template<std::size_t D>
struct world {
  structured_coloring<D> finer;
  structured_coloring<D> mesh;
  std::vector<exchange_plan> plans;
  std::vector<piece<D>> pieces;

  world(const structured_shape<D>& shape, unsigned ranks)
      : world(two_levels<D>(structured_coloring<D>(shape)), ranks) {}
  world(const two_levels<D>& levels, unsigned ranks) : finer(levels.finer), mesh(levels.mesh) {
    const structured_shape<D>& shape = mesh.shape();
    const distribution who = mesh.over(ranks);
    const detail::structured_points<D> points(mesh);
    for(unsigned r = 0; r != ranks; ++r)
      plans.push_back(plan_exchange(detail::partition(who, r), points));
    for(color_id c = 0; c != mesh.colors(); ++c) {
      // Wider than needed: to see what is written where nothing should be.
      piece<D> p{mesh.with_beyond(c).grown(shape.halo + 1), {}, {}};
      p.values.assign(static_cast<std::size_t>(p.all.size()), nothing);
      p.written.assign(p.values.size(), 0);
      for_each_point(
        mesh.with_beyond(c), [&](const point<D>& q) { p.values[p.at(q)] = number_of(shape, q); });
      pieces.push_back(std::move(p));
    }
  }

  void write(color_id c, const point<D>& p, std::int64_t value) {
    piece<D>& into = pieces[c];
    into.values[into.at(p)] = value;
    ++into.written[into.at(p)];
  }

  std::vector<std::int64_t> pack(color_id c, const box<D>& b) const {
    REQUIRE(mesh.with_beyond(c).contains(b));
    std::vector<std::int64_t> values;
    for_each_point(
      b, [&](const point<D>& p) { values.push_back(pieces[c].values[pieces[c].at(p)]); });
    return values;
  }

  void unpack(color_id c, const box<D>& b, const std::int64_t* values) {
    REQUIRE(intersection(mesh.with_beyond(c), b).empty());
    for_each_point(b, [&](const point<D>& p) { write(c, p, *values++); });
  }

  void exchange() {
    std::map<std::pair<unsigned, unsigned>, std::vector<std::int64_t>> messages;
    for(const auto& plan : plans) {
      for(const auto& m : plan.outgoing) {
        auto& buffer = messages[{plan.rank, m.peer}];
        REQUIRE(buffer.empty());
        for(const auto& p : m.parts) {
          REQUIRE(p.color < plan.colors.size());
          REQUIRE(p.offset == static_cast<std::int64_t>(buffer.size()));
          const auto values = pack(plan.number_of(p.color), box_of<D>(p.elements));
          buffer.insert(buffer.end(), values.begin(), values.end());
        }
        REQUIRE(m.size == static_cast<std::int64_t>(buffer.size()));
        REQUIRE(m.size != 0);
      }
      for(const auto& c : plan.copies) {
        REQUIRE(c.source < plan.colors.size());
        REQUIRE(c.destination < plan.colors.size());
        REQUIRE(c.from.size() == c.to.size());
        const auto values = pack(plan.number_of(c.source), box_of<D>(c.from));
        unpack(plan.number_of(c.destination), box_of<D>(c.to), values.data());
      }
    }
    for(const auto& plan : plans)
      for(const auto& m : plan.incoming) {
        const auto found = messages.find({m.peer, plan.rank});
        REQUIRE(found != messages.end());
        REQUIRE(static_cast<std::int64_t>(found->second.size()) == m.size);
        for(const auto& p : m.parts) {
          REQUIRE(p.color < plan.colors.size());
          unpack(plan.number_of(p.color), box_of<D>(p.elements), found->second.data() + p.offset);
        }
        messages.erase(found);
      }
    REQUIRE(messages.empty());
  }

  /// Whether a color has a ghost there, told from the shape alone.
  bool sees(color_id c, const point<D>& p) const {
    const structured_shape<D>& s = mesh.shape();
    const box<D> owned = mesh.owned(c), all = mesh.with_beyond(c);
    if(finer.owned(c).empty())
      return false;
    std::size_t outside = 0;
    for(std::size_t a = 0; a != D; ++a) {
      if(!s.periodic[a] && (p[a] < -s.beyond || p[a] >= s.extents[a] + s.beyond))
        return false;
      if(p[a] >= all.lo[a] && p[a] < all.hi[a])
        continue;
      if(std::max(owned.lo[a] - p[a], p[a] - owned.hi[a] + 1) > s.halo)
        return false;
      ++outside;
    }
    return outside == 1 || (outside > 1 && s.diagonals);
  }
};

template<std::size_t D>
void check(std::uint64_t seed, const two_levels<D>& levels) {
  CAPTURE(D, seed);
  const structured_coloring<D>& mesh = levels.mesh;
  const structured_shape<D>& shape = mesh.shape();
  const unsigned ranks = meshes::random_ranks(seed, mesh.colors());
  world<D> w(levels, ranks);
  w.exchange();

  std::size_t wrong = 0;
  for(color_id c = 0; c != mesh.colors(); ++c) {
    const piece<D>& p = w.pieces[c];
    for_each_point(p.all, [&](const point<D>& q) {
      if(mesh.with_beyond(c).contains(q))
        return;
      const bool seen = w.sees(c, q);
      wrong += p.written[p.at(q)] != (seen ? 1 : 0);
      wrong += p.values[p.at(q)] != (seen ? number_of(shape, q) : nothing);
      wrong += seen && !mesh.with_ghosts(c).contains(q);
    });
  }
  REQUIRE(wrong == 0);

  for(const auto& plan : w.plans) {
    const auto in_order = [&](const auto& messages) {
      for(std::size_t i = 0; i != messages.size(); ++i) {
        REQUIRE(messages[i].peer != plan.rank);
        REQUIRE((i == 0 || messages[i - 1].peer < messages[i].peer));
      }
    };
    in_order(plan.outgoing);
    in_order(plan.incoming);
  }
}

} // namespace

TEST_CASE("every ghost is written once, with the point it stands for, and nothing else is") {
  const auto one = []<std::size_t D>(const structured_shape<D>& shape, std::uint64_t seed) {
    check<D>(seed, two_levels<D>(structured_coloring<D>(shape)));
  };
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(3000); ++seed) {
    one(meshes::random_shape<1>(seed), seed);
    one(meshes::random_shape<2>(seed), seed);
  }
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(1000); ++seed)
    one(meshes::random_shape<3>(seed), seed);
}

TEST_CASE("so it is on coarse meshes, whose colors may have no points, but see some") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(3000); ++seed) {
    check<1>(seed, two_levels<1>::random(seed));
    check<2>(seed, two_levels<2>::random(seed));
  }
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(1000); ++seed)
    check<3>(seed, two_levels<3>::random(seed));
}

TEST_CASE("so it is on staggered meshes, coarse or not") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(3000); ++seed) {
    const auto one = [seed]<std::size_t D>(
                       const two_levels<D>& levels) { check<D>(seed, levels.staggered(seed)); };
    one(two_levels<1>(structured_coloring<1>(meshes::random_shape<1>(seed))));
    one(two_levels<2>(structured_coloring<2>(meshes::random_shape<2>(seed))));
    one(two_levels<1>::random(seed));
    one(two_levels<2>::random(seed));
    if(seed < 1000)
      one(two_levels<3>::random(seed));
  }
}

namespace {

/// Or it isn't there at all.
template<std::size_t D>
bool is_seen(const structured_coloring<D>& m, color_id c, const point<D>& p) {
  bool is_there = true;
  for(std::size_t a = 0; a != D; ++a)
    is_there = is_there && (m.shape().periodic[a] || (p[a] >= 0 && p[a] < m.shape().extents[a]));
  return !is_there || m.with_ghosts(c).contains(p);
}

/// All that one color needs of two levels is its own or in its halo.
template<std::size_t D>
void check_transfers(std::uint64_t seed, const two_levels<D>& levels) {
  CAPTURE(D, seed);
  const structured_shape<D>& fine = levels.finer.shape();
  const structured_shape<D>& coarse = levels.mesh.shape();
  std::size_t wrong = 0;
  std::int64_t points = 0;
  for(color_id c = 0; c != levels.mesh.colors(); ++c) {
    REQUIRE(levels.mesh.place_of(c) == levels.finer.place_of(c));
    points += levels.mesh.owned(c).size();
    for_each_point(levels.mesh.owned(c), [&](const point<D>& p) {
      wrong += levels.mesh.owner_of(p) != c;
      point<D> q = p;
      for(std::size_t a = 0; a != D; ++a)
        q[a] *= levels.by[a];
      if(levels.is_staggered && fine.halo == 0)
        return;
      // The last face may belong to another color than on the finer level.
      wrong +=
        !(levels.is_staggered ? is_seen(levels.finer, c, q) : levels.finer.owned(c).contains(q));
      for(std::size_t a = 0; a != D; ++a) // the ends of what it stands for
        for(const std::int64_t away : {-(levels.by[a] - 1), levels.by[a] - 1}) {
          point<D> beside = q;
          beside[a] += away;
          wrong += levels.by[a] - 1 <= fine.halo && !is_seen(levels.finer, c, beside);
        }
    });
    if(coarse.halo != 0)
      for_each_point(levels.finer.owned(c), [&](const point<D>& p) {
        point<D> low{};
        point<D> high{};
        for(std::size_t a = 0; a != D; ++a) {
          low[a] = p[a] / levels.by[a];
          high[a] = low[a] + (p[a] % levels.by[a] != 0);
        }
        wrong += !is_seen(levels.mesh, c, low) || !is_seen(levels.mesh, c, high);
      });
  }
  REQUIRE(points == levels.mesh.mesh().size());
  REQUIRE(wrong == 0);
}

} // namespace

TEST_CASE("restriction and prolongation need what a color owns and its halo") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(1000); ++seed) {
    const auto one = [seed]<std::size_t D>(const two_levels<D>& levels) {
      check_transfers<D>(seed, levels);
      check_transfers<D>(seed, levels.staggered(seed));
    };
    one(two_levels<1>::random(seed));
    one(two_levels<2>::random(seed));
    one(two_levels<3>::random(seed));
  }
}

namespace {

/// So is what is around its cells and between them.
template<std::size_t D>
void check_around(std::uint64_t seed, const two_levels<D>& levels) {
  CAPTURE(D, seed);
  const structured_coloring<D>& cells = levels.mesh;
  const structured_coloring<D> between = levels.staggered(seed).mesh;
  std::size_t wrong = 0;
  std::int64_t points = 0;
  const auto shifted = [](point<D> p, std::size_t a, std::int64_t by) {
    p[a] += by;
    return p;
  };
  for(color_id c = 0; c != cells.colors(); ++c) {
    points += between.owned(c).size();
    for_each_point(between.owned(c), [&](const point<D>& p) {
      wrong += between.owner_of(p) != c;
      for(std::size_t a = 0; a != D && cells.shape().halo != 0; ++a)
        wrong += !is_seen(cells, c, p) || !is_seen(cells, c, shifted(p, a, -1));
    });
    for_each_point(cells.owned(c), [&](const point<D>& p) {
      wrong += !between.owned(c).contains(p);
      for(std::size_t a = 0; a != D && cells.shape().halo != 0; ++a)
        wrong += !is_seen(between, c, shifted(p, a, 1));
    });
  }
  REQUIRE(points == between.mesh().size());
  REQUIRE(wrong == 0);
}

} // namespace

TEST_CASE("cells and what is between them need what a color owns and its halo") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(1000); ++seed) {
    const auto all = [seed]<std::size_t D>(
                       const two_levels<D>& levels) { check_around<D>(seed, levels); };
    all(two_levels<1>(structured_coloring<1>(meshes::random_shape<1>(seed))));
    all(two_levels<2>(structured_coloring<2>(meshes::random_shape<2>(seed))));
    all(two_levels<3>(structured_coloring<3>(meshes::random_shape<3>(seed))));
    all(two_levels<1>::random(seed));
    all(two_levels<2>::random(seed));
    all(two_levels<3>::random(seed));
  }
}

TEST_CASE("what is between the cells of a coarse mesh is the coarse one of what is between cells") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(300); ++seed) {
    CAPTURE(seed);
    const two_levels<2> levels = two_levels<2>::random(seed);
    if(levels.by == point<2>{1, 1})
      continue;
    const auto mesh = levels.finer.staggered({true, seed % 2 == 0}).coarsened(levels.by);
    const auto same = levels.mesh.staggered({true, seed % 2 == 0});
    REQUIRE(mesh.mesh() == same.mesh());
    for(color_id c = 0; c != mesh.colors(); ++c) {
      REQUIRE(mesh.owned(c) == same.owned(c));
      REQUIRE(mesh.with_ghosts(c) == same.with_ghosts(c));
    }
    const auto again = same.staggered({});
    REQUIRE(again.mesh() == levels.mesh.mesh());
  }
}

TEST_CASE("neighbours are the same whether a mesh is staggered or not, unless it is coarse") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(300); ++seed) {
    CAPTURE(seed);
    const structured_coloring<3> cells(meshes::random_shape<3>(seed));
    const auto between = cells.staggered({true, seed % 2 != 0, seed % 3 != 0});
    for(color_id c = 0; c != cells.colors(); ++c) {
      const auto here = cells.neighbours(c), there = between.neighbours(c);
      REQUIRE(here.size() == there.size());
      for(std::size_t i = 0; i != here.size(); ++i) {
        REQUIRE(here[i].color == there[i].color);
        REQUIRE(here[i].ghosts.empty() == there[i].ghosts.empty());
      }
    }
  }
}

TEST_CASE(
  "what a rank has to do for a coarse mesh doesn't grow with the ranks that have no points") {
  structured_coloring<2> mesh({.extents = {4096, 4096}, .colors = {256, 256}, .halo = 1});
  const unsigned ranks = 256 * 256 / 4;
  while(mesh.shape().extents[0] != 1) {
    mesh = mesh.coarsened({2, 2});
    const std::int64_t n = mesh.shape().extents[0];
    CAPTURE(n);
    std::set<unsigned> who;
    for(std::int64_t j = 0; j < n; j += std::max<std::int64_t>(n / 8, 1))
      for(std::int64_t i = 0; i < n; i += std::max<std::int64_t>(n / 8, 1))
        who.insert(mesh.over(ranks).rank_of(mesh.owner_of({i, j})));
    who.insert(ranks - 1);
    for(const bool is_staggered : {false, true})
      for(const unsigned rank : who) {
        const auto plan =
          plan_exchange(is_staggered ? mesh.staggered({true, true}) : mesh, ranks, rank);
        CHECK(plan.outgoing.size() <= 8);
        CHECK(plan.incoming.size() <= 8);
        CHECK(plan.looked_at <= 8 * plan.colors.size());
      }
  }
}

TEST_CASE("meshes that can't be coarsened say why") {
  const auto why = [](const structured_shape<2>& s, const point<2>& by) -> std::string {
    try {
      static_cast<void>(structured_coloring<2>(s).coarsened(by));
    }
    catch(const std::invalid_argument& e) {
      return e.what();
    }
    return "none";
  };
  const structured_shape<2> odd{.extents = {9, 4}, .colors = {2, 2}};
  CHECK(why(odd, {2, 2}) == "none");
  CHECK(why(odd, {1, 3}) == "none");
  CHECK_THAT(why(odd, {2, 0}), Catch::Contains("coarsened by 0 along axis 1; take 2 or 3"));
  CHECK_THAT(why(odd, {1, 1}), Catch::Contains("from 9 x 4 = 36 points to as many"));
  CHECK_THAT(why({.extents = {9, 4}, .colors = {2, 2}, .periodic = {true, false}}, {2, 2}),
    Catch::Contains("coarsened by 2 along axis 0, which is periodic and has 9 points"));
  const structured_shape<2> one{.extents = {1, 1}, .colors = {1, 1}};
  CHECK_THAT(why(one, {2, 2}), Catch::Contains("end there"));
}

TEST_CASE("sender and receiver list the same parts at the same offsets") {
  const auto agree = []<std::size_t D>(const two_levels<D>& levels, std::uint64_t seed) {
    CAPTURE(D, seed);
    const structured_shape<D>& shape = levels.mesh.shape();
    const world<D> w(levels, meshes::random_ranks(seed, levels.mesh.colors()));
    for(const auto& plan : w.plans)
      for(const auto& out : plan.outgoing) {
        const auto& other = w.plans[out.peer].incoming;
        const auto in = std::find_if(
          other.begin(), other.end(), [&](const auto& m) { return m.peer == plan.rank; });
        REQUIRE(in != other.end());
        REQUIRE(out.size == in->size);
        REQUIRE(out.parts.size() == in->parts.size());
        for(std::size_t i = 0; i != out.parts.size(); ++i) {
          const auto &from = out.parts[i], &to = in->parts[i];
          REQUIRE(from.offset == to.offset);
          REQUIRE(plan.number_of(from.color) == to.peer_color);
          REQUIRE(from.peer_color == w.plans[out.peer].number_of(to.color));
          const box<D> sent = box_of<D>(from.elements), received = box_of<D>(to.elements);
          for(std::size_t a = 0; a != D; ++a)
            REQUIRE(sent.length(a) == received.length(a));
          REQUIRE(number_of(shape, sent.lo) == number_of(shape, received.lo));
        }
      }
  };
  const auto one = [&]<std::size_t D>(const structured_shape<D>& shape, std::uint64_t seed) {
    agree(two_levels<D>(structured_coloring<D>(shape)), seed);
    agree(two_levels<D>::random(seed), seed);
  };
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(1000); ++seed) {
    one(meshes::random_shape<1>(seed), seed);
    one(meshes::random_shape<2>(seed), seed);
    one(meshes::random_shape<3>(seed), seed);
  }
}

TEST_CASE("a plan can be read") {
  const structured_coloring<1> mesh({.extents = {8}, .colors = {4}, .halo = 1, .periodic = {true}});
  std::ostringstream text;
  text << plan_exchange(mesh, 2, 0);
  CHECK(text.str() == "rank 0 of 2: colors 0 to 1\n"
                      "  copy color 1 [2, 3) to color 0 [2, 3)\n"
                      "  copy color 0 [1, 2) to color 1 [1, 2)\n"
                      "  to rank 1: 2 elements\n"
                      "    at 0: color 1 [3, 4) for color 2\n"
                      "    at 1: color 0 [0, 1) for color 3\n"
                      "  from rank 1: 2 elements\n"
                      "    at 0: color 0 [-1, 0) from color 3\n"
                      "    at 1: color 1 [4, 5) from color 2\n");
  const auto plan = plan_exchange(mesh, 1, 0);
  REQUIRE(plan.copies_into(2).size() == 2);
  CHECK(plan.copies_into(2)[0].source == 1);
  CHECK(plan.copies_into(2)[1].source == 3);
  CHECK(plan.outgoing.empty());
  CHECK_THROWS_AS(plan_exchange(mesh, 4, 4), std::invalid_argument);
}
