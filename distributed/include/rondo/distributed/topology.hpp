#pragma once

/// \file
/// What all topologies have in common: a partition into colors, an index space over it, and the order
/// in which launches go over the colors. Those to use: structured.hpp, index.hpp, global.hpp.

#include <cstddef>
#include <cstdint>

#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/launch_order.hpp>
#include <rondo/distributed/partition.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

/// Of which topology a parameter is the view.
template<class View>
struct topology_of {
  using type = void;
};

} // namespace detail::inline distributed

class topology {
public:
  topology(const topology&) = delete;
  topology& operator=(const topology&) = delete;

  [[nodiscard]] scheduler& home() const { return home_; }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  /// On all ranks, and on this one.
  [[nodiscard]] std::uint64_t colors() const { return cut_.colors(); }
  [[nodiscard]] std::size_t local_colors() const { return cut_.local_colors(); }
  /// Those of this rank.
  [[nodiscard]] const color_set& mine() const { return cut_.mine(); }
  /// Each of its colors is on the same rank as the other one's, and a task may use both.
  [[nodiscard]] bool has_colors_of(const topology& other) const {
    return cut_.is_same_as(other.cut_);
  }
  /// Every rank has all of it: see global.hpp.
  [[nodiscard]] bool is_replicated() const { return cut_.is_replicated(); }

  // ---- for the scheduler and fields ----------------------------------------------------------

  [[nodiscard]] const detail::partition& cut() const { return cut_; }
  [[nodiscard]] const detail::local_elements& elements() const { return elements_; }
  [[nodiscard]] const detail::launch_order& order() const { return order_; }

protected:
  topology(scheduler& s, const detail::partition& cut, const detail::index_space& space);
  ~topology();

  scheduler& home_;
  detail::launch_order order_;
  const detail::local_elements elements_;

private:
  const detail::partition cut_;
  const std::uint32_t number_;
};

} // namespace rondo
