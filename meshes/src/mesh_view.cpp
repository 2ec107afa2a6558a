#include <rondo/meshes/mesh_view.hpp>

#include <stdexcept>
#include <string>

namespace rondo::detail::inline meshes {

namespace {

std::string plural_of(element_kind k) {
  return k == element_kind::vertices ? "vertices" : std::string(name_of(k)) + 's';
}

} // namespace

void refuse_set() {
  throw std::logic_error("rondo::unstructured: a task looks for a set that its mesh doesn't have; "
                         "give it what find() of this mesh returns");
}

void refuse_element(element_kind kind, std::int64_t number, std::int64_t all) {
  throw std::logic_error(std::string("rondo::unstructured: a task looks for what belongs to ") +
                         name_of(kind) + ' ' + std::to_string(number) + "; this color has the " +
                         plural_of(kind) + " 0 to " + std::to_string(all - 1) +
                         ", ghosts included");
}

void refuse_length(element_kind of, std::size_t length) {
  const std::string them = plural_of(of);
  throw std::logic_error("rondo::unstructured: a task asks for cells that have " +
                         std::to_string(length) + ' ' + them +
                         " each, and some of this color have others; take " + them +
                         "_of(c), which has as many as that cell has");
}

} // namespace rondo::detail::inline meshes
