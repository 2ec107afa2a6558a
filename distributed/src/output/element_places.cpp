#include "element_places.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "mesh_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// So much is read at once,
constexpr std::size_t bytes_of_window = std::size_t{1} << 20U;
/// and so much that nobody wants is read between two values, rather than to begin anew.
constexpr std::size_t most_between = bytes_of_page;

/// What an element is known by: its id, or those of as many vertices as the largest one of its kind has.
template<std::size_t Size>
using known_by = std::array<std::int64_t, Size>;
template<std::size_t Size>
using ids_of_elements = std::vector<known_by<Size>>;
using places_of_color = std::vector<std::int64_t>;

/// An element of a color, and what it is known by in the whole mesh.
template<std::size_t Size>
struct wanted {
  known_by<Size> as;
  std::size_t color;
  std::size_t number;
};

template<std::size_t Size>
ids_of_elements<Size> read_ids(
  const system_file& f, std::uint64_t offset, std::int64_t first, std::int64_t count) {
  ids_of_elements<Size> all(static_cast<std::size_t>(count));
  f.read(std::as_writable_bytes(std::span(all)),
    offset + static_cast<std::uint64_t>(first) * sizeof(known_by<Size>));
  return all;
}

template<std::size_t Size>
std::vector<ids_of_elements<Size>> ids_of_colors(const stored_mesh& m, mesh_array which) {
  std::vector<ids_of_elements<Size>> all;
  for(const stored_mesh::color& c : m.colors) {
    ids_of_elements<Size>& its =
      all.emplace_back(static_cast<std::size_t>(count_of(which, m.shape->of(c.number))));
    m.shape->put(which, c.number, std::as_writable_bytes(std::span(its)).data());
  }
  return all;
}

/// "cell 17", "face with the vertices 3, 5".
template<std::size_t Size>
std::string describe(const known_by<Size>& it, mesh_array which) {
  switch(which) {
  case mesh_array::cell_ids:
    return "cell " + std::to_string(it[0]);
  case mesh_array::vertex_ids:
    return "vertex " + std::to_string(it[0]);
  default:
    std::string all = which == mesh_array::face_ids ? "face" : "edge";
    const char* before = " with the vertices ";
    for(const std::int64_t v : it)
      if(v >= 0)
        all.append(std::exchange(before, ", ")).append(std::to_string(v));
    return all;
  }
}

/// Looks at all ids of the file, for as long as some are wanted.
template<std::size_t Size>
std::vector<places_of_color> find_all(const system_file& f, const mesh_contents& in,
  const std::vector<ids_of_elements<Size>>& own, mesh_array which) {
  std::vector<wanted<Size>> all;
  std::vector<places_of_color> places;
  for(std::size_t c = 0; c != own.size(); ++c) {
    places.emplace_back(own[c].size(), -1);
    for(std::size_t n = 0; n != own[c].size(); ++n)
      all.push_back({own[c][n], c, n});
  }
  std::ranges::sort(all, {}, &wanted<Size>::as);
  const std::int64_t count = count_of(which, in.counts);
  constexpr std::int64_t at_once = bytes_of_window / sizeof(known_by<Size>);
  std::size_t missing = all.size();
  for(std::int64_t first = 0; first < count && missing != 0; first += at_once) {
    const ids_of_elements<Size> there = read_ids<Size>(
      f, in.offsets[static_cast<std::size_t>(which)], first, std::min(at_once, count - first));
    for(std::size_t i = 0; i != there.size(); ++i) {
      const auto at = std::ranges::lower_bound(all, there[i], {}, &wanted<Size>::as);
      if(at == all.end() || at->as != there[i])
        continue;
      std::int64_t& place = places[at->color][at->number];
      missing -= place < 0 ? 1 : 0;
      place = first + static_cast<std::int64_t>(i);
    }
  }
  for(const wanted<Size>& w : all)
    if(places[w.color][w.number] < 0)
      throw std::runtime_error("rondo: can't read '" + f.path() +
                               "': it is of another mesh, and has no " + describe(w.as, which));
  return places;
}

/// Nothing, if all are where this mesh would have them.
template<std::size_t Size>
std::vector<places_of_color> find_known_by(
  const system_file& f, const mesh_contents& in, const stored_mesh& m, mesh_array which) {
  const std::vector<ids_of_elements<Size>> own = ids_of_colors<Size>(m, which);
  for(std::size_t c = 0; c != own.size(); ++c) {
    const std::int64_t first = count_of(which, m.shape->before(m.colors[c].number));
    if(read_ids<Size>(f, in.offsets[static_cast<std::size_t>(which)], first,
         static_cast<std::int64_t>(own[c].size())) != own[c])
      return find_all(f, in, own, which);
  }
  return {};
}

std::vector<places_of_color> find_elements(
  const system_file& f, const mesh_contents& in, const stored_mesh& m, stored_for what) {
  const mesh_array which = ids_of(what);
  switch(type_of(which, in.vertices_of_face).components) {
  case 1:
    return find_known_by<1>(f, in, m, which);
  case 2:
    return find_known_by<2>(f, in, m, which);
  default:
    return find_known_by<4>(f, in, m, which);
  }
}

} // namespace

element_places::element_places(
  const system_file& f, const file_contents& contents, const stored_mesh& m) {
  if(!contents.mesh.has_value())
    return;
  for(const stored_for what :
    {stored_for::cells, stored_for::vertices, stored_for::faces, stored_for::edges})
    if(contents.has(what))
      (is_beside_cells(what) ? beside_[what] : cells_) = find_elements(f, *contents.mesh, m, what);
}

void read_from(const system_file& f, std::uint64_t offset, std::span<const std::int64_t> places,
  std::size_t size, std::byte* into) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return places[i]; });
  std::vector<std::byte> window;
  const auto byte_of = [&](std::size_t i) {
    return static_cast<std::size_t>(places[order[i]]) * size;
  };
  for(std::size_t first = 0; first != order.size();) {
    const std::size_t begin = byte_of(first);
    std::size_t last = first + 1;
    while(last != order.size() && byte_of(last) - byte_of(last - 1) <= most_between + size &&
          byte_of(last) + size - begin <= bytes_of_window)
      ++last;
    window.resize(byte_of(last - 1) + size - begin);
    f.read(window, offset + begin);
    for(; first != last; ++first)
      std::memcpy(into + order[first] * size, window.data() + byte_of(first) - begin, size);
  }
}

} // namespace rondo::detail::inline distributed
