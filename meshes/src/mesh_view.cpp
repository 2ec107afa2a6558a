#include <rondo/meshes/mesh_view.hpp>

#include <stdexcept>
#include <string>

namespace rondo::detail::inline meshes {

void refuse_set() {
  throw std::logic_error("rondo::unstructured: a task looks for a set that its mesh doesn't have; "
                         "give it what find() of this mesh returns");
}

void refuse_element(element_kind kind, std::int64_t number, std::int64_t all) {
  constexpr const char* names[] = {"cell", "face", "edge", "vertex"};
  constexpr const char* plural[] = {"cells", "faces", "edges", "vertices"};
  const std::size_t k = index_of(kind);
  throw std::logic_error(std::string("rondo::unstructured: a task looks for what belongs to ") +
                         names[k] + ' ' + std::to_string(number) + "; this color has the " +
                         plural[k] + " 0 to " + std::to_string(all - 1) + ", ghosts included");
}

} // namespace rondo::detail::inline meshes
