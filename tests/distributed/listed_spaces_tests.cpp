// Plans over index spaces of lists: random graphs cut at random, all ranks in one process.

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graphs.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/contribution_plan.hpp>
#include <rondo/distributed/folding.hpp>
#include <rondo/distributed/launch_order.hpp>

using namespace rondo;
using namespace rondo::detail;
using graphs::at;
using graphs::cells;
using graphs::web;

namespace {

using number = std::uint64_t;
constexpr std::size_t size = sizeof(number);
constexpr number untouched = 1;

/// The values of a color as a field would have them.
struct values {
  std::vector<number> all;
  color_block block;
  explicit values(const block_layout& l) : all(static_cast<std::size_t>(l.elements), untouched) {
    block.origin = reinterpret_cast<std::byte*>(all.data() + l.origin);
    block.stride[0] = l.stride[0];
    block.stride[1] = l.stride[1];
  }
};

/// Of each cell: what its owner has.
number value_of(std::int64_t cell) { return 1000 + static_cast<number>(cell); }

struct world {
  std::vector<local_elements> parts;       ///< For each rank ...
  std::vector<std::vector<values>> fields; ///< ... and each of its colors.

  world(const cells& space, unsigned ranks) {
    for(unsigned r = 0; r != ranks; ++r) {
      parts.push_back(elements_of(partition({space.colors(), ranks}, r), space));
      auto& here = fields.emplace_back();
      for(const block_layout& l : parts.back().layouts)
        here.emplace_back(l);
    }
  }
  [[nodiscard]] unsigned ranks() const { return static_cast<unsigned>(parts.size()); }
  [[nodiscard]] const exchange_plan& plan(unsigned rank) const { return parts[rank].plan; }

  /// What a rank sends to another one, or gets from it; null: nothing.
  static const exchange_plan::message* message_with(
    const std::vector<exchange_plan::message>& all, unsigned peer) {
    const auto found = std::find_if(
      all.begin(), all.end(), [peer](const exchange_plan::message& m) { return m.peer == peer; });
    return found == all.end() ? nullptr : &*found;
  }
};

/// Both ends have the same message: as many elements, for the same colors, at the same offsets.
void check_ends(const world& w) {
  for(unsigned r = 0; r != w.ranks(); ++r) {
    std::vector<unsigned> peers;
    for(const auto& out : w.plan(r).outgoing) {
      peers.push_back(out.peer);
      const auto* const in = world::message_with(w.plan(out.peer).incoming, r);
      REQUIRE(in != nullptr);
      REQUIRE(out.size == in->size);
      REQUIRE(out.size != 0);
      REQUIRE(out.parts.size() == in->parts.size());
      for(std::size_t k = 0; k != out.parts.size(); ++k) {
        CHECK(out.parts[k].offset == in->parts[k].offset);
        CHECK(out.parts[k].elements.size() == in->parts[k].elements.size());
        CHECK(out.parts[k].peer_color == w.plan(out.peer).number_of(in->parts[k].color));
        CHECK(in->parts[k].peer_color == w.plan(r).number_of(out.parts[k].color));
      }
    }
    CHECK(std::is_sorted(peers.begin(), peers.end()));
    for(const auto& in : w.plan(r).incoming)
      CHECK(world::message_with(w.plan(in.peer).outgoing, r) != nullptr);
  }
}

void exchange(world& w, std::map<std::pair<unsigned, std::size_t>, std::vector<int>>& arrived) {
  const auto count = [&](unsigned r, std::size_t color, const selection& what) {
    auto& counts = arrived[{r, color}];
    counts.resize(w.fields[r][color].all.size());
    for(const box<3>& b : what.boxes())
      for(std::int64_t e = b.lo[0]; e != b.hi[0]; ++e)
        ++counts.at(at(e));
  };
  for(unsigned r = 0; r != w.ranks(); ++r) {
    for(const auto& c : w.plan(r).copies) {
      copy(w.fields[r][c.source].block, c.from, w.fields[r][c.destination].block, c.to, size);
      count(r, c.destination, c.to);
    }
    for(const auto& in : w.plan(r).incoming) {
      std::vector<std::byte> message(at(in.size) * size);
      for(const auto& p : world::message_with(w.plan(in.peer).outgoing, r)->parts)
        pack(
          w.fields[in.peer][p.color].block, p.elements, size, message.data() + at(p.offset) * size);
      for(const auto& p : in.parts) {
        unpack(message.data() + at(p.offset) * size, w.fields[r][p.color].block, p.elements, size);
        count(r, p.color, p.elements);
      }
    }
  }
}

/// The order in which parts are folded is to be seen.
struct in_turn {
  number identity(const number& /*any*/) const { return 0; }
  void operator()(number& into, const number& part) const { into = meshes::mix(into, part); }
};

/// What a color adds to a cell of another one.
number part_of(color_id color, std::int64_t cell) {
  return meshes::mix(color, static_cast<number>(cell));
}

void contribute(world& w, const folding& how) {
  for(unsigned r = 0; r != w.ranks(); ++r) {
    const auto order = order_contributions(w.plan(r));
    for(std::size_t color = 0; color != order.size(); ++color)
      for(const contribution& c : order[color]) {
        const color_block& to = w.fields[r][color].block;
        if(!c.is_from_message) {
          detail::fold(w.fields[r][c.source].block, *c.from, to, *c.into, size, how);
          continue;
        }
        const exchange_plan::message& m = w.plan(r).outgoing[c.source];
        std::vector<std::byte> message(at(m.size) * size);
        for(const auto& p : world::message_with(w.plan(m.peer).incoming, r)->parts)
          pack(w.fields[m.peer][p.color].block, p.elements, size,
            message.data() + at(p.offset) * size);
        detail::fold(message.data() + at(c.offset) * size, to, *c.into, size, how);
      }
  }
}

template<class F>
void for_random_graphs(F&& f) {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(150); ++seed) {
    const auto g = web::random(seed);
    for(unsigned ranks = 1; ranks != 6; ++ranks) {
      CAPTURE(seed, ranks);
      f(*g, cells(g), ranks);
    }
  }
}

} // namespace

