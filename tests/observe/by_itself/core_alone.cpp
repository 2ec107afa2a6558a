// Linked with rondo::core, and with nothing that could observe; or with rondo::observe as well.

#include <atomic>
#include <cstdio>

#include <rondo/core.hpp>

int main() {
  rondo::executor ex;
  std::atomic<int> count = 0;
  for(int i = 0; i != 100; ++i)
    ex.submit([&count] { ++count; });
  ex.wait();
  std::puts(count == 100 ? "done" : "wrong");
}
