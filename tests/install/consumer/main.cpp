#include <iostream>
#include <rondo/core/machine.hpp>

int main() {
  std::cout << rondo::this_machine().describe();
  return rondo::this_machine().usable >= 1 ? 0 : 1;
}
