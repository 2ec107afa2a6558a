// Does not compile, and says why.

#include <rondo/rondo.hpp>

void make(rondo::scheduler& s) { rondo::structured<4> m{s, {}}; }
