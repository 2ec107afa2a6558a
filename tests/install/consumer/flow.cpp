#include <iostream>
#include <rondo/flow.hpp>

int main() {
  rondo::executor ex;
  rondo::flow flow(ex);
  int n = 0;
  rondo::region rn(flow, n, "n");
  flow.submit([](int& x) { x = 6; }, rondo::write(rn));
  flow.submit([](int& x) { x *= 7; }, rondo::write(rn));
  const auto answer = flow.submit([](const int& x) { return x; }, rondo::read(rn));
  flow.wait();
  std::cout << answer.get() << '\n';
  return answer.get() == 42 ? 0 : 1;
}