TEST_CASE("each ghost of a graph arrives once, with what its owner has") {
  std::size_t ghosts = 0, messages = 0;
  for_random_graphs([&](const web& g, const cells& space, unsigned ranks) {
    world w(space, ranks);
    check_ends(w);
    for(unsigned r = 0; r != ranks; ++r)
      for(std::size_t c = 0; c != w.fields[r].size(); ++c) {
        const graphs::list& own = g.cells[w.plan(r).number_of(c)];
        for(std::size_t k = 0; k != own.size(); ++k)
          w.fields[r][c].all[k] = value_of(own[k]);
      }
    std::map<std::pair<unsigned, std::size_t>, std::vector<int>> arrived;
    exchange(w, arrived);
    for(unsigned r = 0; r != ranks; ++r) {
      messages += w.plan(r).incoming.size();
      for(std::size_t c = 0; c != w.fields[r].size(); ++c) {
        const cells::part part = space.part_of(w.plan(r).number_of(c));
        const cells::view v(part);
        std::vector<int>& counts = arrived[{r, c}];
        counts.resize(w.fields[r][c].all.size());
        for(const std::int64_t e : v.owned())
          REQUIRE(counts[at(e)] == 0);
        for(const std::int64_t e : v.ghosts()) {
          ++ghosts;
          REQUIRE(counts[at(e)] == 1);
          REQUIRE(w.fields[r][c].all[at(e)] == value_of(v.cell(e)));
        }
      }
    }
  });
  CHECK(ghosts > 4 * meshes::seeds_of(150)); // there was something to be seen
  CHECK(messages > meshes::seeds_of(150));
}

