// What the fragments of README.md take for granted.
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

struct mesh {};
struct matrix {};
struct vector {};
using field = vector;
mesh load(const char* file);
matrix assemble(const mesh&);
vector right_side(const mesh&);
vector solve(const matrix&, const vector&);
void write(const vector&);
vector operator*(const matrix&, const vector&);
double norm(const vector&);
void relax(const field&, field&);
void measure(const field&, double&);

rondo::executor ex;
field u, v;
double error = 0;
