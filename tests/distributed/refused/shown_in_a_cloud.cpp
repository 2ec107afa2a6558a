// rondo::write_cloud: a cloud shows a number, or a std::array of numbers

#include <array>
#include <string>

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;

struct atom {
  std::array<double, 2> at;
};
std::string name(const atom&);

void go(scheduler& s, const grid& m, const particles<atom>& p) {
  s.write_cloud<&atom::at, name>("p.vtp", m, p);
}
