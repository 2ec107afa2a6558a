// Executors before `rondo::run`, in it and behind it. It is the run that is told of; and what was over by then.

#include <cstdio>
#include <cstdlib>

#include <rondo/rondo.hpp>

namespace {

using line = rondo::structured<1>;

void fill(line::view m, rondo::field<double>::accessor<rondo::wo> u) {
  for(const auto i : m.owned(0))
    u(i) = 1;
}

void work_on(rondo::executor& ex) {
  for(int i = 0; i != 10; ++i)
    ex.submit([] {});
  ex.wait();
}

} // namespace

int main(int argc, char** argv) {
  {
    rondo::executor over(1);
    work_on(over);
  }
  rondo::executor before(1);
  work_on(before);
  const int failed = rondo::run(argc, argv, [](rondo::scheduler& s) {
    rondo::executor within(1);
    work_on(within);
    line m{s, {.extents = {16}, .colors = {2}}};
    rondo::field<double> u{m, "u"};
    s.execute<fill>(m, u);
    return 0;
  });
  rondo::executor behind(1);
  work_on(behind);
  std::puts("done");
  return failed;
}
