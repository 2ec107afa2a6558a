// The names of the mistakes that this checked build looks for, one a line: for tests/overlooked.

#include <cstdio>
#include <string_view>

#include <rondo/core/mistakes.hpp>

namespace {

/// The address sanitizer has a word of its own for these.
bool is_left_to_sanitizer(std::string_view name) {
#ifdef RONDO_SANITIZED
  return name == "captured_variable" || name == "handed_variable";
#else
  return name.empty();
#endif
}

} // namespace

int main() {
  for(const char* const name : rondo::detail::names_of_mistakes())
    if(!is_left_to_sanitizer(name))
      std::puts(name);
}