TEST_CASE("contributions to a graph are folded in the order of colors, on any number of ranks") {
  for_random_graphs([](const web& g, const cells& space, unsigned ranks) {
    world w(space, ranks);
    for(unsigned r = 0; r != ranks; ++r)
      for(std::size_t c = 0; c != w.fields[r].size(); ++c) {
        const cells::part part = space.part_of(w.plan(r).number_of(c));
        const cells::view v(part);
        for(const std::int64_t e : v.owned())
          w.fields[r][c].all[at(e)] = value_of(v.cell(e));
        for(const std::int64_t e : v.ghosts())
          w.fields[r][c].all[at(e)] = part_of(v.color(), v.cell(e));
      }
    contribute(w, folding_with<number, in_turn{}>);
    for(unsigned r = 0; r != ranks; ++r)
      for(std::size_t c = 0; c != w.fields[r].size(); ++c) {
        const color_id color = w.plan(r).number_of(c);
        for(std::size_t k = 0; k != g.cells[color].size(); ++k) {
          const std::int64_t cell = g.cells[color][k];
          std::set<color_id> others;
          for(const std::int64_t other : g.links[at(cell)])
            others.insert(g.color[at(other)]);
          others.erase(color);
          number wanted = value_of(cell);
          for(const color_id other : others)
            in_turn()(wanted, part_of(other, cell));
          REQUIRE(w.fields[r][c].all[k] == wanted);
        }
      }
  });
}

TEST_CASE("plans over lists are printed, and have an order of launches") {
  const auto g = web::random(13);
  const cells space(g);
  std::ostringstream all;
  for(unsigned r = 0; r != 2; ++r) {
    const local_elements here = elements_of(partition({space.colors(), 2}, r), space);
    all << here.plan;
    CHECK(order_colors(here.plan).colors.size() == here.plan.colors.size());
    CHECK(order_waves(here.plan, here.owned, {.bytes = 16}).stages == 1);
    CHECK_FALSE(here.together.has_value());
  }
  CHECK(all.str().find("rank 1 of 2: colors ") != std::string::npos);
  CHECK(all.str().find("  to rank 1: ") != std::string::npos);
  CHECK(all.str().find(") + [") != std::string::npos);
}

// ---- spaces that contradict themselves --------------------------------------------------------

namespace {

/// Four colors around a ring, each of which owns 3 elements, and sees the first one of the next color. With one mistake.
class ring final : public topo::index_space {
public:
  enum mistake {
    none,
    shifted_layout,
    owned_later,
    too_few_elements,
    unknown_neighbour,
    own_as_ghost,
    ghost_too_far,
    ghost_in_rows,
    fewer_sources,
    foreign_source,
    foreign_rim,
    hidden_ghosts,
    ghost_twice,
    same_numbers,
    one_sided,
    another_source,
    another_rim,
  };
  explicit ring(mistake m) : made_(m) {}

  [[nodiscard]] topo::block_layout layout(color_id /*any*/) const override {
    topo::block_layout l = topo::block_layout::in_a_row(made_ == too_few_elements ? 2 : 4);
    l.origin = made_ == shifted_layout ? 1 : 0;
    return l;
  }
  [[nodiscard]] topo::selection owned(color_id /*any*/) const override {
    return made_ == owned_later ? range(1, 4) : range(0, 3);
  }
  [[nodiscard]] std::vector<topo::neighbour> neighbours(color_id c) const override {
    topo::neighbour before{(c + 3) % 4, 0, 1, {}, {}, range(0, 1)};
    topo::neighbour after{(c + 1) % 4, 1, 0, range(3, 4), range(0, 1), {}};
    std::vector<topo::neighbour> more;
    switch(c == 2 ? made_ : none) {
    case unknown_neighbour:
      after.color = 4;
      break;
    case own_as_ghost:
      after.ghosts = range(2, 3);
      break;
    case ghost_too_far:
      after.ghosts = range(4, 5);
      break;
    case ghost_in_rows:
      after.ghosts = topo::selection::of(box<2>{{3, 1}, {4, 2}});
      break;
    case fewer_sources:
      after.source = {};
      break;
    case foreign_source:
      after.source = range(3, 4);
      break;
    case foreign_rim:
      before.rim = topo::selection::of_list({0, 3});
      break;
    case ghost_twice:
      before.ghosts = range(3, 4);
      before.source = range(0, 1);
      break;
    case same_numbers:
      after.number = 0;
      break;
    case one_sided:
      more.push_back({0, 2, 2, {}, {}, {}});
      break;
    case another_source:
      after.source = range(1, 2);
      break;
    case another_rim:
      before.rim = range(0, 2);
      break;
    default:
      break;
    }
    more.push_back(before);
    more.push_back(after);
    return more;
  }
  [[nodiscard]] bool has_ghosts() const override { return made_ != hidden_ghosts; }

private:
  static topo::selection range(std::int64_t first, std::int64_t last) {
    return topo::selection::of_range(first, last);
  }
  mistake made_;
};

std::string told(ring::mistake m) {
  try {
    topo::check(ring(m), 4);
  }
  catch(const std::invalid_argument& e) {
    std::string what = e.what();
    const std::string begin = "rondo::topo::made_of: index space: color ";
    const std::string end = " (docs/topologies.md)";
    CHECK(what.starts_with(begin));
    CHECK(what.ends_with(end));
    return what.substr(begin.size(), what.size() - begin.size() - end.size());
  }
  return {};
}

} // namespace

