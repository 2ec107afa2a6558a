// What the fragments of docs/topologies.md take for granted.
#include <iostream>
#include <span>
#include <vector>

#include <rondo/rondo.hpp>
#include <rondo/topologies.hpp>

using namespace rondo;

struct cells final : topo::index_space {
  struct part {};
  struct view {
    using of_topology = topo::made_of<cells>;
    explicit view(const part&);
    index_range owned() const;
    std::span<const std::int64_t> neighbours_of(std::int64_t c) const;
  };
  std::uint64_t colors() const;
  part part_of(color_id color) const;
  topo::block_layout layout(color_id color) const override;
  topo::selection owned(color_id color) const override;
  std::vector<topo::neighbour> neighbours(color_id color) const override;
  bool has_ghosts() const override;
};
using mesh = topo::made_of<cells>;
using values = field<double>;
