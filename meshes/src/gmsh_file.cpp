#include <rondo/meshes/gmsh.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/distributed/shares.hpp>

#include "gmsh/binary_cursor.hpp"
#include "gmsh/needed_nodes.hpp"
#include "gmsh/piece_maker.hpp"
#include "gmsh/sections.hpp"
#include "gmsh/text_cursor.hpp"
#include "gmsh/version_2.hpp"
#include "gmsh/version_4.hpp"

namespace rondo {

namespace detail::gmsh {
namespace {

/// Walks through all sections once, and looks at no more than it must to know where their ends are.
template<class Version>
outline outline_of(const input& file, const char* behind_format) {
  outline all;
  typename Version::cursor_type c(file, behind_format);
  bool has_nodes = false;
  bool has_elements = false;
  const auto once = [&](bool& has, const char* at) {
    if(std::exchange(has, true))
      file.fail(at, "there is a second section " + file.word(at));
  };
  for(;;) {
    const char* const at = c.skip_blanks() ? c.at() : file.end();
    const std::string name = next_section(c);
    if(name.empty())
      break;
    if(name == "PhysicalNames")
      read_names(c, all.physical);
    else if(Version::has_entities && (name == "Entities" || name == "PartitionedEntities")) {
      if constexpr(Version::has_entities)
        Version::entities(c, all.physical, name == "PartitionedEntities");
    }
    else if(name == "Nodes") {
      once(has_nodes, at);
      Version::nodes(c, all);
    }
    else if(name == "Elements") {
      once(has_elements, at);
      Version::elements(c, all);
    }
    else if(name == "ParametricNodes")
      file.fail(
        at, "the nodes have parameters; save the mesh without them (Mesh.SaveParametric = 0)");
    else {
      skip_section(c, name);
      continue;
    }
    c.end_of_section(name);
  }
  if(!has_nodes || !has_elements)
    file.fail(file.end(), std::string("the file has no ") + (has_nodes ? "$Elements" : "$Nodes") +
                            ", or has been cut off");
  return all;
}

unsigned dimension_of(const input& file, const outline& all) {
  unsigned dimension = 0;
  for(const stretch& row : all.elements)
    dimension = std::max(dimension, row.dimension);
  if(dimension == 0)
    file.fail("the file has no lines, faces or volumes that could be cells");
  return dimension;
}

/// Which things of a kind a part has, while rows of them go by.
class share {
public:
  share(std::int64_t of_all, unsigned part, unsigned parts)
      : begin_(bound(of_all, parts, part)), end_(bound(of_all, parts, part + 1)) {}

  /// Calls f(from, to) for those of the next row that belong to the part.
  template<class F>
  void next(std::int64_t length, const F& f) {
    const std::int64_t from = std::clamp<std::int64_t>(begin_ - at_, 0, length);
    const std::int64_t to = std::clamp<std::int64_t>(end_ - at_, 0, length);
    at_ += length;
    if(from < to)
      f(from, to);
  }

private:
  static std::int64_t bound(std::int64_t n, unsigned parts, unsigned part) {
    return static_cast<std::int64_t>(share_begin(static_cast<std::uint64_t>(n), parts, part));
  }

  std::int64_t begin_, end_;
  std::int64_t at_ = 0;
};

/// Some of the cells, and as large a share of the other elements.
template<class Version, class Visit>
void for_each_of_part(const input& file, const outline& all, unsigned dimension, unsigned part,
  unsigned parts, const Visit& visit) {
  std::int64_t cells = 0;
  std::int64_t others = 0;
  for(const stretch& row : all.elements)
    (row.dimension == dimension ? cells : others) += row.elements;
  share of_cells(cells, part, parts);
  share of_others(others, part, parts);
  for(const stretch& row : all.elements)
    (row.dimension == dimension ? of_cells : of_others)
      .next(row.elements, [&](std::int64_t from, std::int64_t to) {
        Version::read_elements(file, all.physical, row, from, to, visit);
      });
}

template<class Version>
mesh_piece read(const input& file, const char* behind_format, unsigned part, unsigned parts) {
  const outline all = outline_of<Version>(file, behind_format);
  const unsigned dimension = dimension_of(file, all);
  const auto for_each = [&](const auto& visit) {
    for_each_of_part<Version>(file, all, dimension, part, parts, visit);
  };

  piece_maker piece(dimension, all.physical);
  for_each([&](const element& e) { piece.add(e); });
  // Mistakes are seen when all has been read. Which element they are in is found by another look, and not remembered of all.
  if(const auto twice = piece.twice()) {
    int seen = 0;
    for_each([&](const element& e) {
      if(e.number == *twice && ++seen == 2)
        file.fail(
          e.at, "there is an element with the number " + std::to_string(*twice) + " already");
    });
  }

  needed_nodes nodes(piece.nodes_of_cells(), piece.nodes_of_members());
  for(const node_block& block : all.nodes)
    Version::read_nodes(
      file, block,
      [&](std::int64_t number, const char* at) { return nodes.wants(file, number, at); },
      [&](const position& at) { nodes.take(at); });
  if(!nodes.has_all())
    for_each([&](const element& e) {
      if(e.kind->dimension != dimension && e.groups.empty())
        return;
      for(const std::int64_t corner : e.corners)
        if(!nodes.has(corner))
          file.fail(e.at, "element " + std::to_string(e.number) + " has node " +
                            std::to_string(corner) + ", which is not in $Nodes");
    });

  std::vector<std::int64_t> numbers = nodes.numbers();
  return std::move(piece).done(std::move(numbers), std::move(nodes).positions());
}

} // namespace
} // namespace detail::gmsh

mesh_piece gmsh_file::operator()(unsigned part, unsigned parts) const {
  using namespace detail::gmsh;
  if(part >= parts)
    throw std::invalid_argument("rondo::gmsh_file: there is no part " + std::to_string(part) +
                                " of " + std::to_string(parts));
  input file(path_);
  cursor c(file, file.begin());
  const format written = read_format(file, c);
  if(written.is_version_4)
    return written.is_binary ? read<version_4<binary_cursor>>(file, c.at(), part, parts)
                             : read<version_4<text_cursor>>(file, c.at(), part, parts);
  return written.is_binary ? read<version_2<binary_cursor>>(file, c.at(), part, parts)
                           : read<version_2<text_cursor>>(file, c.at(), part, parts);
}

} // namespace rondo
