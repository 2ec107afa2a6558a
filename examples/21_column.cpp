// An elastic column that is held at one end and pulled at the other, on tetrahedra.
//
//     21_column [N [BLOCKS [FILE]]]                     (6 4)
//     mpirun -np 2 21_column 24 10 column.vtkhdf        column.0000.vtkhdf, ..., for ParaView
//
// Linear finite elements, explicit in time: in each step every tetrahedron pulls at its four corners. 2 N cubes along the column, N across, each of six
// tetrahedra. Some cells are stiffer than others, and each takes the mean of itself and of those over its faces, so the stiffness of
// neighbours is read in every step; as nobody changes it, it is fetched once. At the end the energy has to be what was put in.
//
// All cells have four corners, so tasks take `vertices_of<4>()`. Forces are arrays of three numbers, which `fold::sum` adds one by one.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include <rondo/options.hpp>
#include <rondo/unstructured.hpp>

using namespace rondo;
using mesh = unstructured<kind::cells, kind::vertices, links<kind::cells, kind::cells>>;
using corners = element_list<kind::vertices>;
using numbers = field<double>;
using vector = std::array<double, 3>;
using vectors = field<vector>;

namespace {

constexpr double pull = 0.01; // the speed of the end that is pulled, along x

vector operator-(const vector& a, const vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double dot(const vector& a, const vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
vector cross(const vector& a, const vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Of a tetrahedron: its volume, and how the linear functions grow that are 1 at one corner and 0 at the others.
struct shape {
  double volume;
  std::array<vector, 4> gradient{};

  shape(const mesh::view& m, const corners& v) {
    const std::array<vector, 3> edge{
      m.at(v[1]) - m.at(v[0]), m.at(v[2]) - m.at(v[0]), m.at(v[3]) - m.at(v[0])};
    const double six_volumes = dot(edge[0], cross(edge[1], edge[2]));
    volume = six_volumes / 6;
    for(std::size_t k = 0; k != 3; ++k) {
      gradient[k + 1] = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
      for(double& x : gradient[k + 1])
        x /= six_volumes;
      gradient[0] = gradient[0] - gradient[k + 1];
    }
  }
};

/// In a cell.
struct deformation {
  std::array<vector, 3> stress{};
  double energy = 0;

  deformation(
    const shape& s, const corners& v, const vectors::accessor<ro, ro>& u, double stiffness) {
    std::array<vector, 3> grows{}; // u, along each axis
    for(std::size_t k = 0; k != 4; ++k)
      for(std::size_t a = 0; a != 3; ++a)
        for(std::size_t b = 0; b != 3; ++b)
          grows[a][b] += u(v[k])[a] * s.gradient[k][b];
    const double all = grows[0][0] + grows[1][1] + grows[2][2];
    for(std::size_t a = 0; a != 3; ++a)
      for(std::size_t b = 0; b != 3; ++b) {
        const double strain = (grows[a][b] + grows[b][a]) / 2;
        stress[a][b] = stiffness * (2 * strain + (a == b ? all : 0)); // both of Lame's numbers
        energy += s.volume * stress[a][b] * strain / 2;
      }
  }
};

double mean(
  const mesh::view& m, const numbers::accessor<ro, ro>& stiffness, element<kind::cells> c) {
  const auto around = m.cells_of(c);
  double sum = stiffness(c);
  for(const auto n : around)
    sum += stiffness(n);
  return sum / static_cast<double>(1 + around.size());
}

namespace task {

void harden(mesh::view m, numbers::accessor<wo> stiffness) {
  for(const auto c : m.owned<kind::cells>())
    stiffness(c) = 1 + 0.1 * static_cast<double>(m.id(c) * 7 % 11);
}
void weigh(mesh::view m, numbers::accessor<wo, fold::sum> mass) {
  for(const auto v : m.owned<kind::vertices>())
    mass(v) = 0;
  const auto vertices_of = m.vertices_of<4>();
  for(const auto c : m.owned<kind::cells>()) {
    const double quarter = shape(m, vertices_of(c)).volume / 4;
    for(const auto v : vertices_of(c))
      mass(v) += quarter;
  }
}
void start(mesh::view m, vectors::accessor<wo> u, vectors::accessor<wo> speed,
  numbers::accessor<wo> put_in, numbers::accessor<ro> mass, mesh_set pulled) {
  for(const auto v : m.owned<kind::vertices>()) {
    u(v) = speed(v) = {};
    put_in(v) = 0;
  }
  for(const auto v : m.owned<kind::vertices>(pulled)) {
    speed(v) = {pull, 0, 0};
    put_in(v) = mass(v) * pull * pull / 2;
  }
}
void strain(mesh::view m, vectors::accessor<wo, fold::sum> force, vectors::accessor<ro, ro> u,
  numbers::accessor<ro, ro> stiffness) {
  for(const auto v : m.owned<kind::vertices>())
    force(v) = {};
  const auto vertices_of = m.vertices_of<4>();
  for(const auto c : m.owned<kind::cells>()) {
    const auto v = vertices_of(c);
    const shape s(m, v);
    const deformation d(s, v, u, mean(m, stiffness, c));
    for(std::size_t k = 0; k != 4; ++k) // also where the corner is another color's
      for(std::size_t a = 0; a != 3; ++a)
        force(v[k])[a] -= s.volume * dot(d.stress[a], s.gradient[k]);
  }
}
void move(mesh::view m, vectors::accessor<rw> u, vectors::accessor<rw> speed,
  numbers::accessor<rw> put_in, vectors::accessor<ro> force, numbers::accessor<ro> mass,
  mesh_set held, mesh_set pulled, double step) {
  for(const auto v : m.owned<kind::vertices>())
    for(std::size_t a = 0; a != 3; ++a)
      speed(v)[a] += step * force(v)[a] / mass(v);
  for(const auto v : m.owned<kind::vertices>(held))
    speed(v) = {};
  for(const auto v : m.owned<kind::vertices>(pulled)) {
    speed(v) = {pull, 0, 0};
    put_in(v) -= step * dot(force(v), speed(v)); // whoever pulls has to work against the force
  }
  for(const auto v : m.owned<kind::vertices>())
    for(std::size_t a = 0; a != 3; ++a)
      u(v)[a] += step * speed(v)[a];
}
double energy(mesh::view m, vectors::accessor<ro, ro> u, vectors::accessor<ro> speed,
  numbers::accessor<ro> mass, numbers::accessor<ro, ro> stiffness) {
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>())
    sum += mass(v) * dot(speed(v), speed(v)) / 2;
  const auto vertices_of = m.vertices_of<4>();
  for(const auto c : m.owned<kind::cells>()) {
    const auto v = vertices_of(c);
    sum += deformation(shape(m, v), v, u, mean(m, stiffness, c)).energy;
  }
  return sum;
}
double total(mesh::view m, numbers::accessor<ro> of) {
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>())
    sum += of(v);
  return sum;
}
/// On rank 0.
void report(double energy, double put_in, double time) {
  std::printf("time %.2f: energy %.6e, put in %.6e\n", time, energy, put_in);
}

} // namespace task

bool run_column(scheduler& s, std::int64_t n, int blocks, const std::string& file) {
  constexpr std::uint64_t steps = 100; // of a block
  const double step = 0.1 / static_cast<double>(2 * n);
  const mesh m{s, box_of_tetrahedra{2 * n, n, n}, {.colors = 24, .over = seen_over::faces}};
  const topology& at = m.of<kind::vertices>();
  const mesh_set held = m.find("left"), pulled = m.find("right");
  numbers stiffness{m, "stiffness"}, mass{at, "mass"}, put_in{at, "put in"};
  vectors u{at, "displacement"}, speed{at, "speed"}, force{at, "force"};
  std::optional<file_series> frames;
  if(!file.empty())
    frames.emplace(s, file);

  s.execute<task::harden>(m, stiffness);
  s.execute<task::weigh>(m, mass);
  s.execute<task::start>(m, u, speed, put_in, mass, pulled);
  future<double> energy, all_put_in;
  for(int block = 1; block <= blocks; ++block) {
    s.repeat(steps, [&] {
      s.execute<task::strain>(m, force, u, stiffness);
      s.execute<task::move>(m, u, speed, put_in, force, mass, held, pulled, step);
    });
    const double time = step * static_cast<double>(steps) * block;
    energy = s.reduce<task::energy, fold::sum>(m, u, speed, mass, stiffness);
    all_put_in = s.reduce<task::total, fold::sum>(m, put_in);
    s.execute<task::report>(energy, all_put_in, time);
    if(frames)
      frames->write(time, m, u, speed, stiffness);
  }
  s.wait(); // for what is still to be printed
  const double error = std::abs(energy.get() / all_put_in.get() - 1);
  const bool right =
    error < 0.02; // explicit steps keep it up to a part that goes with their length
  if(s.rank() == 0)
    std::printf("%lld tetrahedra: energy is wrong by %.1e%s\n",
      static_cast<long long>(m.count<kind::cells>()), error,
      right ? "" : ", which is too much: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t n = 6;
  int blocks = 4;
  std::string file;
  options o("An elastic column that is held at one end and pulled at the other, on tetrahedra.");
  o.argument("N", &n, "cubes across the column").between(2, 1000);
  o.argument("BLOCKS", &blocks, "of 100 steps").between(1, 1'000'000);
  o.argument("FILE", &file, "a series of files that ParaView reads, with one after each block");
  o.parse(argc, argv);
  return rondo::run(argc, argv,
    [&](scheduler& s) { return run_column(s, n, blocks, file) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
