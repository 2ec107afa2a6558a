// What the fragments of docs/sparse.md take for granted.
#include <rondo/sparse.hpp>

using namespace rondo;
