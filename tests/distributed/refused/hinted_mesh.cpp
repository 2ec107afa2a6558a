// a priority is no argument of the launch, and hinted(...) is for flow.submit
#include <rondo/rondo.hpp>

using namespace rondo;

void set(structured<1>::view m, field<double>::accessor<wo> u, double x);

void launch(scheduler& s, structured<1>& m, field<double>& u) {
  s.execute<set>(hinted({.priority = priority::high}, m), u, 1.0);
}
