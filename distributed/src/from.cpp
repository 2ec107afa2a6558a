#include <rondo/distributed/from.hpp>

#include <rondo/core/place.hpp>
#include <rondo/distributed/field.hpp>

#include "the_field.hpp"

namespace rondo::detail::inline distributed {

void refuse_from(const std::source_location& where, const field_state& f, const std::string& why) {
  throw std::invalid_argument(
    place(where) + ": rondo::scheduler::from: " + the_field(f.name()) + " " + why);
}

void refuse_color(const std::source_location& where, const std::string& field, color_id colors) {
  throw std::out_of_range(place(where) + ": rondo::scheduler::from: " + the_field(field.c_str()) +
                          " has values of colors 0 to " + std::to_string(colors - 1) +
                          ", and not of the one asked for");
}

namespace {
/// Nobody else knows where an element is.
constexpr const char* has_numbered_elements =
  "has no points, and several elements for each color: let a task write the one to a field over "
  "topo::index, or return it to s.reduce";
} // namespace

topo::index_state& colors_of(const field_state& f, const std::source_location& where) {
  auto* const index = dynamic_cast<topo::index_state*>(&f.of());
  if(index == nullptr)
    refuse_from(where, f,
      f.of().outline().has_elements ? has_numbered_elements
      : f.of().is_replicated()      ? "is global: every rank has its values, and tasks read them"
                               : "has more than a value for each color: s.from(point<2>{i, j}, u), "
                                 "or make a field over topo::index");
  return *index;
}

template<std::size_t D>
structured_state<D>& points_of(
  const field_state& f, const point<D>& wanted, const std::source_location& where) {
  auto* const mesh = dynamic_cast<structured_state<D>*>(&f.of());
  if(mesh == nullptr)
    refuse_from(where, f,
      f.of().outline().has_elements
        ? has_numbered_elements
        : "is no field of a structured mesh of " + std::to_string(D) + " dimensions");
  box<D> stored = mesh->coloring().mesh();
  for(std::size_t a = 0; a != D; ++a)
    if(!mesh->coloring().shape().periodic[a]) {
      stored.lo[a] -= mesh->coloring().shape().beyond;
      stored.hi[a] += mesh->coloring().shape().beyond;
    }
  if(stored.contains(wanted))
    return *mesh;
  std::string text;
  for(const std::int64_t x : wanted)
    text += (text.empty() ? "" : ", ") + std::to_string(x);
  refuse_from(where, f, "has no point (" + text + "); coordinates are those of the whole mesh");
}

template structured_state<1>& points_of(
  const field_state&, const point<1>&, const std::source_location&);
template structured_state<2>& points_of(
  const field_state&, const point<2>&, const std::source_location&);
template structured_state<3>& points_of(
  const field_state&, const point<3>&, const std::source_location&);

} // namespace rondo::detail::inline distributed
