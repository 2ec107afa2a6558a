// The deepest tone of a round membrane, on an unstructured mesh.
//
//     16_membrane [RINGS [MESH]]                        (24)
//     mpirun -np 4 16_membrane 200
//     16_membrane 0 drum.msh                            any drum that Gmsh has made
//
// -Laplace u = lambda u on a disc, and u = 0 on its rim: the least lambda is the square of the first zero of the Bessel function J0, 5.78318596.
// Linear finite elements on triangles; the disc is RINGS rings of them. Each pass of the outer loop divides u by the Laplacian, which a
// loop of conjugate gradients in it does, until lambda stays as it is. Nobody waits for a number: both loops end when a future says so.
//
// Tasks go over triangles, and contribute to vertices, some of which are other colors'.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include <rondo/options.hpp>
#include <rondo/unstructured.hpp>

using namespace rondo;
using mesh = unstructured<kind::cells, kind::vertices>;
using numbers = field<double>;

namespace {

constexpr double exact = 5.783185962946785;

/// RINGS rings of triangles. The vertices of a ring are numbered around it, those of the first ring behind the center, which is 0.
struct disc {
  std::int64_t rings;

  mesh_piece operator()(unsigned part, unsigned parts) const {
    mesh_piece p{.dimension = 2};
    const std::int64_t first = rings * part / parts;
    const std::int64_t last = rings * (part + 1) / parts;
    for(std::int64_t r = first; r <= last && first != last; ++r)
      for(std::int64_t k = 0; k != std::max<std::int64_t>(6 * r, 1); ++k) {
        const double angle = std::acos(-1) / 3 * double(k) / double(std::max<std::int64_t>(r, 1));
        const double radius = double(r) / double(rings);
        p.add_vertex(vertex(r, k), {radius * std::cos(angle), radius * std::sin(angle)});
      }
    for(std::int64_t r = first; r != last; ++r)
      for(std::int64_t sixth = 0; sixth != 6; ++sixth)
        for(std::int64_t k = 0; k <= r; ++k) {
          const std::int64_t inner = sixth * r + k;
          const std::int64_t outer = sixth * (r + 1) + k;
          p.add_cell({vertex(r, inner), vertex(r + 1, outer), vertex(r + 1, outer + 1)});
          if(k != r)
            p.add_cell({vertex(r, inner), vertex(r + 1, outer + 1), vertex(r, inner + 1)});
          if(r + 1 == rings)
            p.name("rim", {vertex(r + 1, outer), vertex(r + 1, outer + 1)});
        }
    return p;
  }
  static std::int64_t vertex(std::int64_t ring, std::int64_t k) {
    return ring == 0 ? 0 : 3 * ring * (ring - 1) + 1 + k % (6 * ring);
  }
};

/// Of a triangle: its area, and how a function grows in it that is 1 at one corner and 0 at the others.
struct triangle {
  triangle(const mesh::view& m, element<kind::cells> c) : corners(m.vertices_of(c)) {
    const position a = m.at(corners[0]);
    const position b = m.at(corners[1]);
    const position d = m.at(corners[2]);
    const double twice = (b[0] - a[0]) * (d[1] - a[1]) - (d[0] - a[0]) * (b[1] - a[1]);
    area = std::abs(twice) / 2;
    x[0] = (b[1] - d[1]) / twice, x[1] = (d[1] - a[1]) / twice, x[2] = (a[1] - b[1]) / twice;
    y[0] = (d[0] - b[0]) / twice, y[1] = (a[0] - d[0]) / twice, y[2] = (b[0] - a[0]) / twice;
  }
  element_list<kind::vertices> corners;
  double area;
  double x[3];
  double y[3];
};

namespace task {

/// What of the disc belongs to each vertex.
void weigh(mesh::view m, numbers::accessor<rw, fold::sum> weight) {
  for(const auto c : m.owned<kind::cells>()) {
    const triangle t(m, c);
    for(const auto v : t.corners)
      weight(v) += t.area / 3;
  }
}
void strike(mesh::view m, numbers::accessor<wo> u, mesh_set rim) {
  for(const auto v : m.owned<kind::vertices>())
    u(v) = 1;
  for(const auto v : m.owned<kind::vertices>(rim))
    u(v) = 0;
}

/// x = 0, r = p = M u. Returns |r|^2.
double begin(mesh::view m, numbers::accessor<wo> x, numbers::accessor<wo> r,
  numbers::accessor<wo> p, numbers::accessor<wo> q, numbers::accessor<ro> u,
  numbers::accessor<ro> weight) {
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>()) {
    x(v) = q(v) = 0;
    r(v) = p(v) = weight(v) * u(v);
    sum += r(v) * r(v);
  }
  return sum;
}
/// q += A p, triangle by triangle.
void apply(mesh::view m, numbers::accessor<rw, fold::sum> q, numbers::accessor<ro, ro> p) {
  for(const auto c : m.owned<kind::cells>()) {
    const triangle t(m, c);
    double x = 0;
    double y = 0;
    for(std::size_t k = 0; k != 3; ++k) {
      x += p(t.corners[k]) * t.x[k];
      y += p(t.corners[k]) * t.y[k];
    }
    for(std::size_t k = 0; k != 3; ++k)
      q(t.corners[k]) += t.area * (x * t.x[k] + y * t.y[k]);
  }
}
/// On the rim nothing moves. Returns p q.
double hold(mesh::view m, numbers::accessor<rw> q, numbers::accessor<ro> p, mesh_set rim) {
  for(const auto v : m.owned<kind::vertices>(rim))
    q(v) = 0;
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>())
    sum += p(v) * q(v);
  return sum;
}
/// x += alpha p, r -= alpha q. Returns |r|^2; q is 0 then.
double advance(mesh::view m, numbers::accessor<rw> x, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<rw> q, double alpha) {
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>()) {
    x(v) += alpha * p(v);
    r(v) -= alpha * q(v);
    q(v) = 0;
    sum += r(v) * r(v);
  }
  return sum;
}
void turn(mesh::view m, numbers::accessor<rw> p, numbers::accessor<ro> r, double beta) {
  for(const auto v : m.owned<kind::vertices>())
    p(v) = r(v) + beta * p(v);
}

