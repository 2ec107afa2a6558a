// What the fragments of docs/verdicts.md take for granted.
#include <chrono>
#include <list>
#include <rondo/rondo.hpp>

using namespace rondo;
using namespace std::chrono_literals;
using std::chrono::microseconds;
using pieces = topo::index;
using line = structured<1>;
using numbers = field<double>;

namespace task {
void work(pieces::view, numbers::accessor<rw> x, microseconds time);
void work_at_end(pieces::view c, numbers::accessor<rw> x, microseconds time);
void add(pieces::view, numbers::accessor<rw> x, double a, double b);
double measure(pieces::view, numbers::accessor<rw> x, microseconds time);
void grow(line::view m, numbers::accessor<rw> u);
void smooth(
  line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from, microseconds time);
void fill(line::view m, numbers::accessor<wo> u, microseconds time);
}
extern scheduler& s;
