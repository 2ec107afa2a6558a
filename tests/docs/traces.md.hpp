// What the fragments of docs/traces.md take for granted.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <rondo/flow.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using field = std::vector<double>;
void smooth(const field&, field&);
void print(const field&);

rondo::executor ex;
rondo::flow flow(ex);
field u, v;
double sum = 0;
rondo::region ru(flow, u, "u");
rondo::region rv(flow, v, "v");
rondo::region rs(flow, sum, "sum");

void grow(field&);
void add(const field&, double&);
double norm(const field&);
void set_border(field&);
int steps_of(int window);
struct no_luck {};
bool error_is_wanted = false;
int pass = 0;
field a, b;
rondo::region<field> r[2] = {{flow, a, "a"}, {flow, b, "b"}};
std::vector<rondo::region<field>*> blocks;
rondo::trace t, outer, inner;
