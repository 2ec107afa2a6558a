// Files of fields: what one number of ranks writes, any other reads.

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "folder_of_test.hpp"
#include "numbers_in_files.hpp"
#include "ranks.hpp"

#if defined(RONDO_SANITIZED)
// HDF5 can't close a file that it can't write, and so keeps what it knows of it.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; } // NOLINT: its name
#endif

using namespace rondo;
using namespace numbers_in_files;

namespace {

namespace fs = std::filesystem;

using triple = std::array<float, 3>;
struct particle {
  double mass;
  std::int32_t kind;
  std::int32_t charge;
};

template<std::size_t D>
double value_at(const point<D>& p) {
  double x = 0.5;
  for(const std::int64_t i : p)
    x = 1000 * x + static_cast<double>(i);
  return x;
}

template<std::size_t D, class F>
void for_each_point(const box<D>& b, const F& f) {
  b.for_each_row([&](point<D> p, std::int64_t n) {
    for(std::int64_t i = 0; i != n; ++i, ++p[0])
      f(p);
  });
}

/// Of an accessor, at a point.
template<class A, std::size_t D>
auto& at(A& a, const point<D>& p) {
  return std::apply([&](auto... i) -> auto& { return a(i...); }, p);
}

template<std::size_t D>
void fill(typename structured<D>::view m, typename field<double>::accessor<wo> u,
  typename field<std::int32_t>::accessor<wo> n, typename field<triple>::accessor<wo> v,
  typename field<particle>::accessor<wo> q) {
  for_each_point(m.owned(), [&](const point<D>& p) {
    const double x = value_at(p);
    at(u, p) = x;
    at(n, p) = static_cast<std::int32_t>(x);
    at(v, p) = {static_cast<float>(p[0]), static_cast<float>(x), -1};
    at(q, p) = {x / 3, 7, static_cast<std::int32_t>(p[0])};
  });
}

template<std::size_t D>
std::int64_t wrong_points(typename structured<D>::view m, typename field<double>::accessor<ro> u,
  typename field<std::int32_t>::accessor<ro> n, typename field<triple>::accessor<ro> v,
  typename field<particle>::accessor<ro> q) {
  std::int64_t wrong = 0;
  for_each_point(m.owned(), [&](const point<D>& p) {
    const double x = value_at(p);
    const particle& there = at(q, p);
    const bool is_right = at(u, p) == x && at(n, p) == static_cast<std::int32_t>(x) &&
                          at(v, p) == triple{static_cast<float>(p[0]), static_cast<float>(x), -1} &&
                          there.mass == x / 3 && there.kind == 7 && there.charge == p[0];
    wrong += is_right ? 0 : 1;
  });
  return wrong;
}

template<std::size_t D>
struct program {
  structured_options<D> shape;
  std::string path;

  void write(unsigned ranks) const {
    on_ranks(make_local_transports(ranks), 2, [this](scheduler& s) {
      const structured<D> m{s, shape};
      const field<double> u{m, "u"};
      const field<std::int32_t> n{m, "n"};
      const field<triple> v{m, "velocity <m per s> & \"more\""};
      const field<particle> q{m, "q"};
      s.execute<fill<D>>(m, u, n, v, q);
      const future<std::uint64_t> bytes =
        s.write(path, {.time = make_ready<double>(0.1)}, m, u, n, v, q).bytes;
      s.execute<fill<D>>(m, u, n, v, q);
      expect(
        bytes.get() == static_cast<std::uint64_t>(m.coloring().mesh().size()) * (8 + 4 + 12 + 16));
    });
  }
  void read(unsigned ranks, const point<D>& colors) const {
    on_ranks(make_local_transports(ranks), 2, [this, &colors](scheduler& s) {
      structured_options<D> other = shape;
      other.colors = colors;
      const structured<D> m{s, other};
      field<triple> v{m, "velocity <m per s> & \"more\""};
      field<particle> q{m, "q"};
      field<double> u{m, "u"};
      field<std::int32_t> n{m, "n"};
      const future<double> time = s.read(path, m, q, u, v, n).time;
      expect(s.reduce<wrong_points<D>, fold::sum>(m, u, n, v, q).get() == 0);
      expect(time.get() == 0.1);
    });
  }
};

} // namespace

