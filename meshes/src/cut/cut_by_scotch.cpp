#include <rondo/meshes/cut.hpp>

#include "cut_on_one_rank.hpp"

#if RONDO_HAS_SCOTCH
#include "scotch/scotch.hpp"
#endif

namespace rondo {

#if RONDO_HAS_SCOTCH

std::vector<color_id> cut_by_scotch(detail::team& all, const uncut_cells& cells, color_id colors) {
  return detail::cut_on_one_rank(
    all, cells, colors, {"rondo::cut_by_scotch", detail::colors_by_scotch});
}

#else

std::vector<color_id> cut_by_scotch(
  detail::team& /*all*/, const uncut_cells& /*cells*/, color_id /*colors*/) {
  detail::refuse_cut("rondo::cut_by_scotch", "Scotch", "libscotch-dev");
}

#endif

} // namespace rondo
