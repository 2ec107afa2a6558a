#include "mistake_of.hpp"

namespace rondo::detail::inline meshes {

std::string mistake_of(std::string_view kind, const std::string& name,
  const std::source_location& where, const std::string& what) {
  for(const std::string_view begin : {"rondo::sparse: ", "rondo::unstructured: "})
    if(what.starts_with(begin))
      return std::string(kind).append(name) + ", made at " + where.file_name() + ':' +
             std::to_string(where.line()) + ": " + what.substr(begin.size());
  return what;
}

} // namespace rondo::detail::inline meshes
