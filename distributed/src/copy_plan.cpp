#include <rondo/distributed/copy_plan.hpp>

#include <vector>

#include "common_points.hpp"
#include "loose_part.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Calls `f(color, points)` for each color that has some of these.
template<std::size_t D, class F>
void for_each_owner(const structured_coloring<D>& mesh, const box<D>& points, const F& f) {
  if(points.empty())
    return;
  point<D> last = points.hi;
  for(auto& x : last)
    --x;
  box<D> places{mesh.place_of(mesh.owner_of(points.lo)), mesh.place_of(mesh.owner_of(last))};
  for(auto& x : places.hi)
    ++x;
  places.for_each_row([&](point<D> place, std::int64_t length) {
    for(const std::int64_t end = place[0] + length; place[0] != end; ++place[0]) {
      const color_id color = mesh.at_place(place);
      const box<D> part = intersection(mesh.owned(color), points);
      if(!part.empty())
        f(color, part);
    }
  });
}

} // namespace

template<std::size_t D>
exchange_plan plan_copy(
  const cut_points<D>& from, const cut_points<D>& to, const copied_points<D>& what) {
  exchange_plan plan;
  plan.rank = to.cut.rank();
  plan.ranks = to.cut.ranks();
  plan.colors = to.cut.mine();
  const point<D> back = negated(what.shift);
  const box<D> all = common_points(from.mesh, to.mesh, what);
  std::vector<loose_part> outgoing;
  std::vector<loose_part> incoming;
  for(std::size_t local = 0; local != plan.colors.size(); ++local) {
    const color_id color = plan.colors[local];
    const box<D> wanted = intersection(to.mesh.owned(color).shifted(back), all);
    for_each_owner(from.mesh, wanted, [&](color_id source, const box<D>& part) {
      const selection there = selection::of(part.shifted(what.shift));
      if(const unsigned peer = from.cut.rank_of(source); peer != plan.rank)
        incoming.push_back({peer, color, source, local, source, there});
      else
        plan.copies.push_back({from.cut.mine().local(source), selection::of(part), local, there});
    });
  }
  for(std::size_t local = 0; local != from.cut.local_colors(); ++local) {
    const color_id color = from.cut.mine()[local];
    const box<D> given = intersection(from.mesh.owned(color), all).shifted(what.shift);
    for_each_owner(to.mesh, given, [&](color_id destination, const box<D>& part) {
      const unsigned peer = to.cut.rank_of(destination);
      if(peer != plan.rank)
        outgoing.push_back(
          {peer, destination, color, local, destination, selection::of(part.shifted(back))});
    });
  }
  plan.outgoing = assemble(outgoing);
  plan.incoming = assemble(incoming);
  return plan;
}

template exchange_plan plan_copy(
  const cut_points<1>&, const cut_points<1>&, const copied_points<1>&);
template exchange_plan plan_copy(
  const cut_points<2>&, const cut_points<2>&, const copied_points<2>&);
template exchange_plan plan_copy(
  const cut_points<3>&, const cut_points<3>&, const copied_points<3>&);

} // namespace rondo::detail::inline distributed
