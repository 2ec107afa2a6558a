#pragma once

/// \file
/// What all topologies have in common: a partition into colors, an index space over it, and the order
/// in which launches go over the colors. Rondo's own are in structured.hpp, index.hpp and global.hpp; programs write theirs as made_of.hpp says.
///
/// A topology is a handle: it can be moved and kept in a std::vector, also while tasks use it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/balance.hpp>
#include <rondo/distributed/block_limits.hpp>
#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/launch_order.hpp>
#include <rondo/distributed/partition.hpp>

namespace rondo {

class scheduler;
class topology;

namespace topo {
class index;
template<class Space>
class made_of;
}

namespace detail::inline distributed {

class color_carrier;
class neighbour_colors;
class field_state;

/// A handle that was moved from is used: throws std::logic_error.
[[noreturn]] void refuse_moved(const char* what);

/// Of which topology a parameter is the view. Views of a program's own topologies say so themselves: made_of.hpp.
template<class View>
struct topology_of {
  using type = void;
};
template<class View>
  requires std::is_base_of_v<topology, typename View::of_topology>
struct topology_of<View> {
  using type = typename View::of_topology;
};

/// What a topology is a handle of: where tasks and fields find it.
class topology_state {
public:
  topology_state(scheduler& s, const partition& cut, const index_space& space);
  /// Of the same partition. `sees_as_that`: colors see each other here if, and only if, they do so there.
  topology_state(const topology_state& other, const index_space& space, bool sees_as_that);
  virtual ~topology_state();
  topology_state(const topology_state&) = delete;
  topology_state& operator=(const topology_state&) = delete;

  [[nodiscard]] scheduler& home() const { return home_; }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  /// On all ranks, and on this one.
  [[nodiscard]] std::uint64_t colors() const { return cut_.colors(); }
  [[nodiscard]] std::size_t local_colors() const { return cut_.local_colors(); }
  /// The colors of this rank.
  [[nodiscard]] const color_set& mine() const { return cut_.mine(); }
  [[nodiscard]] bool has_colors_of(const topology_state& other) const {
    return cut_.is_same_as(other.cut_);
  }
  /// Colors see those that they see in the other one: the same orders of launches fit both.
  [[nodiscard]] bool sees_as(const topology_state& other) const {
    return neighbours_of_ == other.neighbours_of_;
  }
  [[nodiscard]] bool is_replicated() const { return cut_.is_replicated(); }

  [[nodiscard]] const partition& cut() const { return cut_; }
  [[nodiscard]] const local_elements& elements() const { return elements_; }
  /// The elements of a field whose halo is thinner than that of the mesh. Throws std::invalid_argument where there is none.
  [[nodiscard]] virtual const local_elements& elements_with_halo(std::int64_t halo);
  /// For messages.
  [[nodiscard]] virtual mesh_outline outline() const { return {}; }
  [[nodiscard]] const launch_order& order() const { return order_; }
  void set_order(launch_order order) { order_ = std::move(order); }

  /// Why its colors can't go to other ranks, and what to do. Returns nothing if they can.
  [[nodiscard]] virtual std::optional<std::string> why_fixed() const { return std::nullopt; }
  /// They go: from now on it is cut so. Nothing that was launched uses it. Fields follow, and then the end.
  virtual void move(const partition& to, const color_carrier& carrier) = 0;
  /// Of the colors that the rank had, meanwhile.
  [[nodiscard]] const std::vector<selection>& owned_before() const { return owned_before_; }
  void end_move() { owned_before_ = {}; }
  /// The account to which tasks over a color of this rank add their costs. Returns null if these are not measured.
  [[nodiscard]] color_cost* cost_of(std::size_t local) const {
    return costs_ == nullptr ? nullptr : costs_ + local;
  }
  /// Measuring was begun, or again.
  void note_costs() { costs_ = cut_.costs().of(0); }

protected:
  /// When colors have moved.
  void cut_anew(const partition& cut, const index_space& space);

private:
  scheduler& home_;
  color_cost* costs_ = nullptr;
  launch_order order_;
  local_elements elements_; ///< Stays where it is, as fields look at it.
  std::vector<selection> owned_before_;
  partition cut_;
  const std::uint32_t number_;
  const std::uint32_t neighbours_of_; ///< The number of the first one that has these.
};

} // namespace detail::inline distributed

class topology {
public:
  [[nodiscard]] scheduler& home() const { return any_state().home(); }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return any_state().number(); }
  /// On all ranks, and on this one.
  [[nodiscard]] std::uint64_t colors() const { return any_state().colors(); }
  [[nodiscard]] std::size_t local_colors() const { return any_state().local_colors(); }
  /// The colors of this rank.
  [[nodiscard]] const color_set& mine() const { return any_state().mine(); }
  /// Each of its colors is on the same rank as the other one's, and a task may use both.
  [[nodiscard]] bool has_colors_of(const topology& other) const {
    return any_state().has_colors_of(other.any_state());
  }
  /// Every rank has all of it: see global.hpp.
  [[nodiscard]] bool is_replicated() const { return any_state().is_replicated(); }

  /// Colors go to other ranks, so that all ranks have about as much to do: balance.hpp.
  balance_result balance(const balance_options& options = {},
    std::source_location where = std::source_location::current()) const;
  /// The costs of colors are measured from here on, and not only from the first `balance` on.
  void measure_costs(std::source_location where = std::source_location::current()) const;

protected:
  explicit topology(std::shared_ptr<detail::topology_state> s) : state_(std::move(s)) {}
  topology(topology&&) = default;
  topology& operator=(topology&&) = default;
  ~topology() = default;

  [[nodiscard]] detail::topology_state& any_state() const {
    if(state_ == nullptr) [[unlikely]]
      detail::refuse_moved("rondo: the mesh, or topology,");
    return *state_;
  }

private:
  friend class detail::neighbour_colors;
  friend class detail::field_state;
  friend class topo::index;
  template<class Space>
  friend class topo::made_of;
  [[nodiscard]] std::shared_ptr<detail::topology_state> share() const {
    static_cast<void>(any_state()); // there is one
    return state_;
  }

  std::shared_ptr<detail::topology_state> state_; ///< Fields have a part in it.
};

} // namespace rondo
