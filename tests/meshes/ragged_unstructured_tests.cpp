// Ragged fields of cells, vertices and faces of unstructured meshes, next to the same over the whole mesh at once.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/ragged_rows.hpp"
#include "distributed/ranks.hpp"

#include "mesh_oracle.hpp"

using namespace rondo;
using ragged_rows::digest;
using ragged_rows::hash;
using random_meshes::ids;
using random_meshes::whole_mesh;

namespace {

using mesh = unstructured<kind::cells, kind::vertices, kind::faces, links<kind::cells, kind::cells>,
  links<kind::faces, kind::cells>, links<kind::vertices, kind::cells>>;
using lists = field<ragged<hash>>;
using row = std::span<const hash>;

/// Rows around an element, in an order that does not depend on who looks.
class around {
public:
  void add(std::int64_t id, row r) { rows_.emplace_back(id, r); }
  /// The row of that element.
  [[nodiscard]] std::vector<hash> made(std::int64_t element, hash id, row before) {
    digest d(meshes::mix(id, static_cast<hash>(element)));
    d.add(before);
    std::ranges::sort(rows_, {}, [](const auto& r) { return r.first; });
    for(const auto& r : rows_)
      d.add(r.second);
    return d.row(before, ragged_rows::most_in(id));
  }

private:
  std::vector<std::pair<std::int64_t, row>> rows_;
};

namespace task {
void fill(mesh::view m, lists::accessor<wo> u, hash id) {
  for(const auto c : m.owned<kind::cells>())
    u(c).assign(around().made(m.id(c), id, {}));
}
void gather(mesh::view m, lists::accessor<rw> on_vertices, lists::accessor<ro, ro> u, hash id) {
  for(const auto v : m.owned<kind::vertices>()) {
    around a;
    for(const auto c : m.cells_of(v))
      a.add(m.id(c), u(c));
    const auto to = on_vertices(v);
    to.assign(a.made(m.id(v), id, to));
  }
}
void relax(mesh::view m, lists::accessor<rw> to, lists::accessor<ro, ro> u, hash id) {
  for(const auto c : m.owned<kind::cells>()) {
    around a;
    for(const auto n : m.cells_of(c))
      a.add(m.id(n), u(n));
    to(c).assign(a.made(m.id(c), id, to(c)));
  }
}
void spread(mesh::view m, lists::accessor<rw> u, lists::accessor<ro, ro> on_vertices,
  lists::accessor<ro, ro> on_faces, hash id) {
  for(const auto c : m.owned<kind::cells>()) {
    around a;
    for(const auto v : m.vertices_of(c))
      a.add(m.id(v), on_vertices(v));
    std::size_t values = 0;
    for(const auto f : m.faces_of(c))
      values += on_faces(f).size();
    const std::vector<hash> of_faces(values, values);
    a.add(-1, of_faces);
    u(c).assign(a.made(m.id(c), id, u(c)));
  }
}
/// As many as the cells at its sides have together.
void between(mesh::view m, lists::accessor<wo> on_faces, lists::accessor<ro, ro> u) {
  for(const auto f : m.owned<kind::faces>()) {
    std::size_t values = 0;
    for(const auto c : m.cells_of(f))
      values += u(c).size();
    on_faces(f).assign(values, 1);
  }
}
hash bits(mesh::view m, lists::accessor<ro> u, lists::accessor<ro> on_vertices) {
  hash h = 0;
  for(const auto c : m.owned<kind::cells>())
    h += ragged_rows::bits_of(static_cast<hash>(m.id(c)), u(c));
  for(const auto v : m.owned<kind::vertices>())
    h += ragged_rows::bits_of(1'000'000 + static_cast<hash>(m.id(v)), on_vertices(v));
  return h;
}
} // namespace task

/// The same over all of a mesh, by the numbers that cells and vertices have there.
class alone {
public:
  explicit alone(const whole_mesh& w) : w_(w), u_(w.cells.size()), v_(w.cells.size()) {
    for(std::size_t c = 0; c != u_.size(); ++c) {
      faces_.push_back(random_meshes::faces_of(w.dimension, w.cells[c]));
      for(const ids& f : faces_.back())
        cells_of_face_[f].push_back(c);
      for(const std::int64_t v : w.cells[c])
        cells_of_vertex_[v].push_back(c);
    }
  }
  void fill(hash id) {
    for(std::size_t c = 0; c != u_.size(); ++c)
      u_[c] = around().made(number(c), id, {});
  }
  void pass(hash id) {
    for(const auto& [v, cells] : cells_of_vertex_) {
      around a;
      for(const std::size_t c : cells)
        a.add(number(c), u_[c]);
      on_vertices_[v] = a.made(v, id, std::vector(on_vertices_[v]));
    }
    for(std::size_t c = 0; c != u_.size(); ++c) {
      std::set<std::size_t> near; // some share two faces
      for(const ids& f : faces_[c])
        near.insert(cells_of_face_[f].begin(), cells_of_face_[f].end());
      near.erase(c);
      around a;
      for(const std::size_t n : near)
        a.add(number(n), u_[n]);
      v_[c] = a.made(number(c), id + 2, std::vector(v_[c]));
    }
    for(std::size_t c = 0; c != u_.size(); ++c) {
      around a;
      for(const std::int64_t v : w_.cells[c])
        a.add(v, on_vertices_[v]);
      std::size_t values = 0;
      for(const ids& f : faces_[c])
        for(const std::size_t n : cells_of_face_[f])
          values += v_[n].size();
      const std::vector<hash> of_faces(values, values);
      a.add(-1, of_faces);
      u_[c] = a.made(number(c), id + 4, std::vector(u_[c]));
    }
  }
  [[nodiscard]] hash bits() const {
    hash h = 0;
    for(std::size_t c = 0; c != u_.size(); ++c)
      h += ragged_rows::bits_of(c, u_[c]);
    for(const auto& [v, r] : on_vertices_)
      h += ragged_rows::bits_of(1'000'000 + static_cast<hash>(v), r);
    return h;
  }

private:
  static std::int64_t number(std::size_t c) { return static_cast<std::int64_t>(c); }

