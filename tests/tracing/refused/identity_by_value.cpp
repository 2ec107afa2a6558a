// rondo::reduce: identity takes the object by value

#include <rondo/flow.hpp>

struct total {
  double identity(double) const { return 0; }
  void operator()(double& into, double part) const { into += part; }
};

void launch(rondo::flow& f, rondo::region<double>& sum) {
  f.submit([](double& part) { part = 1; }, reduce(sum, total{}));
}
