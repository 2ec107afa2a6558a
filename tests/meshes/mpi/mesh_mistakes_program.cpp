// Ranks that don't make the same unstructured mesh: each is told, and none waits for ever. The argument says which mistake it is.

#include <cstdio>
#include <string_view>

#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {
using mesh = unstructured<kind::cells>;

void make(scheduler& s, std::string_view mistake) {
  const unsigned rank = s.rank();
  if(mistake == "alone") {
    if(rank == 0)
      mesh m{s, box_of_triangles{20, 20}, {.colors = 6}};
  }
  else if(mistake == "colors")
    mesh m{s, box_of_triangles{20, 20}, {.colors = 5 + rank}};
  else if(mistake == "ghosts")
    mesh m{s, box_of_triangles{20, 20}, {.colors = 5, .ghosts = 1 + rank}};
  else if(mistake == "kind") {
    if(rank == 0)
      structured<2> g{s, {.extents = {20, 20}}};
    else
      mesh m{s, box_of_triangles{20, 20}, {.colors = 5}};
  }
  else if(mistake == "generator")
    mesh m{s, [](unsigned part, unsigned parts) {
             if(part == 1)
               throw std::runtime_error("the file of this part is not there");
             return box_of_triangles{20, 20}(part, parts);
           }};
}
} // namespace

int main(int argc, char** argv) {
  return rondo::run(argc, argv, [&](scheduler& s) {
    make(s, argv[1]);
    std::puts("nobody has noticed");
    return 0;
  });
}
