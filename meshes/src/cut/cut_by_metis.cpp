#include <rondo/meshes/cut.hpp>

#include "cut_on_one_rank.hpp"

#if RONDO_HAS_METIS
#include "metis/metis.hpp"
#endif

namespace rondo {

#if RONDO_HAS_METIS

std::vector<color_id> cut_by_metis(detail::team& all, const uncut_cells& cells, color_id colors) {
  return detail::cut_on_one_rank(
    all, cells, colors, {"rondo::cut_by_metis", detail::colors_by_metis});
}

#else

std::vector<color_id> cut_by_metis(
  detail::team& /*all*/, const uncut_cells& /*cells*/, color_id /*colors*/) {
  detail::refuse_cut("rondo::cut_by_metis", "METIS", "libmetis-dev");
}

#endif

} // namespace rondo
