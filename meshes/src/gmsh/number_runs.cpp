#include "gmsh/number_runs.hpp"

#include <algorithm>

namespace rondo::detail::gmsh {

std::optional<std::int64_t> number_runs::twice() const {
  auto sorted = runs_;
  std::ranges::sort(sorted, {}, &run::first);
  for(std::size_t i = 1; i < sorted.size(); ++i)
    if(sorted[i].first <= sorted[i - 1].last)
      return sorted[i].first;
  return std::nullopt;
}

} // namespace rondo::detail::gmsh
