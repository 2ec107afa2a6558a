#pragma once

/// \file
/// What all topologies have in common: the colors that this rank has, and how their ghosts are
/// filled. Those to use: structured.hpp, index.hpp, global.hpp.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/distribution.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

class lane_base;

/// What has to be copied, sent and received when ghosts are filled; for fields of any type. Colors
/// are counted from the first one of this rank.
struct halo_plan {
  struct copy {
    std::size_t source;
    brick from;
    brick to;
  };
  struct part {
    std::size_t color;
    brick points;
    std::int64_t offset; ///< In elements, in the message.
  };
  struct message {
    unsigned peer;
    std::int64_t size; ///< In elements.
    std::vector<part> parts;
  };
  std::vector<std::vector<copy>> copies; ///< For each destination.
  std::vector<message> outgoing;
  std::vector<message> incoming;
  bool is_nowhere = true; ///< No color has ghosts, on any rank.
};

/// What knows of all ranks where a reduction over the colors comes to its end: lane.hpp.
struct lane_entry {
  const void* what;
  std::unique_ptr<lane_base> lane;
};

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
  [[nodiscard]] std::uint64_t colors() const { return who_.colors; }
  [[nodiscard]] std::size_t local_colors() const { return layouts_.size(); }
  /// Those of this rank.
  [[nodiscard]] const color_range& mine() const { return mine_; }
  /// Each of its colors is on the same rank as the other one's, and a task may use both.
  [[nodiscard]] bool has_colors_of(const topology& other) const { return cut_ == other.cut_; }
  /// Every rank has all of it: see global.hpp.
  [[nodiscard]] bool is_replicated() const { return cut_ == uncut; }

  // ---- for the scheduler -------------------------------------------------------------------

  [[nodiscard]] const std::vector<detail::block_layout>& layouts() const { return layouts_; }
  /// How the points of all colors lie in one piece of memory; null if they can't.
  [[nodiscard]] const detail::block_layout* together() const {
    return together_.has_value() ? &*together_ : nullptr;
  }
  /// What each color owns.
  [[nodiscard]] const std::vector<detail::brick>& points() const { return points_; }
  [[nodiscard]] const detail::halo_plan& halo() const { return halo_; }
  [[nodiscard]] const distribution& who() const { return who_; }
  /// Colors in the order in which their tasks are launched: first those that need no messages.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  /// Of so many launches over the topology, one after the other, it pays to work on a color for all
  /// of them while it is in the cache: gathering.hpp. One: for small meshes.
  [[nodiscard]] std::size_t stages() const { return stages_; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& layers() const { return layers_; }
  [[nodiscard]] bool has_lane(const void* what) const {
    for(const auto& e : lanes_)
      if(e.what == what)
        return true;
    return false;
  }
  /// The lane of what `what` stands for; made when first asked for, on all ranks.
  template<class Lane>
  Lane& lane_of(const void* what) {
    for(const auto& e : lanes_)
      if(e.what == what)
        return static_cast<Lane&>(*e.lane);
    lanes_.push_back({what, std::make_unique<Lane>(*this)});
    return static_cast<Lane&>(*lanes_.back().lane);
  }

protected:
  topology(scheduler& s, const distribution& who);
  struct colors_of {
    const topology& which;
  };
  explicit topology(colors_of other);
  struct replicated {};
  topology(scheduler& s, replicated);
  ~topology();
  void find_order();
  /// `bytes`: for a point, of all fields in use. `stages`: as above; 0: find out.
  void find_waves(std::size_t bytes, std::size_t stages);

  scheduler& home_;
  distribution who_;
  color_range mine_;
  std::vector<detail::block_layout> layouts_;
  std::vector<detail::brick> points_;
  std::optional<detail::block_layout> together_;
  detail::halo_plan halo_;

private:
  static constexpr std::uint64_t uncut = 0;

  const std::uint64_t cut_; ///< The same number: the same colors.
  const std::uint32_t number_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::size_t>> layers_;
  std::size_t stages_ = 1;
  std::vector<detail::lane_entry> lanes_;
};

} // namespace rondo
