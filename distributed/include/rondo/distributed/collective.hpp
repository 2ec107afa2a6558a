#pragma once

/// \file
/// How the values of a reduction come together: those of the colors of a rank, in the order of the
/// colors, then those of the ranks, step by step. The same values are folded with each other on any number
/// of ranks: reduction_tree.hpp. A rank whose colors are not those that it sees to first hands on what
/// others see to: color_moves.hpp.
///
/// There is one for each task that reduces over a topology; the scheduler has them. One reduction at a time
/// uses it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/core/planned.hpp>
#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/color_moves.hpp>
#include <rondo/distributed/fixed_array.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/reduction_steps.hpp>
#include <rondo/distributed/reduction_tree.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

/// What does not depend on the values.
class collective : private channel_user {
public:
  virtual ~collective();
  collective(const collective&) = delete;
  collective& operator=(const collective&) = delete;

protected:
  explicit collective(scheduler& s) : home_(s) {}
  [[nodiscard]] flow& launches() const;
  /// With messages of so many bytes.
  void connect(std::size_t size, const std::vector<reduction_step>& steps);
  /// Before the steps, values of so many bytes each are moved.
  void connect_moves(std::size_t size, const color_moves& moves);
  /// The value of this rank is there: now for the others.
  void begin_steps(rondo::completion done);

  virtual void fill(std::byte* message) const = 0;
  virtual void join(const std::byte* message) = 0;
  /// A message of the moves: which one of those that are sent, or received.
  virtual void fill_move(std::size_t /*which*/, std::byte* /*message*/) const {}
  virtual void take_move(std::size_t /*which*/, const std::byte* /*message*/) {}
  /// All moves are made.
  virtual void moved() {}

private:
  struct step {
    std::unique_ptr<channel_out> out;
    std::unique_ptr<channel_in> in;
  };

  void channel_is_ready(std::byte* memory) override;
  void go_on(std::byte* memory);
  void fill_step(std::byte* memory) const;
  void take_step(const std::byte* memory);

  scheduler& home_;
  std::vector<step> steps_;
  std::size_t at_ = 0;
  bool has_sent_ = false;
  std::optional<rondo::completion> waiting_;
  std::size_t sent_moves_ = 0; ///< So many of the steps are these, the first ones, ...
  std::size_t all_moves_ = 0;  ///< ... and so many of both kinds.
  std::uint32_t number_ = 0;   ///< Of its channels; 0 if it has none.
  std::uint32_t number_of_moves_ = 0;
};

/// What a color's task writes: a `reduced<T>`.
struct color_value {};
template<class T>
struct reduced : color_value {
  T here{};
};

/// Launches are compiled once, not for each type and operation.
class reduction_launches : public collective {
public:
  [[nodiscard]] region<color_value>& of(std::size_t color) { return values_[color]; }
  /// Launches what brings the values together, once the tasks of all colors are launched. Launches that read `as_region()` find the result
  /// in it, until the next reduction.
  void launch_steps(flow& f, const char* name, const std::source_location& where);
  [[nodiscard]] region<reduction_launches>& as_region() { return region_; }

protected:
  reduction_launches(
    scheduler& s, const partition& cut, std::size_t message_size, std::size_t value_size);
  /// Of the next color.
  void add_value(color_value& v);
  [[nodiscard]] const color_moves& moves() const { return moves_; }

private:
  /// Appends the values of the colors from `first` on; the first ones come after nothing.
  virtual void append(std::size_t first, std::span<const color_value* const> values) = 0;

  const color_moves moves_;
  region<reduction_launches> region_;
  fixed_array<region<color_value>> values_;
  std::vector<region_access> reads_;     ///< Of all these,
  std::vector<const color_value*> here_; ///< and what is read.
};

template<class T, class Op>
class reduction final : public reduction_launches {
public:
  reduction(scheduler& s, const partition& cut)
      : reduction_launches(s, cut, partial<T>::bytes(cut.colors()), sizeof(T)),
        together_(cut.nothing_yet<T>()), of_others_(cut.nothing_yet<T>()),
        values_(cut.local_colors()) {
    if(!moves().empty()) {
      mine_.resize(cut.local_colors());
      share_.resize(moves().share.size());
    }
    for(reduced<T>& v : values_)
      add_value(v);
  }

  /// What `as_region()` is of.
  [[nodiscard]] static T result_in(const reduction_launches& l) {
    if(is_only_planned) [[unlikely]]
      return planned_result<T>();
    return static_cast<const reduction&>(l).together_.result();
  }
  /// The fold of all colors' values, once their tasks are launched.
  future<T> launch(flow& f, const char* name, const std::source_location& where) {
    launch_steps(f, name, where);
    return f.submit(named(name, result_in, where), read(as_region(), where));
  }

private:
  void append(std::size_t first, std::span<const color_value* const> values) override {
    if(!moves().empty()) {
      for(const color_value* const v : values)
        mine_[first++].here = static_cast<const reduced<T>*>(v)->here;
      return;
    }
    if(first == 0)
      together_.restart(moves().share.first);
    for(const color_value* const v : values)
      together_.append(static_cast<const reduced<T>*>(v)->here, Op{});
  }
  void fill_move(std::size_t which, std::byte* message) const override {
    for(const std::size_t color : moves().outgoing[which].colors) {
      std::memcpy(message, &mine_[color].here, sizeof(T));
      message += sizeof(T);
    }
  }
  void take_move(std::size_t which, const std::byte* message) override {
    for(const std::size_t place : moves().incoming[which].colors) {
      std::memcpy(&share_[place].here, message, sizeof(T));
      message += sizeof(T);
    }
  }
  void moved() override {
    for(const color_moves::own& o : moves().kept)
      share_[o.place].here = mine_[o.color].here;
    together_.restart(moves().share.first);
    for(const reduced<T>& v : share_)
      together_.append(v.here, Op{});
  }
  void fill(std::byte* message) const override { together_.store(message); }
  void join(const std::byte* message) override {
    of_others_.load(message);
    together_.join(of_others_, Op{});
  }

  partial<T> together_;
  partial<T> of_others_; ///< The values that have come in a step.
  std::vector<reduced<T>> values_;
  std::vector<reduced<T>> mine_;  ///< The same for the reduction that is under way; if values move.
  std::vector<reduced<T>> share_; ///< Values of the colors that this rank sees to; the same.
};

} // namespace detail::inline distributed
} // namespace rondo
