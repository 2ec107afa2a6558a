#pragma once

/// \file
/// Values that every rank has: parameters that change, coefficients, results that tasks need.
///
/// \code
///   topo::global g{s};
///   field<double> dt{g, "dt"};
///
///   void shrink(field<double>::accessor<rw> dt, double by) { dt() *= by; }
///   void step(grid::view m, field<double>::accessor<rw, ro> u, field<double>::accessor<ro> dt);
///
///   s.execute<shrink>(dt, 0.5);      // on every rank
///   s.execute<step>(m, u, dt);       // all colors see the same
/// \endcode
///
/// A task that has nothing but global fields runs once *on every rank*, and there is no message. So
/// it must do the same everywhere: what it writes may depend on its arguments and on global fields,
/// but not on the rank, the time, or a file that only one rank has. Only such tasks write global
/// fields; tasks over other topologies read them.

#include <cstddef>
#include <cstdint>
#include <source_location>

#include <rondo/distributed/topology.hpp>

namespace rondo::topo {

struct global_options {
  std::int64_t size = 1; ///< So many values has a field: x(0) to x(size - 1).
};

class global_view {
public:
  explicit global_view(std::int64_t size) : size_(size) {}
  [[nodiscard]] std::int64_t size() const { return size_; }

private:
  std::int64_t size_;
};

/// What a global is a handle of.
class global_state final : public detail::topology_state {
public:
  global_state(scheduler& s, std::int64_t size);
  ~global_state() override;
  /// Never.
  void move(const detail::partition& /*to*/, const detail::color_carrier& /*carrier*/) override {}
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] global_view view_of(std::size_t /*any*/) const { return global_view(size_); }

private:
  const std::int64_t size_;
};

class global : public topology {
public:
  using view = global_view;
  using state_type = global_state;

  /// Throws std::invalid_argument if there are no values.
  explicit global(scheduler& s, const global_options& options = {},
    std::source_location where = std::source_location::current());

  [[nodiscard]] std::int64_t size() const { return state().size(); }
  [[nodiscard]] view view_of(std::size_t any) const { return state().view_of(any); }

  /// For launches.
  [[nodiscard]] state_type& state() const { return static_cast<state_type&>(any_state()); }
};

} // namespace rondo::topo

template<>
struct rondo::detail::topology_of<rondo::topo::global_view> {
  using type = topo::global;
};
