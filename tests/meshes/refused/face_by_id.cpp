// only cells and vertices have ids

#include <rondo/unstructured.hpp>

using namespace rondo;
using mesh = unstructured<kind::cells, kind::faces>;

bool go(const mesh::view& m) { return m.find<kind::faces>(3).has_value(); }
