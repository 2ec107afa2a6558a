// The names of all mistakes that a checked build looks for, one a line: for tests/overlooked.

#include <cstdio>

#include <rondo/core/mistakes.hpp>

int main() {
  for(const char* const name : rondo::detail::names_of_mistakes())
    std::puts(name);
}