TEST_CASE("what is written in one dimension is read on any number of ranks") {
  const folder_of_test here;
  const program<1> p{{.extents = {101}, .colors = {7}}, here / name_of("line")};
  p.write(GENERATE(1U, 3U));
  p.read(1, {1});
  p.read(4, {9});
}

TEST_CASE("what is written in two dimensions is read on any number of ranks") {
  const folder_of_test here;
  const program<2> p{{.extents = {37, 23}, .colors = {3, 4}}, here / name_of("plane")};
  p.write(GENERATE(1U, 2U, 4U));
  p.read(1, {1, 1});
  p.read(3, {1, 5});
  p.read(4, {6, 2});
}

TEST_CASE("what is written in three dimensions is read on any number of ranks") {
  const folder_of_test here;
  const program<3> p{{.extents = {13, 11, 9}, .colors = {2, 2, 2}}, here / name_of("room")};
  p.write(GENERATE(1U, 3U));
  p.read(2, {1, 3, 2});
  p.read(4, {1, 1, 4});
}

namespace {

void add_left(line::view m, numbers::accessor<rw, ro> x) {
  for(const auto i : m.interior(0))
    x(i) = x(i - 1) + 1;
}
std::int64_t sum_of_neighbours(line::view m, numbers::accessor<ro, ro> x) {
  std::int64_t sum = 0;
  for(const auto i : m.interior(0))
    sum += x(i - 1) + x(i + 1);
  return sum;
}

} // namespace

TEST_CASE("values that go to the disk in place are read on any number of ranks") {
  const folder_of_test here;
  // Rows of 1003 points begin and end anywhere in a page.
  const program<2> p{
    {.extents = {1003, 400}, .colors = GENERATE(point<2>{1, 3}, point<2>{1, 8}, point<2>{2, 2})},
    here / name_of("large")};
  p.write(GENERATE(1U, 2U, 3U));
  CHECK(here.files() == 1);
  p.read(1, {1, 1});
  p.read(2, {4, 1});
}

TEST_CASE("a file of more fields than the one before, and of fewer again") {
  const folder_of_test here;
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    const structured<2> m{s, {.extents = {300, 500}}};
    const field<double> u{m, "u"};
    const field<std::int32_t> n{m, "n"};
    const field<triple> v{m, "v"};
    const field<particle> q{m, "q"};
    s.execute<fill<2>>(m, u, n, v, q);
    s.write(here / "one.vti", m, n);
    s.write(here / "all.vti", m, u, n, v, q);
    s.write(here / "two.vti", m, v, n);
    field<double> u2{m, "u"};
    field<std::int32_t> n2{m, "n"};
    field<triple> v2{m, "v"};
    field<particle> q2{m, "q"};
    s.read(here / "all.vti", m, u2, n2, v2, q2);
    expect(s.reduce<wrong_points<2>, fold::sum>(m, u2, n2, v2, q2).get() == 0);
    s.read(here / "one.vti", m, n2);
    s.read(here / "two.vti", m, v2);
    expect(s.reduce<wrong_points<2>, fold::sum>(m, u2, n2, v2, q2).get() == 0);
  });
}

TEST_CASE("a file has what the field was when it was launched, and is read by what comes behind") {
  const folder_of_test here;
  const std::string path = here / "x.vti";
  on_ranks(make_local_transports(GENERATE(1U, 3U)), GENERATE(1U, 2U), [&](scheduler& s) {
    const line m = mesh(s);
    numbers x{m, "x"};
    s.execute<set_to>(m, x, std::int64_t{0});
    for(int i = 0; i != 20; ++i) { // each over the one before
      s.execute<increment>(m, x);
      s.write(path, m, x);
    }
    s.execute<set_to>(m, x, std::int64_t{-1});
    s.read(path, m, x);
    expect(s.reduce<sum_of, fold::sum>(m, x).get() == 20 * points);
    // Ghosts that were fetched before are old now.
    s.execute<set_to>(m, x, std::int64_t{3});
    expect(s.reduce<sum_of_neighbours, fold::sum>(m, x).get() == 6 * (points - 2));
    s.read(path, m, x);
    expect(s.reduce<sum_of_neighbours, fold::sum>(m, x).get() == 40 * (points - 2));
  });
  CHECK(here.files() == 1);
}

