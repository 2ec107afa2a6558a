#include "metis.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include <metis.h>

namespace rondo::detail::inline meshes {

std::vector<color_id> colors_by_metis(const cell_graph& graph, color_id colors) {
  if(graph.others.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw std::runtime_error("METIS was built with " + std::to_string(8 * sizeof(idx_t)) +
                             " bits for an index, too few for this mesh");
  std::vector<idx_t> begins(graph.begins.begin(), graph.begins.end());
  std::vector<idx_t> others(graph.others.begin(), graph.others.end());
  std::vector<idx_t> color(graph.cells());
  auto cells = static_cast<idx_t>(graph.cells());
  auto parts = static_cast<idx_t>(colors);
  idx_t constraints = 1;
  idx_t faces_cut = 0;
  std::vector<idx_t> options(METIS_NOPTIONS);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1; // the same cut each time
  const int result = METIS_PartGraphKway(&cells, &constraints, begins.data(), others.data(),
    nullptr, nullptr, nullptr, &parts, nullptr, nullptr, options.data(), &faces_cut, color.data());
  if(result != METIS_OK)
    throw std::runtime_error(result == METIS_ERROR_MEMORY
                               ? "METIS needs more memory than there is"
                               : "METIS has failed with error " + std::to_string(result));
  return {color.begin(), color.end()};
}

} // namespace rondo::detail::inline meshes
