// the argument is a future of something else than this parameter of the task
#include <rondo/rondo.hpp>

using namespace rondo;

void set(structured<1>::view m, field<double>::accessor<wo> u, double x);

void launch(scheduler& s, const structured<1>& m, field<double>& u, future<std::string> name) {
  s.execute<set>(m, u, name);
}
