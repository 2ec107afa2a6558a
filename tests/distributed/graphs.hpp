#pragma once

/// \file
/// Random graphs, cut into colors at random: index spaces of lists for tests.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <rondo/topologies.hpp>

#include "meshes.hpp"

namespace graphs {

using rondo::color_id;
using list = std::vector<std::int64_t>;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

struct web {
  std::vector<list> links; ///< Mutual, ascending.
  std::vector<color_id> color;
  list number;              ///< In its color.
  std::vector<list> cells;  ///< Of each color.
  bool is_shuffled = false; ///< Ghosts are numbered in no order.

  /// Some cells are linked with many others, some colors own nothing.
  static std::shared_ptr<const web> random(std::uint64_t seed) {
    auto g = std::make_shared<web>();
    const std::int64_t n = meshes::draw(seed, 0, 1, 80);
    const auto colors = static_cast<std::uint64_t>(meshes::draw(seed, 1, 1, 9));
    std::vector<std::set<std::int64_t>> links(at(n));
    for(std::uint64_t k = 0; k != static_cast<std::uint64_t>(n) * 2; ++k) {
      const std::int64_t a = meshes::draw(seed, 100 + 2 * k, 0, n - 1);
      const std::int64_t near = std::min(n - 1, a + meshes::draw(seed, 101 + 2 * k, 0, 5));
      const std::int64_t b = k % 4 == 0 ? meshes::draw(seed, 101 + 2 * k, 0, n - 1) : near;
      if(a == b)
        continue;
      links[at(a)].insert(b);
      links[at(b)].insert(a);
    }
    g->is_shuffled = seed % 3 == 0;
    g->cells.resize(colors);
    const std::int64_t together = meshes::draw(seed, 2, 1, 12); // so many in a row have one color
    for(std::int64_t c = 0; c != n; ++c) {
      g->links.emplace_back(links[at(c)].begin(), links[at(c)].end());
      g->color.push_back(
        meshes::mix(seed, 5000 + static_cast<std::uint64_t>(c / together)) % colors);
      g->number.push_back(static_cast<std::int64_t>(g->cells[g->color.back()].size()));
      g->cells[g->color.back()].push_back(c);
    }
    return g;
  }
};

class cells final : public rondo::topo::index_space {
public:
  struct part {
    color_id color;
    list own;    ///< Which cells of the graph.
    list ghosts; ///< The same, in the order of their numbers.
    std::vector<list> linked;
  };
  class view {
  public:
    using of_topology = rondo::topo::made_of<cells>;
    explicit view(const part& p) : part_(&p) {}
    [[nodiscard]] color_id color() const { return part_->color; }
    [[nodiscard]] rondo::index_range owned() const { return {0, std::ssize(part_->own)}; }
    [[nodiscard]] rondo::index_range ghosts() const {
      return {std::ssize(part_->own), std::ssize(part_->own) + std::ssize(part_->ghosts)};
    }
    [[nodiscard]] std::span<const std::int64_t> neighbours_of(std::int64_t c) const {
      return part_->linked[at(c)];
    }
    [[nodiscard]] std::int64_t cell(std::int64_t c) const {
      return c < std::ssize(part_->own) ? part_->own[at(c)]
                                        : part_->ghosts[at(c - std::ssize(part_->own))];
    }

  private:
    const part* part_;
  };

  explicit cells(std::shared_ptr<const web> g) : graph_(std::move(g)) {}
  [[nodiscard]] std::uint64_t colors() const { return graph_->cells.size(); }

  [[nodiscard]] part part_of(color_id color) const {
    part p{color, graph_->cells[color], {}, {}};
    std::set<std::pair<color_id, std::int64_t>> seen;
    for(const std::int64_t c : p.own)
      for(const std::int64_t other : graph_->links[at(c)])
        if(graph_->color[at(other)] != color)
          seen.emplace(graph_->color[at(other)], other);
    for(const auto& [owner, cell] : seen)
      p.ghosts.push_back(cell);
    if(graph_->is_shuffled)
      for(std::size_t k = p.ghosts.size(); k-- > 1;)
        std::swap(p.ghosts[k], p.ghosts[meshes::mix(color, k) % (k + 1)]);
    for(const std::int64_t c : p.own) {
      list& here = p.linked.emplace_back();
      for(const std::int64_t other : graph_->links[at(c)])
        here.push_back(graph_->color[at(other)] == color
                         ? graph_->number[at(other)]
                         : std::ssize(p.own) + (std::find(p.ghosts.begin(), p.ghosts.end(), other) -
                                                 p.ghosts.begin()));
    }
    return p;
  }

  [[nodiscard]] rondo::topo::block_layout layout(color_id color) const override {
    const part p = part_of(color);
    return rondo::topo::block_layout::in_a_row(std::ssize(p.own) + std::ssize(p.ghosts));
  }
  [[nodiscard]] rondo::topo::selection owned(color_id color) const override {
    return rondo::topo::selection::of_range(0, std::ssize(graph_->cells[color]));
  }
  [[nodiscard]] std::vector<rondo::topo::neighbour> neighbours(color_id color) const override {
    struct seen {
      std::map<std::int64_t, std::int64_t> ghosts; ///< By their number at their owner.
      std::set<std::int64_t> rim;
    };
    std::map<color_id, seen> of;
    const part p = part_of(color);
    for(std::size_t k = 0; k != p.ghosts.size(); ++k)
      of[graph_->color[at(p.ghosts[k])]].ghosts.emplace(
        graph_->number[at(p.ghosts[k])], std::ssize(p.own) + static_cast<std::int64_t>(k));
    for(const std::int64_t c : p.own)
      for(const std::int64_t other : graph_->links[at(c)])
        if(graph_->color[at(other)] != color)
          of[graph_->color[at(other)]].rim.insert(graph_->number[at(c)]);
    std::vector<rondo::topo::neighbour> all;
    for(const auto& [other, s] : of) {
      list ghosts, source;
      for(const auto& [there, here] : s.ghosts) {
        source.push_back(there);
        ghosts.push_back(here);
      }
      all.push_back({other, other, color, rondo::topo::selection::of_list(ghosts),
        rondo::topo::selection::of_list(source),
        rondo::topo::selection::of_list({s.rim.begin(), s.rim.end()})});
    }
    return all;
  }
  [[nodiscard]] bool has_ghosts() const override { return true; }

private:
  std::shared_ptr<const web> graph_;
};

} // namespace graphs
