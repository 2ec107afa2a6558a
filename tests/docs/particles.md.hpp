// What the fragments of docs/particles.md take for granted: nothing, but headers.
#include <array>
#include <cmath>

#include <rondo/rondo.hpp>
