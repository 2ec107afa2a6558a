// a task has 63 accesses and values at the most

#include <array>
#include <cstddef>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/structured.hpp>
#include <utility>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

// 36 accessors with ghosts, of two accesses each.
template<std::size_t>
using seen = numbers::accessor<rw, ro>;
template<class>
struct of_many;
template<std::size_t... I>
struct of_many<std::index_sequence<I...>> {
  static void relax(grid::view m, seen<I>... u);
  static void go(scheduler& s, grid& m, std::array<numbers, 36>& u) {
    s.execute<relax>(m, u[I]...);
  }
};
template struct of_many<std::make_index_sequence<36>>;
