// files_for_vtk FOLDER: files of fields with values that read_by_vtk knows.

#include <array>
#include <cstdio>
#include <string>

#include <rondo/rondo.hpp>

using namespace rondo;
using triple = std::array<float, 3>;

namespace {
void fill_plane(
  structured<2>::view m, field<double>::accessor<wo> u, field<triple>::accessor<wo> v) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      u(i, j) = static_cast<double>(i + 100 * j);
      v(i, j) = {static_cast<float>(i), static_cast<float>(j), -1};
    }
}
void fill_room(
  structured<3>::view m, field<double>::accessor<wo> u, field<std::int32_t>::accessor<wo> n) {
  for(const auto k : m.owned(2))
    for(const auto j : m.owned(1))
      for(const auto i : m.owned(0)) {
        u(i, j, k) = static_cast<double>(i + 100 * j + 10000 * k);
        n(i, j, k) = static_cast<std::int32_t>(i);
      }
}
void fill_others(structured<3>::view m, field<double>::accessor<wo> sum) {
  sum() = static_cast<double>(10 + m.color());
}
void fill_rows(structured<3>::view m, field<ragged<double>>::accessor<wo> h) {
  for(const auto k : m.owned(2))
    for(const auto j : m.owned(1))
      for(const auto i : m.owned(0))
        for(std::int64_t n = 0; n != (i + j + k) % 3; ++n)
          h(i, j, k).push_back(
            static_cast<double>(i + 100 * j + 10000 * k) + 0.25 * static_cast<double>(n));
}
struct atom {
  triple at;
  std::int32_t kind;
};
void fill_atoms(structured<3>::view m, particles<atom>::accessor<wo> p) {
  for(const auto k : m.owned(2))
    for(const auto j : m.owned(1))
      for(const auto i : m.owned(0))
        if((i + j + k) % 2 == 0)
          p.push_back({{static_cast<float>(i) + 0.5F, static_cast<float>(j), static_cast<float>(k)},
            static_cast<std::int32_t>(i + 10 * j)});
}
double height(const atom& a) { return 2 * a.at[2]; }
void fill_all(field<triple>::accessor<wo> x) {
  x(0) = {1, 2, 3};
  x(1) = {4, 5, 6};
}
} // namespace

int main(int argc, char** argv) {
  if(argc != 2) {
    std::fprintf(stderr, "usage: files_for_vtk FOLDER\n");
    return 1;
  }
  const std::string folder = std::string(argv[1]) + "/";
  return rondo::run(argc, argv, [&folder](scheduler& s) {
    const mesh_in_space where{{1, 2, 3}, {0.5, 0.25, 0.125}};
    const structured<2> plane{s, {.extents = {13, 7}, .colors = {3, 2}}};
    const field<double> u{plane, "u"};
    const field<triple> v{plane, "v & \"w\""};
    s.execute<fill_plane>(plane, u, v);
    file_series all(s, folder + "plane.pvd", {.where = where});
    for(const double time : {0.5, 1.5, 4.0})
      all.write(time, plane, u, v);
    const structured<3> room{s, {.extents = {5, 6, 7}, .colors = {2, 2, 2}}};
    const field<double> w{room, "u"};
    const field<std::int32_t> n{room, "n"};
    s.execute<fill_room>(room, w, n);
    const topo::index pieces{room};
    const topo::global two{s, {.size = 2}};
    const field<double> sum{pieces, "sum"};
    const field<triple> all_have{two, "all"};
    s.execute<fill_others>(room, sum);
    s.execute<fill_all>(all_have);
    const field<ragged<double>> h{room, "h"};
    const field<ragged<double>> none{room, "none"};
    const particles<atom> atoms{room, "atoms"};
    s.execute<fill_rows>(room, h);
    s.execute<fill_atoms>(room, atoms);
    s.write(folder + "room.vti", {.where = where}, room, w, n, sum, all_have, h, none, atoms);
    s.write(folder + "room.vtkhdf", {.where = where}, room, w, n, sum, all_have, h, none, atoms);
    s.write_cloud<&atom::at, &atom::kind, height>(
      folder + "atoms.vtp", {.time = make_ready<double>(2.5)}, room, atoms);
  });
}
