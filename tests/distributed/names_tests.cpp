// What users call their own things, beside `using namespace rondo`.

#include <catch2/catch.hpp>
#include <rondo/core.hpp>
#include <rondo/rondo.hpp>
#include <strings.h>
#include <unistd.h>

#include "ranks.hpp"

using namespace rondo;

namespace task {
namespace {

int answer(int n) { return n + 1; }

// Each of these is something else outside of this namespace.
using parts = topo::index;
void link(parts::view c, field<double>::accessor<wo> x) { x() = static_cast<double>(c.color()); }
void serial(field<double>::accessor<rw> x) { x() += 1; }
void write(parts::view, field<double>::accessor<rw> x) { x() *= 2; }
double index(field<double>::accessor<ro> x) { return x(); }
double read(double x) { return x; }

} // namespace
} // namespace task

TEST_CASE("a program may keep its tasks in a namespace called task") {
  on_ranks(make_local_transports(2), 1,
    [](scheduler& s) { expect(s.execute<task::answer>(41).get() == 42); });
}

TEST_CASE(
  "in a namespace of their own tasks may be called as functions of the C library and of Rondo") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    topo::index parts{s, {.colors = 4}};
    field<double> x{parts, "x"};
    s.execute<task::link>(parts, x);
    s.execute<task::serial>(x);
    s.execute<task::write>(parts, x);
    expect(s.execute<task::read>(s.reduce<task::index, fold::sum>(x)).get() == 20);
  });
}
