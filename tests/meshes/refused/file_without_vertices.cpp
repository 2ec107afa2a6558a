// files have the vertices of a mesh, too; add them: unstructured<kind::cells, kind::vertices, ...>

#include <rondo/unstructured.hpp>

using namespace rondo;
using mesh = unstructured<kind::cells>;

void go(scheduler& s, const mesh& m, const field<double>& u) { s.write("u.vtkhdf", m, u); }
