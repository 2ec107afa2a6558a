#include <iostream>
#include <rondo/futures.hpp>

int main() {
  rondo::executor ex;
  const auto six = rondo::async(ex, [] { return 6; });
  const auto answer = six.then([](int n) { return 7 * n; });
  std::cout << answer.get() << '\n';
  return answer.get() == 42 ? 0 : 1;
}
