#include "scotch.hpp"

#include <cstdio> // what scotch.h needs, and doesn't include
#include <limits>
#include <stdexcept>
#include <string>

#include <scotch.h>

namespace rondo::detail::inline meshes {

namespace {

void check(int result, const char* what) {
  if(result != 0)
    throw std::runtime_error(std::string("Scotch has failed to ") + what);
}

/// Something of Scotch's that one of its functions fills, and another one frees.
template<class T, auto Init, auto Exit>
class owned {
public:
  owned() { check(Init(&its_), "begin"); }
  ~owned() { Exit(&its_); }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  [[nodiscard]] T* get() { return &its_; }

private:
  T its_;
};
using owned_graph = owned<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using owned_strategy = owned<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using owned_context = owned<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit>;

} // namespace

std::vector<color_id> colors_by_scotch(const cell_graph& cells, color_id colors) {
  if(cells.others.size() > static_cast<std::size_t>(std::numeric_limits<SCOTCH_Num>::max()))
    throw std::runtime_error("Scotch was built with " + std::to_string(8 * sizeof(SCOTCH_Num)) +
                             " bits for a number, too few for this mesh");
  constexpr double imbalance = 0.03; // as METIS has by itself
  const std::vector<SCOTCH_Num> begins(cells.begins.begin(), cells.begins.end());
  const std::vector<SCOTCH_Num> others(cells.others.begin(), cells.others.end());
  std::vector<SCOTCH_Num> color(cells.cells());
  owned_context alone; // one thread, and the same cut each time
  SCOTCH_contextThreadSpawn(alone.get(), 1, nullptr);
  SCOTCH_contextOptionSetNum(alone.get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1);
  SCOTCH_contextRandomSeed(alone.get(), 1);
  owned_graph whole, bound;
  owned_strategy how;
  check(
    SCOTCH_graphBuild(whole.get(), 0, static_cast<SCOTCH_Num>(cells.cells()), begins.data(),
      nullptr, nullptr, nullptr, static_cast<SCOTCH_Num>(others.size()), others.data(), nullptr),
    "take the graph");
  check(SCOTCH_contextBindGraph(alone.get(), whole.get(), bound.get()), "take the context");
  check(SCOTCH_stratGraphMapBuild(
          how.get(), SCOTCH_STRATQUALITY, static_cast<SCOTCH_Num>(colors), imbalance),
    "take the strategy");
  check(
    SCOTCH_graphPart(bound.get(), static_cast<SCOTCH_Num>(colors), how.get(), color.data()), "cut");
  return {color.begin(), color.end()};
}

} // namespace rondo::detail::inline meshes