TEST_CASE("an index space that contradicts itself is told where and how") {
  CHECK(told(ring::none).empty());
  CHECK(told(ring::shifted_layout) ==
        "0: its elements have to be numbered from 0, in a row; layout() returns "
        "topo::block_layout::in_a_row(owned and ghosts)");
  CHECK(told(ring::owned_later) ==
        "0: its own elements have to be the first ones, and are [1, 4) of 4; owned() returns "
        "topo::selection::of_range(0, how many)");
  CHECK(told(ring::too_few_elements) ==
        "0: its own elements have to be the first ones, and are [0, 3) of 2; owned() returns "
        "topo::selection::of_range(0, how many)");
  CHECK(told(ring::unknown_neighbour) == "2: its neighbour is color 4, and there are 4");
  const std::string behind = "; ghosts are numbered behind what it owns: [3, 4)";
  CHECK(told(ring::own_as_ghost) == "2: its ghosts of color 3 are [2, 3)" + behind);
  CHECK(told(ring::ghost_too_far) == "2: its ghosts of color 3 are [4, 5)" + behind);
  CHECK(told(ring::ghost_in_rows) == "2: its ghosts of color 3 are [3, 4) x [1, 2)" + behind);
  CHECK(told(ring::fewer_sources) == "2: it has 1 ghosts of color 3, and 0 elements there as their "
                                     "source; these are the same, in the same order");
  CHECK(told(ring::foreign_source) ==
        "2: its ghosts come from [3, 4) of color 3, which doesn't own all of these");
  CHECK(told(ring::foreign_rim) == "2: its rim for color 1 is [0, 1) + [3, 4); it owns [0, 3)");
  CHECK(
    told(ring::hidden_ghosts) == "0: it has ghosts, but has_ghosts() says that no color has any");
  CHECK(told(ring::ghost_twice) ==
        "2: element 3 is a ghost twice; each ghost is of one neighbour, and listed there once");
  CHECK(told(ring::same_numbers) ==
        "2: two of its neighbours have the same number, by which messages are ordered");
  CHECK(told(ring::one_sided) ==
        "2: it has color 0 as its neighbour, which doesn't have it as the neighbour with number 2; "
        "neighbours are mutual");
  CHECK(told(ring::another_source) ==
        "2: it sees [1, 2) of color 3, which shows [0, 1); `rim` there is `source` here, in the "
        "same order");
  CHECK(told(ring::another_rim) ==
        "1: it sees [0, 1) of color 2, which shows [0, 2); `rim` there is `source` here, in the "
        "same order");
}

TEST_CASE("random graphs don't contradict themselves") {
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(150); ++seed) {
    CAPTURE(seed);
    const cells space(web::random(seed));
    CHECK_NOTHROW(topo::check(space, space.colors()));
  }
}
