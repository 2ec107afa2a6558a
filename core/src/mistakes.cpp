#ifdef RONDO_CHECKS

#include <rondo/core/mistakes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace rondo::detail::inline core {

namespace {

constexpr std::array names{"wrong_coordinates", "wrong_kind", "own_element", "ghost",
  "no_such_value", "outside_of_mesh", "not_owned", "beyond_halo", "across_corner",
  "deeper_than_declared", "no_such_ghost", "unwritten_element", "written_ghost", "changed_ghost",
  "changed_variable", "captured_variable", "handed_variable", "unwritten_field", "call_of_mpi"};
static_assert(names.size() == static_cast<std::size_t>(checked_mistake::call_of_mpi) + 1);

/// The number of names: none.
std::size_t find_overlooked() {
  const char* const set = std::getenv("RONDO_OVERLOOK");
  if(set == nullptr)
    return names.size();
  const auto found = std::ranges::find(names, std::string_view(set));
  if(found == names.end()) {
    std::fprintf(stderr, "rondo: RONDO_OVERLOOK=%s: expected one of", set);
    for(const char* const name : names)
      std::fprintf(stderr, " %s", name);
    std::fprintf(stderr, "\n");
    std::exit(EXIT_FAILURE); // NOLINT(concurrency-mt-unsafe): nobody is to go on
  }
  return static_cast<std::size_t>(found - names.begin());
}

} // namespace

bool is_overlooked(checked_mistake m) {
  static const std::size_t overlooked = find_overlooked();
  return static_cast<std::size_t>(m) == overlooked;
}

std::span<const char* const> names_of_mistakes() { return names; }

} // namespace rondo::detail::inline core

#endif
