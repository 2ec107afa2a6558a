// An elastic body of tetrahedra as a program of tasks, with the kernels and the output of peers/mpi/mesh_elastic.cpp.
//
//   mpirun -np 2 rondo_mesh_elastic --n 44 --passes 20 --colors 4

#include "rondo/programs/program.hpp"
#include "unstructured/elastic.hpp"

#include <rondo/unstructured.hpp>

using namespace rondo;
using bench::unstructured::corners;
using bench::unstructured::vector;

namespace {

using mesh = unstructured<kind::cells, kind::vertices>;
using numbers = field<double>;
using vectors = field<vector>;

vector at(const mesh::view& m, element<kind::vertices> v) {
  const position& p = m.at(v);
  return {p[0], p[1], p[2]};
}
template<class Row>
corners positions(const mesh::view& m, const Row& row) {
  return bench::unstructured::gather([&](element<kind::vertices> v) { return at(m, v); }, row);
}

void start(mesh::view m, vectors::accessor<wo> u, vectors::accessor<wo> velocity) {
  for(const auto v : m.owned<kind::vertices>()) {
    u(v) = bench::unstructured::displacement(at(m, v));
    velocity(v) = {};
  }
}
void weigh(mesh::view m, numbers::accessor<wo, fold::sum> mass) {
  for(const auto v : m.owned<kind::vertices>())
    mass(v) = 0;
  const auto vertices_of = m.vertices_of<4>();
  for(const auto c : m.owned<kind::cells>()) {
    const auto row = vertices_of(c);
    const double each = bench::unstructured::mass(positions(m, row));
    for(const auto v : row)
      mass(v) += each;
  }
}
void deform(mesh::view m, vectors::accessor<wo, fold::sum> f, vectors::accessor<ro, ro> u) {
  for(const auto v : m.owned<kind::vertices>())
    f(v) = {};
  const auto vertices_of = m.vertices_of<4>();
  for(const auto c : m.owned<kind::cells>()) {
    const auto row = vertices_of(c);
    bench::unstructured::forces(positions(m, row), bench::unstructured::gather(u, row),
      [&](std::size_t k, const vector& force) { f(row[k]) += force; });
  }
}
void move(mesh::view m, vectors::accessor<rw> u, vectors::accessor<rw> velocity,
  vectors::accessor<ro> f, numbers::accessor<ro> mass, double time) {
  for(const auto v : m.owned<kind::vertices>())
    bench::unstructured::move(u(v), velocity(v), f(v), time / mass(v), time);
}
double square(mesh::view m, vectors::accessor<ro> u) {
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>())
    sum += bench::unstructured::dot(u(v), u(v));
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t n = 44;
  std::uint64_t colors = 4;
  int passes = 20;
  int reps = 5;
  std::string mode = "repeat";
  bench::arguments args;
  args.add("--n", n, "cubes along each edge of the box, each of six tetrahedra").positive();
  args.add("--colors", colors, "of each rank").positive();
  args.add("--passes", passes, "how many, each time from the start").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    mesh m{s, box_of_tetrahedra{n, n, n}, {.colors = colors * s.ranks()}};
    vectors u{m.of<kind::vertices>(), "displacement"};
    vectors velocity{m.of<kind::vertices>(), "velocity"};
    vectors f{m.of<kind::vertices>(), "force"};
    numbers mass{m.of<kind::vertices>(), "mass"};
    s.execute<weigh>(m, mass);
    const double step = bench::unstructured::time_step(n);
    trace t;
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < reps; ++rep) {
      s.execute<start>(m, u, velocity);
      time.measure([&] {
        bench::programs::run_passes(s, mode, t, static_cast<std::uint64_t>(passes), [&] {
          s.execute<deform>(m, f, u);
          s.execute<move>(m, u, velocity, f, mass, step);
        });
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = {{"program", "Rondo, " + mode}, {"cells", m.count<kind::cells>()},
      {"ranks", s.ranks()}, {"threads", s.home().workers()}, {"colors", m.colors()},
      {"passes", passes}};
    time.report(line, "pass", passes);
    line["square"] = s.reduce<square, fold::sum>(m, u).get();
    bench::programs::print(s, line);
  });
}
