// Its executor is there before `main`, and ends after it.

#include <cstdio>

#include <rondo/flow.hpp>

namespace {
rondo::executor everywhere(2);
}

int main() {
  int x = 0;
  rondo::flow flow(everywhere);
  rondo::region r(flow, x, "x");
  flow.submit(rondo::named("count", [](int& to) { ++to; }), write(r));
  flow.wait();
  std::puts("done");
}
