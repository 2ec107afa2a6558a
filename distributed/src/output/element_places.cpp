#include "element_places.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>

#include "mesh_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// So much is read at once,
constexpr std::size_t bytes_of_window = std::size_t{1} << 20U;
/// and so much that nobody wants is read between two values, rather than to begin anew.
constexpr std::size_t most_between = bytes_of_page;

using ids = std::vector<std::int64_t>;

/// An element of a color, by what it is called in the whole mesh.
struct wanted {
  std::int64_t id;
  std::size_t color;
  std::size_t number;
};

ids read_ids(const system_file& f, std::uint64_t offset, std::int64_t first, std::int64_t count) {
  ids all(static_cast<std::size_t>(count));
  f.read(std::as_writable_bytes(std::span(all)),
    offset + static_cast<std::uint64_t>(first) * sizeof(std::int64_t));
  return all;
}

std::vector<ids> ids_of_colors(const stored_mesh& m, mesh_array which) {
  std::vector<ids> all;
  for(const stored_mesh::color& c : m.colors) {
    ids& its = all.emplace_back(static_cast<std::size_t>(count_of(which, m.shape->of(c.number))));
    m.shape->put(which, c.number, std::as_writable_bytes(std::span(its)).data());
  }
  return all;
}

/// Looks at all ids of the file, for as long as some are wanted.
std::vector<ids> find_all(
  const system_file& f, const mesh_contents& in, const std::vector<ids>& own, mesh_array which) {
  std::vector<wanted> all;
  std::vector<ids> places;
  for(std::size_t c = 0; c != own.size(); ++c) {
    places.emplace_back(own[c].size(), -1);
    for(std::size_t n = 0; n != own[c].size(); ++n)
      all.push_back({own[c][n], c, n});
  }
  std::ranges::sort(all, {}, &wanted::id);
  const std::int64_t count = count_of(which, in.counts);
  constexpr std::int64_t at_once = bytes_of_window / sizeof(std::int64_t);
  std::size_t missing = all.size();
  for(std::int64_t first = 0; first < count && missing != 0; first += at_once) {
    const ids there = read_ids(
      f, in.offsets[static_cast<std::size_t>(which)], first, std::min(at_once, count - first));
    for(std::size_t i = 0; i != there.size(); ++i) {
      const auto at = std::ranges::lower_bound(all, there[i], {}, &wanted::id);
      if(at == all.end() || at->id != there[i])
        continue;
      std::int64_t& place = places[at->color][at->number];
      missing -= place < 0 ? 1 : 0;
      place = first + static_cast<std::int64_t>(i);
    }
  }
  for(const wanted& w : all)
    if(places[w.color][w.number] < 0)
      throw std::runtime_error(
        "rondo: can't read '" + f.path() + "': it is of another mesh, and has no " +
        (which == mesh_array::cell_ids ? "cell " : "vertex ") + std::to_string(w.id));
  return places;
}

/// Nothing, if all are where this mesh would have them.
std::vector<ids> find_elements(
  const system_file& f, const mesh_contents& in, const stored_mesh& m, mesh_array which) {
  const std::vector<ids> own = ids_of_colors(m, which);
  for(std::size_t c = 0; c != own.size(); ++c) {
    const std::int64_t first = count_of(which, m.shape->before(m.colors[c].number));
    if(read_ids(f, in.offsets[static_cast<std::size_t>(which)], first,
         static_cast<std::int64_t>(own[c].size())) != own[c])
      return find_all(f, in, own, which);
  }
  return {};
}

} // namespace

element_places::element_places(
  const system_file& f, const file_contents& contents, const stored_mesh& m) {
  if(!contents.mesh.has_value())
    return;
  const auto has = [&](stored_for what) {
    return std::ranges::any_of(
      contents.fields, [what](const file_contents::values& v) { return v.what_for == what; });
  };
  if(has(stored_for::cells))
    cells_ = find_elements(f, *contents.mesh, m, mesh_array::cell_ids);
  if(has(stored_for::vertices))
    vertices_ = find_elements(f, *contents.mesh, m, mesh_array::vertex_ids);
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
