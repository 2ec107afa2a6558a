#include <rondo/distributed/index_space.hpp>

namespace rondo::detail::inline distributed {

local_elements elements_of(const partition& cut, const index_space& space) {
  local_elements all;
  for(const color_id c : cut.mine()) {
    all.layouts.push_back(space.layout(c));
    all.owned.push_back(space.owned(c));
  }
  all.together = space.together(cut.mine());
  all.plan = plan_exchange(cut, space);
  all.has_ghosts = space.has_ghosts();
  return all;
}

} // namespace rondo::detail::inline distributed
