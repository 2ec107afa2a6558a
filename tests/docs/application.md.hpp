// What the fragments of docs/application.md take for granted.
#include <algorithm>
#include <array>
#include <cmath>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <string>
#include <utility>

using namespace rondo;
using grid = structured<2>;
using state = std::array<double, 3>;
using states = field<state>;
using numbers = field<double>;
using counter = field<std::uint64_t>;

struct problem {
  std::int64_t points;
  double until;
  double width() const;
};

double speed(const state& q, int axis);
namespace task {
void begin(grid::view m, states::accessor<wo> q, problem p);
double fastest(grid::view m, states::accessor<ro> q);
void choose(numbers::accessor<rw> dt, numbers::accessor<rw> time, double fastest, problem p);
void step(grid::view m, states::accessor<wo> to, states::accessor<ro, ro> q,
  numbers::accessor<ro> dt, problem p);
double get(numbers::accessor<ro> x);
std::uint64_t get_count(counter::accessor<ro> x);
void copy(grid::view m, states::accessor<ro> q, numbers::accessor<wo> height);
}
void simulate(scheduler& s, problem p, const std::string& output);

extern scheduler& s;
extern const grid& m;
extern states q, next;
extern topo::global& here;
#define time time_of_waves // the C library has a function of that name
extern numbers time, dt, height;
extern counter passes;
#define LOCALS problem p
extern std::string from;
extern int argc;
extern char** argv;