double squared(mesh::view m, numbers::accessor<ro> x, numbers::accessor<ro> weight) {
  double sum = 0;
  for(const auto v : m.owned<kind::vertices>())
    sum += weight(v) * x(v) * x(v);
  return sum;
}
void scale(mesh::view m, numbers::accessor<wo> u, numbers::accessor<ro> x, double squared) {
  for(const auto v : m.owned<kind::vertices>())
    u(v) = x(v) / std::sqrt(squared);
}
/// These run on rank 0.
void report(double squared, std::uint64_t pass) {
  std::printf(
    "pass %llu: lambda = %.10f\n", static_cast<unsigned long long>(pass), 1 / std::sqrt(squared));
}

} // namespace task

using two_numbers = std::tuple<double, double>;
double quotient(const two_numbers& of) { return std::get<0>(of) / std::get<1>(of); }
bool are_close(const two_numbers& of) {
  return std::abs(std::get<0>(of) - std::get<1>(of)) <= 1e-9 * std::get<1>(of);
}

bool solve(scheduler& s, const mesh& m, std::int64_t rings) {
  const topology& at = m.of<kind::vertices>();
  const mesh_set rim = m.find("rim");
  numbers weight{at, "weight"}, u{at, "u"}, x{at, "x"}, r{at, "r"}, p{at, "p"}, q{at, "q"};
  s.execute<task::weigh>(m, weight);
  s.execute<task::strike>(m, u, rim);

  future<double> squared = s.reduce<task::squared, fold::sum>(m, u, weight);
  const auto [passes, found] = s.iterate({.max = 100}, [&](std::uint64_t pass) {
    const future<double> start = s.reduce<task::begin, fold::sum>(m, x, r, p, q, u, weight);
    future<double> r2 = start;
    s.iterate({}, [&] {
      s.execute<task::apply>(m, q, p);
      const future<double> pq = s.reduce<task::hold, fold::sum>(m, q, p, rim);
      const future<double> before = r2;
      r2 = s.reduce<task::advance, fold::sum>(m, x, r, p, q, when_all(r2, pq).then(quotient));
      s.execute<task::turn>(m, p, r, when_all(r2, before).then(quotient));
      return when_all(r2, start).then(
        [](const two_numbers& of) { return std::get<0>(of) <= 1e-22 * std::get<1>(of); });
    });
    const future<double> last = squared;
    squared = s.reduce<task::squared, fold::sum>(m, x, weight);
    s.execute<task::scale>(m, u, x, squared);
    s.execute<task::report>(squared, pass);
    return leave_if(when_all(squared, last).then(are_close), squared);
  });

  if(rings == 0) // of another drum nobody knows it
    return s.wait(), true;
  const double error = std::abs(1 / std::sqrt(found.get()) / exact - 1);
  const bool right = error < 3. / double(rings * rings);
  if(s.rank() == 0)
    std::printf("%lld triangles: wrong by %.1e%s\n", static_cast<long long>(m.count<kind::cells>()),
      error, right ? "" : ", which is too much: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t rings = 24;
  std::string file;
  options o("The deepest tone of a round membrane, on an unstructured mesh.");
  o.argument("RINGS", &rings, "of triangles").between(0, 10'000);
  o.argument("MESH", &file, "a file of Gmsh, in place of the disc");
  o.parse(argc, argv);
  return rondo::run(argc, argv, [&](scheduler& s) {
    const bool is_disc = file.empty();
    const mesh m = is_disc ? mesh{s, disc{std::max<std::int64_t>(rings, 2)}, {.colors = 16}}
                           : mesh{s, gmsh_file(file), {.colors = 16}};
    return solve(s, m, is_disc ? std::max<std::int64_t>(rings, 2) : 0) ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
  });
}
