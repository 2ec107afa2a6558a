// Cuts by METIS, or what is said where there is none.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "distributed/ranks.hpp"
#include "meshes/pieces.hpp"

#include <catch2/catch.hpp>
#include <rondo/meshes/boxes.hpp>
#include <rondo/meshes/cut.hpp>

using namespace rondo;

namespace {

struct result {
  std::vector<color_id> cut{};    ///< Of all cells.
  std::set<std::string> thrown{}; ///< Empty: nothing, on some rank.
};

result cut_on(const std::vector<std::size_t>& begins, const mesh_piece& whole, color_id colors) {
  result made;
  made.cut.resize(whole.cells());
  std::vector<std::string> thrown(begins.size() - 1);
  pieces::on_pieces(begins, whole, [&](detail::team& all, const uncut_cells& cells) {
    thrown[all.rank()] = thrown_by([&] {
      const auto own = cut_by_metis(all, cells, colors);
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
bool is_without_metis() {
  const auto said = cut_on({0, 100, mesh().cells()}, mesh(), 8).thrown;
  return said == std::set<std::string>{
                   "rondo::cut_by_metis: Rondo was built without METIS (libmetis-dev; "
                   "packages.txt, group [distributed]); cut_refined needs nothing"};
}

} // namespace

TEST_CASE("a cut by METIS is the same on any number of ranks") {
  if(is_without_metis())
    return;
  const result alone = cut_on({0, mesh().cells()}, mesh(), 8);
  CHECK(alone.thrown == std::set<std::string>{""});
  for(color_id c = 0; c != 8; ++c) // 150 of each
    CHECK(std::abs(std::ranges::count(alone.cut, c) - 150) <= 15);
  for(const unsigned ranks : {2U, 3U, 8U}) {
    CAPTURE(ranks);
    CHECK(cut_on(pieces::random_begins(ranks, ranks, mesh().cells()), mesh(), 8).cut == alone.cut);
  }
  CHECK(cut_on({0, 7, mesh().cells()}, mesh(), 1).cut == std::vector<color_id>(mesh().cells()));
}

TEST_CASE("all ranks say what METIS can't cut") {
  if(is_without_metis())
    return;
  const mesh_piece two = box_of_triangles{1, 1}(0, 1);
  CHECK(cut_on({0, 0, 2, 2}, two, 3).thrown ==
        std::set<std::string>{"rondo::cut_by_metis: 3 colors of 2 cells; each color needs a cell"});
}
