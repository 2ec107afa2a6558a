#include "request.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include <rondo/distributed/global.hpp>
#include <rondo/distributed/index.hpp>

#include "../the_field.hpp"
#include "stored_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {
std::string extents_of(const std::array<std::int64_t, 3>& e) {
  return std::to_string(e[0]) + " x " + std::to_string(e[1]) + " x " + std::to_string(e[2]);
}

std::string describe(const mesh_counts& n) {
  const auto with = [](std::int64_t count, const char* what) {
    return count == 0 ? std::string() : ", " + std::to_string(count) + " " + what;
  };
  return std::to_string(n.cells) + " cells with " + std::to_string(n.corners) + " corners, and " +
         std::to_string(n.vertices) + " vertices" + with(n.faces, "faces") + with(n.edges, "edges");
}

std::string word_for(stored_for what) {
  return what == stored_for::cells      ? "cells"
         : what == stored_for::vertices ? "vertices"
         : what == stored_for::faces    ? "faces"
         : what == stored_for::edges    ? "edges"
                                        : "points";
}

/// The counts of faces and edges are those of fields; there may be none in the file, or in what the program reads.
bool may_be_same(const mesh_contents& there, const mesh_contents& here) {
  const auto agree = [](std::int64_t a, std::int64_t b) { return a == b || a == 0 || b == 0; };
  const mesh_counts& a = there.counts;
  const mesh_counts& b = here.counts;
  return a.cells == b.cells && a.vertices == b.vertices && a.corners == b.corners &&
         agree(a.faces, b.faces) && agree(a.edges, b.edges) &&
         (a.faces == 0 || there.vertices_of_face == here.vertices_of_face);
}

[[noreturn]] void refuse_to_read(const std::string& path, const std::string& why) {
  throw std::runtime_error("rondo: can't read '" + path + "': " + why);
}

/// The array `w`, as a file has it.
file_contents::values found_in(
  const file_contents& c, const file_contents::values& w, const std::string& path) {
  const auto refuse = [&path](const std::string& why) { refuse_to_read(path, why); };
  const auto found =
    std::ranges::find(c.fields, w.name, [](const file_contents::values& v) { return v.name; });
  if(found == c.fields.end()) {
    std::string there;
    for(const file_contents::values& v : c.fields)
      there += (there.empty() ? "'" : ", '") + v.name + "'";
    refuse("it has no field '" + w.name + "'" +
           (w.part != row_part::none ? ", as ragged fields and particles have" : "") + ", but " +
           (there.empty() ? "none" : there));
  }
  if(found->type != w.type)
    refuse("its field '" + w.name + "' has values of " + describe(found->type) +
           ", and the program's has " + describe(w.type));
  if(found->is_of_mesh() ? found->what_for != w.what_for : w.is_of_mesh())
    refuse("its field '" + w.name + "' has " +
           (found->is_of_mesh() ? "values for " + word_for(found->what_for)
                                : "no values for " + word_for(w.what_for)) +
           ", and the program's " +
           (!found->is_of_mesh() ? "has these"
             : w.is_of_mesh()    ? "for " + word_for(w.what_for)
                                 : "for colors, or global ones"));
  if(found->count != w.count && w.what_for != stored_for::rows)
    refuse("its field '" + w.name + "' has " + std::to_string(found->count) +
           (w.what_for == stored_for::all
               ? " values, and the program's has " + std::to_string(w.count)
               : " values, one for each color of the mesh that was written, and this one has " +
                   std::to_string(w.count) +
                   " colors; make it with the same ones, .colors = {...}, on any number of ranks"));
  file_contents::values all = w;
  all.offset = found->offset;
  all.count = found->count;
  return all;
}
} // namespace

file_contents contents_of(const file_request& r) {
  file_contents c;
  for(std::size_t a = 0; a != 3; ++a)
    c.extents[a] = r.mesh.whole.length(a);
  c.in_space = r.in_space;
  c.fields = arrays_of(r.fields);
  if(r.mesh.shape != nullptr && !r.is_cloud) {
    c.mesh = {r.mesh.shape->in_all(), r.mesh.shape->vertices_of_face(), {}};
    if(!c.has(stored_for::faces))
      c.mesh->counts.faces = 0;
    if(!c.has(stored_for::edges))
      c.mesh->counts.edges = 0;
  }
  return c;
}

namespace {
std::optional<stored_for> kind_beside_cells(const stored_mesh& m, const topology_state& of) {
  for(const stored_for what : {stored_for::vertices, stored_for::faces, stored_for::edges})
    if(&of == m.others[what])
      return what;
  return {};
}
} // namespace

void sort_out(file_request& r) {
  for(stored_field& f : r.fields) {
    topology_state& of = f.state->of();
    if(&of == r.mesh.state) {
      f.what_for = r.mesh.shape == nullptr ? stored_for::points : stored_for::cells;
      f.count = static_cast<std::uint64_t>(r.mesh.whole.size());
    }
    else if(const auto beside = kind_beside_cells(r.mesh, of)) {
      f.what_for = *beside;
      f.count = static_cast<std::uint64_t>(r.mesh.all_beside[*beside].size());
    }
    else if(of.is_replicated() && !f.state->has_rows()) {
      f.what_for = stored_for::all;
      f.count = static_cast<std::uint64_t>(static_cast<topo::global_state&>(of).size());
    }
    else if(of.is_replicated())
      throw std::invalid_argument("'" + r.path +
                                  "': " + the_field(f.state->name(), "global ragged field") +
                                  ": files have rows of elements of a mesh, and of its colors");
    else if(of.has_colors_of(*r.mesh.state) &&
            (f.state->owners_of_cells != nullptr ||
              dynamic_cast<topo::index_state*>(&of) != nullptr)) {
      f.what_for = stored_for::colors;
      f.count = of.colors();
    }
    else if(r.mesh.shape != nullptr)
      throw std::invalid_argument(
        "'" + r.path + "': " + the_field(f.state->name()) +
        " belongs to another topology than the mesh: a file has values for the cells, vertices, "
        "faces and edges of a mesh, for its colors (topo::index pieces{mesh}), and global ones, "
        "and particles over it");
    else
      throw std::invalid_argument("'" + r.path + "': " + the_field(f.state->name()) +
                                  " belongs to another topology than the mesh: a file has values "
                                  "for the points of a mesh, for its "
                                  "colors (topo::index pieces{mesh}), and global ones, and "
                                  "particles over it");
  }
}

std::vector<file_contents::values> arrays_in(
  const file_contents& c, const file_request& r, const std::string& path) {
  const auto refuse = [&path](const std::string& why) { refuse_to_read(path, why); };
  const file_contents wanted = contents_of(r);
  if(c.mesh.has_value() != wanted.mesh.has_value())
    refuse(c.mesh.has_value() ? "it has an unstructured mesh, and the program's is structured"
                              : "it has a structured mesh, and the program's is unstructured");
  if(c.mesh.has_value() && !may_be_same(*c.mesh, *wanted.mesh))
    refuse(
      "it has " + describe(c.mesh->counts) + ", and the mesh has " + describe(wanted.mesh->counts));
  if(c.extents != wanted.extents)
    refuse("it has " + extents_of(c.extents) + " points, and the mesh has " +
           extents_of(wanted.extents));
  std::vector<file_contents::values> all;
  for(const file_contents::values& w : wanted.fields)
    all.push_back(found_in(c, w, path));
  return all;
}

} // namespace rondo::detail::inline distributed
