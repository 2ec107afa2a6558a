// the task is not an argument of execute, but of its template

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void go(scheduler& s, grid& m, numbers& u) {
  s.execute([](grid::view, numbers::accessor<rw>) {}, m, u);
}