namespace {
void set_all(numbers::accessor<wo> n, std::int64_t value) { n() = value; }
std::int64_t value_here(numbers::accessor<ro> n) { return n(); }
} // namespace

TEST_CASE("what all have is written with color 0, wherever that goes") {
  const folder_of_test here;
  on_ranks(make_local_transports(3), 1, [&](scheduler& s) {
    line m{s, {.extents = {40}, .colors = {6}}};
    topo::global everywhere{s};
    numbers x{m, "x"}, all{everywhere, "all"};
    s.execute<set_to>(m, x, std::int64_t{2});
    s.execute<set_all>(all, std::int64_t{5});
    // All but one color are on one rank then.
    m.balance({.cost = [](color_id c) { return c == 5 ? 100. : 1e-3; }, .least_gain = 0});
    s.write(here / "x.vti", m, x, all);
    s.execute<set_all>(all, std::int64_t{0});
    s.read(here / "x.vti", m, x, all);
    expect(s.reduce<value_here, fold::sum>(all).get() == 5);
    expect(s.reduce<sum_of, fold::sum>(m, x).get() == 80);
  });
}

TEST_CASE("a field whose colors lie apart is written and read") {
  const folder_of_test here;
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    const line m = mesh(s);
    numbers x{m, "x"};
    s.execute<set_to>(m, x, std::int64_t{0});
    s.execute<add_left>(m, x); // 0 1 2 3 4, then 1 2 3 4 5 in each color, and 1 2 3 4 0
    s.write(here / "x.vti", m, x);
    s.execute<add_left>(m, x);
    s.read(here / "x.vti", m, x);
    expect(s.reduce<sum_of, fold::sum>(m, x).get() == 10 + 6 * 15 + 10);
  });
}

TEST_CASE("a file that can't be written is a failure, and the one before stays") {
  const folder_of_test here;
  const std::string path = here / name_of("x");
  const auto write = [&](scheduler& s, std::int64_t value) {
    const line m = mesh(s);
    const numbers x{m, "x"};
    s.execute<set_to>(m, x, value);
    s.write(path, m, x);
    return thrown_by([&] { s.wait(); });
  };
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) { expect(write(s, 5).empty()); });
  const std::string before = text_of(path);
  // As on a full disk, the system does not write on.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{100, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  std::string why;
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) { why = write(s, 6); });
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(why.find("can't write '" + path) != std::string::npos);
  CHECK(text_of(path) == before);
  CHECK(here.files() == 1);
  on_ranks(
    make_local_transports(1), 2, [&](scheduler& s) { expect(sum_in(s, path) == 5 * points); });
}

