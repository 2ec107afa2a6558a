#include <cstdio>
#include <rondo/core.hpp>
#include <vector>

long fib(long n) {
  if(n < 2)
    return n;
  auto [a, b] = rondo::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

int main() {
  rondo::executor ex; // one worker for each core this process may use

  std::printf("fib(32) = %ld\n", ex.run([] { return fib(32); }));

  std::vector<double> x(1'000'000, 0.5);
  rondo::graph step; // built once, run many times
  auto grow = step.add([&] { rondo::for_each(x.begin(), x.end(), [](double& e) { e *= 1.5; }); });
  auto bound =
    step.add([&] { rondo::for_each(x.begin(), x.end(), [](double& e) { e -= e * e; }); });
  grow.precede(bound);
  ex.run_n(step, 100);

  std::printf(
    "sum = %.12g\n", rondo::reduce(ex, x.begin(), x.end(), 0.0)); // same bits on any machine
}
