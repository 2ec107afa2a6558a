// Cuts by METIS and Scotch, or what is said where Rondo was built without them.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "distributed/ranks.hpp"
#include "meshes/pieces.hpp"
#include "meshes/shaken_meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/meshes/boxes.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

struct result {
  std::vector<color_id> cut{};    ///< Of all cells.
  std::set<std::string> thrown{}; ///< An empty text if some rank has thrown nothing.
};

struct library {
  std::string name;
  std::string package;
  std::string function;
  cut_function cut;
};
const library libraries[] = {{"METIS", "libmetis-dev", "cut_by_metis", cut_by_metis},
  {"Scotch", "libscotch-dev", "cut_by_scotch", cut_by_scotch}};

result cut_on(const library& by, const std::vector<std::size_t>& begins, const mesh_piece& whole,
  color_id colors) {
  result made;
  made.cut.resize(whole.cells());
  std::vector<std::string> thrown(begins.size() - 1);
  pieces::on_pieces(begins, whole, [&](detail::team& all, const uncut_cells& cells) {
    thrown[all.rank()] = thrown_by([&] {
      const auto own = by.cut(all, cells, colors);
      expect(own.size() == cells.centers.size());
      std::ranges::copy(own, made.cut.begin() + cells.first);
    });
  });
  made.thrown = {thrown.begin(), thrown.end()};
  return made;
}

const mesh_piece& mesh() {
  static const mesh_piece made = pieces::shuffled(box_of_triangles{30, 20}(0, 1), 1);
  return made;
}

/// All ranks say it then.
bool is_missing(const library& by) {
  const auto said = cut_on(by, {0, 100, mesh().cells()}, mesh(), 8).thrown;
  return said == std::set<std::string>{"rondo::" + by.function + ": Rondo was built without " +
                                       by.name + " (" + by.package +
                                       "; packages.txt, group [distributed]); cut_refined needs "
                                       "nothing"};
}

} // namespace

TEST_CASE("a cut by a library is the same on any number of ranks") {
  for(const library& by : libraries) {
    CAPTURE(by.name);
    if(is_missing(by))
      continue;
    const result alone = cut_on(by, {0, mesh().cells()}, mesh(), 8);
    CHECK(alone.thrown == std::set<std::string>{""});
    for(color_id c = 0; c != 8; ++c) // 150 of each
      CHECK(std::abs(std::ranges::count(alone.cut, c) - 150) <= 15);
    for(const unsigned ranks : {2U, 3U, 8U}) {
      CAPTURE(ranks);
      CHECK(cut_on(by, pieces::random_begins(ranks, ranks, mesh().cells()), mesh(), 8).cut ==
            alone.cut);
    }
    CHECK(
      cut_on(by, {0, 7, mesh().cells()}, mesh(), 1).cut == std::vector<color_id>(mesh().cells()));
  }
}

namespace {

const library own{"Rondo", "", "", unstructured_options{}.cut};

std::int64_t faces_between(const mesh_piece& whole, const std::vector<color_id>& cut) {
  std::int64_t all = 0;
  pieces::on_pieces({0, whole.cells()}, whole, [&](detail::team&, const uncut_cells& cells) {
    const cell_graph g = cells.graph();
    for(std::size_t c = 0; c != g.cells(); ++c)
      for(const std::int64_t other : g.of(c))
        all += cut[c] < cut[static_cast<std::size_t>(other)] ? 1 : 0;
  });
  return all;
}
std::int64_t faces_between(const library& by, const mesh_piece& whole, color_id colors) {
  const result made = cut_on(by, {0, whole.cells()}, whole, colors);
  CHECK(made.thrown == std::set<std::string>{""});
  return faces_between(whole, made.cut);
}

} // namespace

TEST_CASE("a cut by a library has about as short borders as the own one") {
  const std::int64_t by_us = faces_between(own, mesh(), 8);
  for(const library& by : libraries) {
    CAPTURE(by.name);
    if(!is_missing(by))
      CHECK(faces_between(by, mesh(), 8) <= by_us * 5 / 4);
  }
}

TEST_CASE("the cut that a mesh has by itself has borders of at most 1.3 times those of METIS") {
  const library& metis = libraries[0];
  if(is_missing(metis))
    return;
  for(const mesh_piece& whole :
    {mesh(), shaken_meshes::triangles(24, 3), shaken_meshes::triangles(60, 1),
      shaken_meshes::tetrahedra(7, 2), shaken_meshes::tetrahedra(12, 5)})
    for(const color_id colors : {2U, 3U, 8U, 16U, 64U}) {
      const std::int64_t by_us = faces_between(own, whole, colors);
      const std::int64_t by_metis = faces_between(metis, whole, colors);
      CAPTURE(whole.dimension, whole.cells(), colors, by_us, by_metis);
      // Two colors of a box that lies aslant: a plane across an axis goes through it aslant, too.
      CHECK(10 * by_us <= (colors == 2 ? 15 : 13) * by_metis);
    }
}

TEST_CASE("all ranks say what a library can't cut") {
  for(const library& by : libraries) {
    CAPTURE(by.name);
    if(is_missing(by))
      continue;
    const mesh_piece two = box_of_triangles{1, 1}(0, 1);
    CHECK(cut_on(by, {0, 0, 2, 2}, two, 3).thrown ==
          std::set<std::string>{
            "rondo::" + by.function + ": 3 colors of 2 cells; each color needs a cell"});
  }
}
