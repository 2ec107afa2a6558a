#pragma once

/// \file
/// One value for each color: numbered colors, or those of a mesh.
///
/// \code
///   topo::index parts{s, {.colors = 16}};
///   field<double> x{parts, "x"};
///   void square(topo::index::view c, field<double>::accessor<wo> x) {
///     x() = double(c.color() * c.color());
///   }
///   s.execute<square>(parts, x);
///
///   topo::index pieces{m};                     // m: a mesh
///   field<double> worst{pieces, "worst"};
///   void find(grid::view m, field<double>::accessor<ro> u, field<double>::accessor<wo> worst);
///   s.execute<find>(m, u, worst);              // each color of the mesh has its own
/// \endcode
///
/// There are no neighbours, and no ghosts. There may be fewer colors than ranks: some have none.
///
/// In a namespace, as the C library has a function index().

#include <cstddef>
#include <cstdint>
#include <source_location>

#include <rondo/distributed/topology.hpp>

namespace rondo::topo {

struct index_options {
  std::uint64_t colors = 0; ///< At least one.
};

/// What a task sees of it: one color.
class index_view {
public:
  index_view(color_id color, color_id colors) : color_(color), colors_(colors) {}
  [[nodiscard]] color_id color() const { return color_; }
  [[nodiscard]] color_id colors() const { return colors_; }

private:
  color_id color_;
  color_id colors_;
};

/// What an index is a handle of.
class index_state final : public detail::topology_state {
public:
  index_state(scheduler& s, const detail::partition& cut);
  ~index_state() override;
  void move(const detail::partition& to, const detail::color_carrier& carrier) override;
  [[nodiscard]] index_view view_of(std::size_t local) const { return {mine()[local], colors()}; }
};

class index : public topology {
public:
  using view = index_view;
  using state_type = index_state;

  /// Throws std::invalid_argument if there are no colors.
  index(scheduler& s, const index_options& options,
    std::source_location where = std::source_location::current());
  /// The colors of another topology, on the same ranks. It may outlive that one.
  explicit index(
    const topology& like, std::source_location where = std::source_location::current());

  [[nodiscard]] view view_of(std::size_t local) const { return state().view_of(local); }

  /// For launches.
  [[nodiscard]] state_type& state() const { return static_cast<state_type&>(any_state()); }
};

} // namespace rondo::topo

template<>
struct rondo::detail::topology_of<rondo::topo::index_view> {
  using type = topo::index;
};
