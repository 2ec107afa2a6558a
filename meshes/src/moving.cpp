#include "moving.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace rondo::detail::inline meshes {

namespace {

struct run {
  std::int64_t first;
  std::int64_t length;
};

/// Of elements in a row, or of a list of them.
void put(parcel& p, const selection& s) {
  std::vector<run> runs;
  if(s.size() != 0)
    for(const box<3>& b : s.boxes())
      runs.push_back({b.lo[0], b.length(0)});
  p.put(runs);
}

selection take_selection(parcel_reader& p) {
  const std::vector<run> runs = p.take<run>();
  if(runs.size() == 1)
    return selection::of_range(runs[0].first, runs[0].first + runs[0].length);
  std::vector<std::int64_t> elements;
  for(const run& r : runs)
    for(std::int64_t k = 0; k != r.length; ++k)
      elements.push_back(r.first + k);
  return selection::of_list(elements);
}

void put(parcel& p, const std::map<color_id, std::int64_t>& of_colors) {
  p.put(of_colors.size());
  for(const auto& [color, number] : of_colors) {
    p.put(color);
    p.put(number);
  }
}

std::map<color_id, std::int64_t> take_map(parcel_reader& p) {
  std::map<color_id, std::int64_t> all;
  for(auto left = p.take_one<std::size_t>(); left != 0; --left) {
    const auto color = p.take_one<color_id>();
    all.emplace_hint(all.end(), color, p.take_one<std::int64_t>());
  }
  return all;
}

void put(parcel& p, const color_elements& e) {
  p.put(e.inner);
  p.put(e.owned);
  p.put(e.all);
  p.put(e.ids);
  p.put(e.neighbours.size());
  for(const neighbour& n : e.neighbours) {
    p.put(n.color);
    p.put(n.number);
    p.put(n.number_there);
    put(p, n.ghosts);
    put(p, n.source);
    put(p, n.rim);
  }
  put(p, e.owned_by);
  p.put(e.sets.size());
  for(const std::vector<std::int32_t>& members : e.sets)
    p.put(members);
}

color_elements take_elements(parcel_reader& p) {
  color_elements e;
  e.inner = p.take_one<std::int64_t>();
  e.owned = p.take_one<std::int64_t>();
  e.all = p.take_one<std::int64_t>();
  e.ids = p.take<std::int64_t>();
  e.neighbours.resize(p.take_one<std::size_t>());
  for(neighbour& n : e.neighbours) {
    n.color = p.take_one<color_id>();
    n.number = p.take_one<std::uint64_t>();
    n.number_there = p.take_one<std::uint64_t>();
    n.ghosts = take_selection(p);
    n.source = take_selection(p);
    n.rim = take_selection(p);
  }
  e.owned_by = take_map(p);
  e.sets.resize(p.take_one<std::size_t>());
  for(std::vector<std::int32_t>& members : e.sets)
    members = p.take<std::int32_t>();
  return e;
}

} // namespace

void element_table::put_into(parcel& p) const {
  p.put(is_there_);
  p.put(length());
  p.put(begins_);
  p.put(entries_);
}

element_table element_table::taken_from(parcel_reader& p) {
  element_table t;
  t.is_there_ = p.take_one<bool>();
  t.length_ = p.take_one<std::int64_t>();
  t.begins_ = p.take<std::int32_t>();
  t.entries_ = p.take<std::int32_t>();
  if(t.length_ == -1) {
    t.length_ = 0;
    t.begins_at_ = t.begins_.data();
  }
  return t;
}

void put(parcel& p, const color_mesh& m) {
  p.put(m.color);
  p.put(m.colors);
  for(const color_elements& e : m.elements)
    put(p, e);
  for(const auto& from : m.tables)
    for(const element_table& t : from)
      t.put_into(p);
  p.put(m.positions);
  p.put(m.owned_in_file);
  p.put(m.before_in_file);
  put(p, m.vertices_before);
}

color_mesh take_color_mesh(parcel_reader& p) {
  color_mesh m;
  m.color = p.take_one<color_id>();
  m.colors = p.take_one<color_id>();
  for(color_elements& e : m.elements)
    e = take_elements(p);
  for(auto& from : m.tables)
    for(element_table& t : from)
      t = element_table::taken_from(p);
  m.positions = p.take<position>();
  m.owned_in_file = p.take_one<mesh_counts>();
  m.before_in_file = p.take_one<mesh_counts>();
  m.vertices_before = take_map(p);
  return m;
}

void move_parts(mesh_of_rank& m, const color_carrier& carrier) {
  m.parts = carrier.carry<color_mesh>([&](std::size_t c, parcel& p) { put(p, m.parts[c]); },
    [&](parcel_reader& p) {
      color_mesh part = take_color_mesh(p);
      part.mark_of_sets = m.mark_of_sets;
      return part;
    },
    [&](std::size_t c) { return std::move(m.parts[c]); });
}

} // namespace rondo::detail::inline meshes
