// rondo::write_cloud: a position is a std::array of one to three numbers, or a number

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;

struct corner {
  double x, y;
};
struct atom {
  corner at;
};

void go(scheduler& s, const grid& m, const particles<atom>& p) {
  s.write_cloud<&atom::at>("p.vtp", m, p);
}
