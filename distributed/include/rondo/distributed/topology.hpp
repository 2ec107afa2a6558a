#pragma once

/// \file
/// What all topologies have in common: the colors that this rank has, and how their ghosts are
/// filled. See structured.hpp for one to use.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/distribution.hpp>

namespace rondo {

class scheduler;

namespace detail {

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

} // namespace detail

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

  // ---- for the scheduler -------------------------------------------------------------------

  [[nodiscard]] const std::vector<detail::block_layout>& layouts() const { return layouts_; }
  [[nodiscard]] const detail::halo_plan& halo() const { return halo_; }
  [[nodiscard]] const distribution& who() const { return who_; }
  /// Colors in the order in which their tasks are launched: first those that need no messages.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
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
  ~topology();
  void find_order();

  scheduler& home_;
  distribution who_;
  color_range mine_;
  std::vector<detail::block_layout> layouts_;
  detail::halo_plan halo_;

private:
  const std::uint32_t number_;
  std::vector<std::size_t> order_;
  std::vector<detail::lane_entry> lanes_;
};

} // namespace rondo
