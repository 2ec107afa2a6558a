// What the fragments of docs/balance.md take for granted.
#include <cstdint>
#include <utility>
#include <vector>

#include <rondo/rondo.hpp>
#include <rondo/topologies.hpp>

using namespace rondo;
using grid = structured<2>;
struct charge {
  double x, y;
};
using charges = particles<charge>;

extern scheduler& s;
extern const grid m;
extern const charges p;
std::int64_t of_color(color_id c);
