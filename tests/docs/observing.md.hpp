// What the fragments of docs/observing.md take for granted.
#include <rondo/digest.hpp>
#include <rondo/rondo.hpp>
#include <rondo/timeline.hpp>
#include <string>

using namespace rondo;
using mesh = structured<2>;
using numbers = field<double>;

void assemble(mesh::view m, numbers::accessor<wo> a);

extern executor ex;
extern scheduler& s;
extern const mesh& m;
extern numbers a;