  const whole_mesh& w_;
  std::vector<std::vector<hash>> u_, v_;
  std::vector<random_meshes::elements> faces_;
  std::map<ids, std::vector<std::size_t>> cells_of_face_;
  std::map<std::int64_t, std::vector<std::size_t>> cells_of_vertex_;
  std::map<std::int64_t, std::vector<hash>> on_vertices_;
};

constexpr hash first_ids[] = {0, 2, 4, 1, 6};

} // namespace

TEST_CASE("rows of cells, vertices and faces are those that are made over the whole mesh") {
  for(const std::uint64_t seed : {5U, 6U, 7U, 8U, 9U}) { // of each kind of cells
    const whole_mesh w = random_meshes::random_mesh(seed);
    alone right(w);
    std::vector<hash> expected;
    right.fill(3);
    for(const hash id : first_ids) {
      for(int pass = 0; pass != 4; ++pass)
        right.pass(id);
      expected.push_back(right.bits());
    }
    for(const auto& [ranks, share_memory] :
      {std::pair{1U, false}, {2U, false}, {3U, false}, {3U, true}})
      for(const unsigned ghosts : {1U, 2U}) {
        const auto all = share_memory ? &make_shared_memory_transports : +[](unsigned n, unsigned) {
          return make_local_transports(n);
        };
        on_ranks(all(ranks, 2), 2, [&, ghosts = ghosts](scheduler& s) {
          const mesh m{s,
            [&](unsigned part, unsigned parts) {
              return random_meshes::piece_of(w, seed, part, parts);
            },
            {.colors = 4, .ghosts = ghosts}};
          const lists u{m, "u"}, v{m, "v"}, on_vertices{m.of<kind::vertices>(), "on vertices"},
            on_faces{m.of<kind::faces>(), "on faces"};
          const auto pass = [&](hash id) {
            s.execute<task::gather>(m, on_vertices, u, hash(id));
            s.execute<task::relax>(m, v, u, id + 2);
            s.execute<task::between>(m, on_faces, v);
            s.execute<task::spread>(m, u, on_vertices, on_faces, id + 4);
          };
          s.execute<task::fill>(m, u, hash{3});
          for(std::size_t n = 0; n != std::size(first_ids); ++n) {
            const hash id = first_ids[n];
            if(n % 2 == 0)
              s.repeat(4, [&] { pass(id); });
            else
              for(int i = 0; i != 4; ++i)
                pass(id);
            expect(s.reduce<task::bits, fold::sum>(m, u, on_vertices).get() == expected[n]);
          }
        });
      }
  }
}
