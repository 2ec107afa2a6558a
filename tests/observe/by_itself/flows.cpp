// A program with so many executors, one after the other, and no word about observing in it. `within`: each lives in the one before, so
// that the first one ends last.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <rondo/flow.hpp>

namespace {

void work(rondo::executor& ex) {
  double x = 1;
  rondo::flow flow(ex);
  rondo::region r(flow, x, "x");
  for(int i = 0; i != 20; ++i)
    flow.submit(rondo::named("grow", [](double& to) { to *= 1.5; }), write(r));
  flow.wait();
}

void work_within(int executors) {
  if(executors == 0)
    return;
  rondo::executor ex(2);
  work(ex);
  work_within(executors - 1);
}

} // namespace

int main(int argc, char** argv) {
  const int executors = argc > 1 ? std::atoi(argv[1]) : 1;
  if(argc > 2 && std::string(argv[2]) == "within")
    work_within(executors);
  else
    for(int i = 0; i != executors; ++i) {
      rondo::executor ex(2);
      work(ex);
    }
  std::puts("done");
}
