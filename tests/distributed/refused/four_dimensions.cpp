// a mesh has one, two or three dimensions

#include <rondo/rondo.hpp>

void make(rondo::scheduler& s) { rondo::structured<4> m{s, {}}; }
