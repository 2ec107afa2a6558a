#include "reading.hpp"

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "runs.hpp"
#include "staged_rows.hpp"
#include "stored_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Of an array, the values of the elements of a color, in their order.
class values_in_file {
public:
  values_in_file(
    const system_file& from, const stored_mesh& m, std::size_t c, const element_places& places)
      : from_(from), m_(m), c_(c), places_(places) {}

  std::span<const std::byte> read(const file_contents::values& f) {
    const std::size_t size = size_of(f.type);
    const stored_mesh::color& color = m_.colors[c_];
    const auto take = [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
      from_.read(std::span(memory_.data() + in_memory, bytes), f.offset + in_file);
    };
    const auto make_room = [&](std::int64_t values) {
      memory_.resize(static_cast<std::size_t>(values) * size);
    };
    switch(f.what_for) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
    case stored_for::faces:
    case stored_for::edges: {
      make_room(color.selected(f.what_for).size());
      const std::span<const std::int64_t> at = places_.of(f.what_for, c_);
      if(at.empty())
        for_each_run(color.box_for(f.what_for), m_.box_for(f.what_for), size, take);
      else
        read_from(from_, f.offset, at, size, memory_.data());
      break;
    }
    case stored_for::colors:
      make_room(1);
      take(color.number * size, 0, size);
      break;
    case stored_for::all: // they are of no color
    case stored_for::rows:
      make_room(0);
    }
    return memory_;
  }

private:
  const system_file& from_;
  const stored_mesh& m_;
  const std::size_t c_;
  const element_places& places_;
  std::vector<std::byte> memory_;
};

template<class T>
std::vector<T> as_numbers(std::span<const std::byte> bytes) {
  std::vector<T> all(bytes.size() / sizeof(T));
  if(!bytes.empty())
    std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

/// Particles know no cells, only the program does.
void refuse_other_cells(const system_file& from, const file_contents::values& a, color_id color) {
  const std::string particles = a.name.substr(0, a.name.rfind('.'));
  throw std::runtime_error("rondo: can't read '" + from.path() + "': the particles '" + particles +
                           "' are of a mesh whose color " + std::to_string(color) +
                           " has other cells; make the mesh with the same colors, .colors = "
                           "{...}, on any number of ranks");
}

} // namespace

void read_global(
  const system_file& from, const file_contents& contents, const std::vector<stored_field>& fields) {
  for(const file_contents::values& a : contents.fields)
    if(a.what_for == stored_for::all) {
      std::vector<std::byte> memory(static_cast<std::size_t>(a.bytes()));
      from.read(memory, a.offset);
      unpack(
        memory.data(), fields[a.field].state->block(0), first_values(a.count), size_of(a.type));
    }
}

void read_color(const system_file& from, const file_contents& contents, const stored_mesh& m,
  std::size_t c, const std::vector<stored_field>& fields, const element_places& places) {
  values_in_file its(from, m, c, places);
  rows_in_file rows;
  for(const file_contents::values& a : contents.fields) {
    field_state& f = *fields[a.field].state;
    switch(a.part) {
    case row_part::none:
      if(a.what_for != stored_for::all)
        unpack(its.read(a).data(), f.block(c), elements_of(m, c, a.what_for), size_of(a.type));
      break;
    case row_part::lengths:
      rows.lengths = as_numbers<std::uint32_t>(its.read(a));
      break;
    case row_part::begins:
      rows.begins = as_numbers<std::int64_t>(its.read(a));
      break;
    case row_part::cells:
      if(as_numbers<std::uint64_t>(its.read(a)).front() != hash_of_cells(m, c))
        refuse_other_cells(from, a, m.colors[c].number);
      break;
    case row_part::positions: // clouds are not read
    case row_part::numbers:
    case row_part::ends:
      break;
    case row_part::values:
      read_rows(from, a, rows, f.rows(c), elements_of(m, c, fields[a.field].what_for),
        f.elements().layouts[c]);
    }
  }
}

} // namespace rondo::detail::inline distributed