TEST_CASE("what is wrong with a file of fields is said in a sentence") {
  const folder_of_test here;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const line m = mesh(s);
    const line other{s, {.extents = {points + 1}, .colors = {8}}};
    numbers x{m, "x"};
    numbers y{m, "y"};
    numbers x_too{other, "x"};
    field<double> real{m, "x"};
    s.execute<set_to>(m, x, std::int64_t{1});
    s.write(here / "x.vti", m, x);
    const auto says = [&](const std::string& what, const auto& f) {
      const std::string said = thrown_by([&] {
        f();
        s.wait();
      });
      INFO(said);
      expect(said.find(what) != std::string::npos);
    };
    says("it has no field 'y', but 'x'", [&] { s.read(here / "x.vti", m, y); });
    says("41 x 1 x 1", [&] { s.read(here / "x.vti", other, x_too); });
    says(
      "values of Int64, and the program's has Float64", [&] { s.read(here / "x.vti", m, real); });
    says("No such file", [&] { s.read(here / "none.vti", m, x); });
    says("No such file", [&] { s.read(here / "none.h5", m, x); });
    says(".vti, .vtkhdf, .h5 or .png", [&] { s.write(here / "x.txt", m, x); });
    says(".pvd is for a file_series", [&] { s.write(here / "x.pvd", m, x); });
    says("two fields have the name 'x'", [&] { s.write(here / "x.vti", m, x, real); });
    says("belongs to another topology", [&] { s.write(here / "x.vti", m, x_too); });
    // Of the same colors, or seen by all of them, but not with values for points.
    const topo::index pieces{m};
    const topo::index others{s, {.colors = 8}};
    const topo::global everywhere{s};
    numbers of_colors{pieces, "x"};
    numbers of_others{others, "x"};
    numbers global{everywhere, "x"};
    says("field 'x' belongs to another topology", [&] { s.write(here / "x.vti", m, of_others); });
    says("field 'x' belongs to another topology", [&] { s.read(here / "x.vti", m, of_others); });
    says("its field 'x' has values for points", [&] { s.read(here / "x.vti", m, of_colors); });
    says("its field 'x' has values for points", [&] { s.read(here / "x.vti", m, global); });
    says("in two dimensions", [&] { s.write(here / "x.png", m, global); });
    says("a picture has no values", [&] {
      std::ofstream(here / "x.png") << "any";
      s.read(here / "x.png", m, x);
    });
    const numbers per{m, "m/s"};
    says("has no '/'", [&] { s.write(here / "x.h5", m, per); });
    says("in two dimensions", [&] { s.write(here / "x.png", m, x); });
    says("every = 0", [&] { file_series(s, here / "x.pvd", {.every = 0}); });
    says("can't make the directory", [&] { s.write(here / "x.vti/x.vti", m, x); });
    std::ofstream(here / "other.vti") << "<VTKFile type=\"PolyData\">";
    says("it is no image of VTK", [&] { s.read(here / "other.vti", m, x); });
    std::ofstream(here / "other.h5") << "nonsense";
    says("no file of HDF5", [&] { s.read(here / "other.h5", m, x); });
    fs::resize_file(here / "x.vti", fs::file_size(here / "x.vti") / 2);
    says("the values of 'x' are not all there", [&] { s.read(here / "x.vti", m, x); });
  });
}

namespace {
void add_one(numbers::accessor<rw> n) { ++n(); }
std::int64_t get_one(numbers::accessor<ro> n) { return n(); }
struct of_all {
  using triples = field<triple>;
  static void set_all(triples::accessor<wo> x, std::int64_t first) {
    for(std::int64_t i = 0; i != 5; ++i)
      x(i) = {static_cast<float>(first + i), 1, 2};
  }
  static void set_time(field<double>::accessor<wo> t, double x) { t() = x; }
  static void set_color(line::view m, numbers::accessor<wo> x, std::int64_t by) {
    x() = by + static_cast<std::int64_t>(m.color() * m.color());
  }
  static std::int64_t wrong(line::view m, triples::accessor<ro> x, field<double>::accessor<ro> t,
    numbers::accessor<ro> of_color, std::int64_t first) {
    std::int64_t count = t() == 0.25 ? 0 : 1;
    for(std::int64_t i = 0; i != 5; ++i)
      count += x(i) == triple{static_cast<float>(first + i), 1, 2} ? 0 : 1;
    return count + (of_color() == first + static_cast<std::int64_t>(m.color() * m.color()) ? 0 : 1);
  }
};
} // namespace

