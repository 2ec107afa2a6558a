#pragma once

/// \file
/// Topologies of a program's own, with any neighbours: docs/topologies.md has a whole one.
///
/// A program writes an index space, a class derived from `topo::index_space`, and gets the topology made of it:
///
/// \code
///   class cells final : public topo::index_space {
///   public:
///     struct part;                                    // what a task has to know of a color: tables, made once for each color of a rank
///     class view {                                    // what a task takes: light, made for each of its calls
///     public:
///       using of_topology = topo::made_of<cells>;     // whose view it is
///       explicit view(const part& p);                 // `p` stays as long as the topology
///       ...
///     };
///     std::uint64_t colors() const;
///     part part_of(color_id color) const;
///     topo::block_layout layout(color_id color) const override;        // index_space.hpp says what these are
///     topo::selection owned(color_id color) const override;
///     std::vector<topo::neighbour> neighbours(color_id color) const override;
///     bool has_ghosts() const override;
///   };
///   using mesh = topo::made_of<cells>;
///
///   void smooth(mesh::view m, field<double>::accessor<rw> to, field<double>::accessor<ro, ro> from);
///
///   mesh m{s, cells(...)};
///   field<double> u{m, "u"}, v{m, "v"};
///   s.execute<smooth>(m, v, u);
/// \endcode
///
/// *Elements* of a color are numbered from 0: first those that it owns, and its ghosts behind. So an accessor is used as in `u(i)`,
/// with the color's own numbers. Ghosts that come from one neighbour should have consecutive numbers: what arrives is then copied in
/// one piece.
///
/// *Every rank* makes the same index space, and asks it about its own colors only, and for what their neighbours own; in a checked build
/// (RONDO_CHECKS) for the neighbours of these as well. `layout`, `owned` and `neighbours` are called when the topology is made, and again when colors have moved to
/// other ranks (balance.hpp), if the space says that they can.
///
/// Colors are dealt to ranks in ranges of equal length up to one; so those with consecutive numbers should be close to each other. If
/// there are fewer colors than ranks, some ranks have none.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::topo {

/// What `made_of` asks of an index space: see above.
template<class Space>
concept space_with_views =
  std::derived_from<Space, detail::index_space> && requires(const Space& s, color_id c) {
    typename Space::part;
    typename Space::view;
    { s.colors() } -> std::convertible_to<std::uint64_t>;
    { s.part_of(c) } -> std::convertible_to<typename Space::part>;
    requires std::constructible_from<typename Space::view, const typename Space::part&>;
  };

/// Of a topology, for messages, and for the check that all ranks make the same.
struct made_options {
  std::string name = "topology";
  std::uint64_t fingerprint = 0; ///< Another number for another mesh, if a program makes several.
};

/// Throws std::invalid_argument if the space contradicts itself in one of these colors, and says in which and how: if a color sees
/// elements that their owner doesn't show it, or another number of them, if an element is two ghosts at once, and the like. For
/// tests of an index space: no ranks are needed.
void check(const detail::index_space& space, std::uint64_t colors);

} // namespace rondo::topo

namespace rondo::detail::inline distributed {

/// The part of it that doesn't depend on the types.
class made_state : public topology_state {
public:
  [[nodiscard]] mesh_outline outline() const override;
  [[nodiscard]] std::optional<std::string> why_fixed() const override;

protected:
  /// With so many colors, or with those of another topology, of which there are as many.
  made_state(scheduler& s, std::uint64_t colors, const index_space& space, const std::string& name);
  made_state(const topology_state& like, std::uint64_t colors, const index_space& space,
    const std::string& name);
  ~made_state() override = default;
  /// By the destructor: tasks look at it.
  void end_use() const noexcept;

private:
  made_state(scheduler& s, const partition& cut, const index_space& space, const std::string& name);
  [[nodiscard]] virtual const index_space& any_space() const = 0;

  const std::string name_;
};

void note_made(const topology_state& t, topo::made_options options, std::uint64_t like,
  const std::source_location& where);

template<class Space>
class state_made_of final : public made_state {
public:
  state_made_of(scheduler& s, Space&& space, const std::string& name)
      : made_state(s, space.colors(), space, name), space_(std::move(space)) {
    list_parts();
  }
  state_made_of(const topology_state& like, Space&& space, const std::string& name)
      : made_state(like, space.colors(), space, name), space_(std::move(space)) {
    list_parts();
  }
  ~state_made_of() override { end_use(); }

  void move(const partition& to, const color_carrier& carrier) override {
    space_.move(carrier);
    cut_anew(to, space_);
    list_parts();
  }

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] typename Space::view view_of(std::size_t local) const {
    return typename Space::view(parts_[local]);
  }

private:
  [[nodiscard]] const index_space& any_space() const override { return space_; }
  void list_parts() {
    parts_.clear();
    parts_.reserve(local_colors());
    for(const color_id c : mine())
      parts_.push_back(space_.part_of(c));
  }

  Space space_;
  std::vector<typename Space::part> parts_; ///< For each color of this rank.
};

} // namespace rondo::detail::inline distributed

namespace rondo::topo {

template<class Space>
class made_of : public topology {
public:
  using view = typename Space::view;
  using state_type = detail::state_made_of<Space>;

  /// Throws std::invalid_argument if there are no colors, or if the space is wrong in one of this rank's: as `check` does.
  made_of(scheduler& s, Space space, made_options options = {},
    std::source_location where = std::source_location::current())
      : topology(std::make_shared<state_type>(s, std::move(space), options.name)) {
    detail::note_made(any_state(), std::move(options), 0, where);
  }
  /// With the colors of another topology, on the same ranks, so that a task may use both, and fields of both: cells and their corners,
  /// say. The space has as many colors. It may outlive that topology.
  made_of(const topology& like, Space space, made_options options = {},
    std::source_location where = std::source_location::current())
      : topology(std::make_shared<state_type>(like.any_state(), std::move(space), options.name)) {
    detail::note_made(any_state(), std::move(options), like.number(), where);
  }

  [[nodiscard]] const Space& space() const { return state().space(); }
  /// Of a color of this rank.
  [[nodiscard]] view view_of(std::size_t local) const { return state().view_of(local); }

  /// For launches.
  [[nodiscard]] state_type& state() const { return static_cast<state_type&>(any_state()); }

private:
  static_assert(space_with_views<Space>,
    "rondo::topo::made_of: the index space is derived from topo::index_space, and has part, view, "
    "colors() and part_of(color): made_of.hpp");
};

} // namespace rondo::topo
