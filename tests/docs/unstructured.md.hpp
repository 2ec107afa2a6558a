// What the fragments of docs/unstructured.md take for granted.
#include <algorithm>
#include <array>
#include <cmath>

#include <rondo/unstructured.hpp>

using namespace rondo;
