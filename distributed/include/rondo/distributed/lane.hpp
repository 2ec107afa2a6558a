#pragma once

/// \file
/// How the values of a reduction come together: those of the colors of a rank, in the order of the
/// colors, then those of the ranks, step by step. What is folded with what is the same for any number
/// of ranks: reduction_tree.hpp.
///
/// There is a lane for each task that reduces over a topology; the scheduler has them. One reduction at a time
/// uses it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/reduction_steps.hpp>
#include <rondo/distributed/reduction_tree.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

/// What does not depend on the values.
class lane_base : private channel_user {
public:
  virtual ~lane_base();
  lane_base(const lane_base&) = delete;
  lane_base& operator=(const lane_base&) = delete;

protected:
  explicit lane_base(scheduler& s) : home_(s) {}
  [[nodiscard]] flow& launches() const;
  /// With messages of so many bytes.
  void connect(std::size_t size, const std::vector<reduction_step>& steps);
  /// What is to be known of this rank is there: now for the others.
  void begin_steps(rondo::completion done);

  virtual void fill(std::byte* message) const = 0;
  virtual void join(const std::byte* message) = 0;

private:
  struct step {
    std::unique_ptr<channel_out> out;
    std::unique_ptr<channel_in> in;
  };

  void channel_is_ready(std::byte* memory) override;
  void go_on(std::byte* memory);

  scheduler& home_;
  std::vector<step> steps_;
  std::size_t at_ = 0;
  bool has_sent_ = false;
  std::optional<rondo::completion> waiting_;
  std::uint32_t number_ = 0; ///< Of its channels; 0: it has none.
};

/// What a color's task writes: a `reduced<T>`.
struct color_value {};
template<class T>
struct reduced : color_value {
  T here{};
};

/// Launches are compiled once, not for each type and operation.
class reduction_lane : public lane_base {
public:
  [[nodiscard]] region<color_value>& of(std::size_t color) { return values_[color]; }

protected:
  reduction_lane(scheduler& s, const partition& cut, std::size_t message_size);
  /// Of the next color.
  void add_value(color_value& v);
  /// Launches what brings the values together.
  void launch_steps(flow& f, const char* name, const std::source_location& where);
  [[nodiscard]] region<reduction_lane>& order() { return order_; }

private:
  /// Those of the next colors; the first ones come after nothing.
  virtual void append(bool are_first, std::span<const color_value* const> values) = 0;

  region<reduction_lane> order_;
  std::deque<region<color_value>> values_;
  std::vector<region<color_value>*> all_; ///< The same.
};

template<class T, class Op>
class lane final : public reduction_lane {
public:
  lane(scheduler& s, const partition& cut)
      : reduction_lane(s, cut, partial<T>::bytes(cut.colors())), first_(cut.mine().first),
        together_(cut.nothing_yet<T>()), of_others_(cut.nothing_yet<T>()),
        values_(cut.local_colors()) {
    for(reduced<T>& v : values_)
      add_value(v);
  }

  /// What all colors' values come to, once their tasks are launched.
  future<T> launch(flow& f, const char* name, const std::source_location& where) {
    launch_steps(f, name, where);
    return f.submit(
      named(
        name,
        [](const reduction_lane& l) { return static_cast<const lane&>(l).together_.result(); },
        where),
      read(order(), where));
  }

private:
  void append(bool are_first, std::span<const color_value* const> values) override {
    if(are_first)
      together_.restart(first_);
    for(const color_value* const v : values)
      together_.append(static_cast<const reduced<T>*>(v)->here, Op{});
  }
  void fill(std::byte* message) const override { together_.store(message); }
  void join(const std::byte* message) override {
    of_others_.load(message);
    together_.join(of_others_, Op{});
  }

  const color_id first_;
  partial<T> together_;
  partial<T> of_others_; ///< What has come in a step.
  std::vector<reduced<T>> values_;
};

} // namespace detail::inline distributed
} // namespace rondo
