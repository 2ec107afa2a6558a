#include "stored_arrays.hpp"

#include <span>
#include <string_view>

#include <rondo/distributed/history.hpp>

#include "mesh_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {
template<class T>
std::string_view letters_of(const T& all) {
  const auto bytes = std::as_bytes(std::span(all));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
} // namespace

std::vector<file_contents::values> arrays_of(const std::vector<stored_field>& fields) {
  std::vector<file_contents::values> all;
  for(std::size_t i = 0; i != fields.size(); ++i) {
    const stored_field& f = fields[i];
    if(f.part != row_part::none) {
      all.push_back({std::string(f.name), f.type, 0, 0, stored_for::rows, i, f.part});
      continue;
    }
    const std::string name = f.state->name();
    if(!f.state->has_rows()) {
      all.push_back({name, f.type, 0, f.count, f.what_for, i, row_part::none});
      continue;
    }
    constexpr stored_type length{scalar_type::uint32, 1};
    constexpr stored_type begin{scalar_type::int64, 1};
    constexpr stored_type hash{scalar_type::uint64, 1};
    all.push_back({name + ".lengths", length, 0, f.count, f.what_for, i, row_part::lengths});
    all.push_back({name + ".begins", begin, 0, f.count, f.what_for, i, row_part::begins});
    if(f.state->owners_of_cells != nullptr)
      all.push_back({name + ".cells", hash, 0, f.count, f.what_for, i, row_part::cells});
    all.push_back({name + ".values", f.type, 0, 0, stored_for::rows, i, row_part::values});
  }
  return all;
}

std::uint64_t hash_of_cells(const stored_mesh& m, std::size_t color) {
  const stored_mesh::color& c = m.colors[color];
  if(m.shape == nullptr)
    return hash_of_letters(letters_of(c.points.lo)) ^ 31 * hash_of_letters(letters_of(c.points.hi));
  std::vector<std::int64_t> ids(
    static_cast<std::size_t>(count_of(mesh_array::cell_ids, m.shape->of(c.number))));
  m.shape->put(mesh_array::cell_ids, c.number, std::as_writable_bytes(std::span(ids)).data());
  return hash_of_letters(letters_of(ids));
}

} // namespace rondo::detail::inline distributed
