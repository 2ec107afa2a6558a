#include "text.hpp"

#include <stdexcept>

namespace rondo::detail::inline distributed {

std::string text_of(const point<3>& p, unsigned coordinates) {
  std::string text = "(";
  for(unsigned a = 0; a != coordinates; ++a)
    text += (a == 0 ? "" : ", ") + std::to_string(p[a]);
  return text + ")";
}

std::string text_of(const box<3>& b, unsigned coordinates) {
  std::string text;
  for(unsigned a = 0; a != coordinates; ++a)
    text +=
      (a == 0 ? "[" : " x [") + std::to_string(b.lo[a]) + ", " + std::to_string(b.hi[a]) + ")";
  return text;
}

std::string name_of(const block_limits& in, const point<3>& p) {
  if(in.mesh.has_points)
    return "point " + text_of(p, in.mesh.dimensions);
  const char* const name = in.mesh.element != nullptr ? in.mesh.element
                           : in.mesh.has_elements     ? "element"
                                                      : "value";
  return std::string(name) + ' ' + std::to_string(p[0]);
}

std::string accessor_with(privilege owned, privilege ghosts, int depth) {
  static const char* const words[] = {"na", "ro", "wo", "rw", "still", "fold"};
  const auto word_for = [](privilege p) { return std::string(words[static_cast<unsigned>(p)]); };
  return "accessor<" + word_for(owned) + (ghosts == na ? "" : ", " + word_for(ghosts)) +
         (depth == whole_halo ? "" : ", " + std::to_string(depth)) + ">";
}

void refuse_use(
  checked_mistake m, const block_limits& of, const std::string& what, const std::string& to_do) {
  if(is_overlooked(m))
    return;
  throw std::logic_error(
    "field '" + std::string(of.field) + "' of color " + std::to_string(of.color) + ", which owns " +
    text_of(of.owned, of.mesh.dimensions) + ": " + what + "; " + to_do + " (docs/mistakes.md)");
}

} // namespace rondo::detail::inline distributed
