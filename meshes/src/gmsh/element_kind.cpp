#include "gmsh/element_kind.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace rondo::detail::gmsh {

namespace {

constexpr std::array first_order{
  element_kind{1, "a line", 1, 2},
  element_kind{2, "a triangle", 2, 3},
  element_kind{3, "a quadrilateral", 2, 4},
  element_kind{4, "a tetrahedron", 3, 4},
  element_kind{5, "a hexahedron", 3, 8},
  element_kind{6, "a prism", 3, 6},
  element_kind{7, "a pyramid", 3, 5},
  element_kind{15, "a point", 0, 1},
};

struct higher_kind {
  int type;
  const char* name;
};
constexpr std::array higher_order{
  higher_kind{8, "a line with 3 nodes, of second order"},
  higher_kind{9, "a triangle with 6 nodes, of second order"},
  higher_kind{10, "a quadrilateral with 9 nodes, of second order"},
  higher_kind{11, "a tetrahedron with 10 nodes, of second order"},
  higher_kind{12, "a hexahedron with 27 nodes, of second order"},
  higher_kind{13, "a prism with 18 nodes, of second order"},
  higher_kind{14, "a pyramid with 14 nodes, of second order"},
  higher_kind{16, "a quadrilateral with 8 nodes, of second order"},
  higher_kind{17, "a hexahedron with 20 nodes, of second order"},
  higher_kind{18, "a prism with 15 nodes, of second order"},
  higher_kind{19, "a pyramid with 13 nodes, of second order"},
  higher_kind{20, "a triangle with 9 nodes, of third order"},
  higher_kind{21, "a triangle with 10 nodes, of third order"},
  higher_kind{22, "a triangle with 12 nodes, of fourth order"},
  higher_kind{23, "a triangle with 15 nodes, of fourth order"},
  higher_kind{24, "a triangle with 15 nodes, of fifth order"},
  higher_kind{25, "a triangle with 21 nodes, of fifth order"},
  higher_kind{26, "a line with 4 nodes, of third order"},
  higher_kind{27, "a line with 5 nodes, of fourth order"},
  higher_kind{28, "a line with 6 nodes, of fifth order"},
  higher_kind{29, "a tetrahedron with 20 nodes, of third order"},
  higher_kind{30, "a tetrahedron with 35 nodes, of fourth order"},
  higher_kind{31, "a tetrahedron with 56 nodes, of fifth order"},
  higher_kind{36, "a quadrilateral with 16 nodes, of third order"},
  higher_kind{92, "a hexahedron with 64 nodes, of third order"},
  higher_kind{93, "a hexahedron with 125 nodes, of fourth order"},
};

} // namespace

const element_kind& kind_of(
  const input& file, const char* at, std::int64_t type, std::int64_t element) {
  if(const auto known = std::ranges::find(first_order, type, &element_kind::type);
     known != first_order.end())
    return *known;
  const std::string subject = "element " + std::to_string(element) + " is ";
  if(const auto higher = std::ranges::find(higher_order, type, &higher_kind::type);
     higher != higher_order.end())
    file.fail(at, subject + higher->name +
                    "; save a mesh of first order (gmsh -order 1, or Mesh.ElementOrder = 1)");
  file.fail(at, subject + "of type " + std::to_string(type) +
                  ", which Rondo doesn't know: lines, triangles, quadrilaterals, tetrahedra, "
                  "hexahedra, prisms, pyramids and points are what it reads");
}

} // namespace rondo::detail::gmsh
