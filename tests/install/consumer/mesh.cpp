// An unstructured mesh of an installed Rondo.

#include <cstdio>

#include <rondo/unstructured.hpp>

using namespace rondo;
using mesh = unstructured<kind::cells, kind::vertices>;

double count(mesh::view m) { return static_cast<double>(m.owned<kind::cells>().size()); }

int main(int argc, char** argv) {
  return rondo::run(argc, argv, [](scheduler& s) {
    mesh m{s, box_of_triangles{4, 3}, {.colors = 3}};
    const double cells = s.reduce<count, fold::sum>(m).get();
    std::printf("%g cells\n", cells);
    return cells == 24 ? 0 : 1;
  });
}