TEST_CASE("values of colors, and those that all ranks have, are read on any number of ranks") {
  const folder_of_test here;
  const std::string path = here / name_of("x");
  const auto with_fields = [&](unsigned ranks, const auto& f) {
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const line m = mesh(s);
      const topo::index pieces{m};
      const topo::global here_too{s}, five{s, {.size = 5}};
      numbers x{m, "x"}, of_color{pieces, "of color"};
      field<double> t{here_too, "t"};
      field<triple> v{five, "five"};
      f(s, m, x, of_color, t, v);
    });
  };
  with_fields(
    GENERATE(1U, 2U, 4U), [&](scheduler& s, auto& m, auto& x, auto& of_color, auto& t, auto& v) {
      s.execute<set_to>(m, x, std::int64_t{3});
      s.execute<of_all::set_color>(m, of_color, std::int64_t{70});
      s.execute<of_all::set_time>(t, 0.25);
      s.execute<of_all::set_all>(v, std::int64_t{70});
      s.write(path, m, t, x, v, of_color);
      s.execute<of_all::set_color>(m, of_color, std::int64_t{0}); // too late
      s.execute<of_all::set_time>(t, 0.0);
      s.execute<of_all::set_all>(v, std::int64_t{0});
    });
  for(const unsigned ranks : {1U, 3U})
    with_fields(ranks, [&](scheduler& s, auto& m, auto& x, auto& of_color, auto& t, auto& v) {
      s.execute<of_all::set_time>(t, 1.0);
      s.read(path, m, of_color, v, x, t);
      expect(s.reduce<sum_of, fold::sum>(m, x).get() == 3 * points);
      expect(s.reduce<of_all::wrong, fold::sum>(m, v, t, of_color, std::int64_t{70}).get() == 0);
    });
  // What doesn't fit is told.
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {5}}};
    const topo::index pieces{m};
    const topo::global one{s};
    numbers of_color{pieces, "of color"}, x{one, "x"};
    field<triple> v{one, "five"};
    const auto says = [&](const std::string& what, auto& f) {
      const std::string said = thrown_by([&] {
        s.read(path, m, f);
        s.wait();
      });
      INFO(said);
      expect(said.find(what) != std::string::npos);
    };
    says("'of color' has 8 values, one for each color of the mesh that was written, and this one "
         "has 5 colors; make it with the same ones",
      of_color);
    says("'five' has 5 values, and the program's has 1", v);
    says("'x' has values for points, and the program's for colors, or global ones", x);
    field<double> points_too{m, "t"};
    says("'t' has no values for points", points_too);
  });
}

TEST_CASE("values that all ranks have are written in loops, beside those of the mesh") {
  const folder_of_test here;
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const line m = mesh(s);
    const topo::global all{s};
    numbers x{m, "x"}, count{all, "count"};
    s.execute<set_to>(m, x, std::int64_t{0});
    file_series files(s, here / "x.vti", {.every = 2});
    s.repeat(6, [&] {
      s.execute<increment>(m, x);
      s.execute<add_one>(count);
      files.write(m, x, count);
    });
    s.wait();
    for(std::int64_t k = 0; k != 3; ++k) {
      s.read(here / ("x.000" + std::to_string(k) + ".vti"), m, x, count);
      expect(s.reduce<sum_of, fold::sum>(m, x).get() == (2 * k + 1) * points);
      expect(s.reduce<get_one, fold::sum>(count).get() == 2 * k + 1);
    }
  });
}

namespace {
void ramp(structured<2>::view m, field<double>::accessor<wo> u) {
  for_each_point(
    m.owned(), [&](const point<2>& p) { at(u, p) = static_cast<double>(p[0] + p[1]); });
}
} // namespace

TEST_CASE("a picture is one, from any number of ranks the same") {
  const folder_of_test here;
  for(const unsigned ranks : {1U, 4U})
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const structured<2> m{s, {.extents = {40, 30}, .colors = {4, 3}}};
      const field<double> u{m, "u"};
      s.execute<ramp>(m, u);
      s.write(here / (ranks == 1 ? "1.png" : "4.png"), m, u);
    });
  const std::string one = text_of(here / "1.png");
  CHECK(one == text_of(here / "4.png"));
  REQUIRE(one.size() > 100);
  CHECK(one.substr(1, 3) == "PNG");
  const auto number = [&](std::size_t i) { return static_cast<unsigned char>(one[i]); };
  CHECK(number(19) == 40); // width and height
  CHECK(number(23) == 30);
  CHECK(here.files() == 2);
}
