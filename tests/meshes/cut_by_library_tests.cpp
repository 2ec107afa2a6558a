// Cuts by METIS and Scotch, or what is said where Rondo was built without them.

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

TEST_CASE("a cut by a library has about as short borders as the own one") {
  const auto faces_between = [](const result& r) {
    std::int64_t all = 0;
    pieces::on_pieces({0, mesh().cells()}, mesh(), [&](detail::team&, const uncut_cells& cells) {
      const cell_graph g = cells.graph();
      for(std::size_t c = 0; c != g.cells(); ++c)
        for(const std::int64_t other : g.of(c))
          all += r.cut[c] != r.cut[static_cast<std::size_t>(other)] ? 1 : 0;
    });
    return all;
  };
  const std::int64_t own =
    faces_between(cut_on({"", "", "", cut_refined}, {0, mesh().cells()}, mesh(), 8));
  for(const library& by : libraries) {
    CAPTURE(by.name);
    if(!is_missing(by))
      CHECK(faces_between(cut_on(by, {0, mesh().cells()}, mesh(), 8)) <= own * 5 / 4);
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
