#pragma once

/// \file
/// How the values of a reduction come together: those of the colors of a rank, in the order of the
/// colors, then those of the ranks, step by step. What is folded with what is the same for any number
/// of ranks: reduction_tree.hpp.
///
/// There is a lane for each task that reduces over a topology. One reduction at a time uses it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/reduction_steps.hpp>
#include <rondo/distributed/reduction_tree.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo::detail {

/// What does not depend on the values.
class lane_base : private channel_user {
public:
  virtual ~lane_base();
  lane_base(const lane_base&) = delete;
  lane_base& operator=(const lane_base&) = delete;

protected:
  explicit lane_base(scheduler& s) : home_(s) {}
  static flow& launches(scheduler& s);
  /// With messages of so many bytes.
  void connect(std::size_t size, const std::vector<reduction_step>& steps);
  void connect(std::size_t size); ///< As reductions do.
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
};

template<class T, class Op>
class lane final : public lane_base {
public:
  explicit lane(topology& t)
      : lane_base(t.home()), colors_(t.colors()), first_(t.mine().first),
        together_(colors_, first_), order_(launches(t.home()), *this, "reduction") {
    for(std::size_t c = 0; c != t.local_colors(); ++c)
      values_.emplace_back(launches(t.home()));
    connect(partial<T>::bytes(colors_));
  }

  /// What a color's task writes.
  struct value {
    explicit value(flow& f) : of(f, here, "value of a color") {}
    T here{};
    region<T> of;
  };
  [[nodiscard]] region<T>& of(std::size_t color) { return values_[color].of; }

  /// Launches what brings them together.
  future<T> launch(flow& f, const char* name, const std::source_location& where);

private:
  static constexpr std::size_t most_at_once = 8;

  template<class... V>
  void append(bool is_first, const V&... values) {
    if(is_first)
      together_ = partial<T>(colors_, first_);
    (together_.append(values, Op{}), ...);
  }
  template<std::size_t... I>
  void launch_group(flow& f, const char* name, const std::source_location& where, std::size_t first,
    std::index_sequence<I...>);
  template<std::size_t N>
  void launch_groups(
    flow& f, const char* name, const std::source_location& where, std::size_t first);

  void fill(std::byte* message) const override {
    const std::span<const std::byte> m = together_.message();
    std::memcpy(message, m.data(), m.size());
  }
  void join(const std::byte* message) override {
    partial<T> other(colors_);
    const std::span<std::byte> m = other.message();
    std::memcpy(m.data(), message, m.size());
    together_.join(other, Op{});
  }

  const std::uint64_t colors_;
  const color_id first_;
  partial<T> together_;
  region<lane> order_;
  std::deque<value> values_;
};

template<class T, class Op>
template<std::size_t... I>
void lane<T, Op>::launch_group(flow& f, const char* name, const std::source_location& where,
  std::size_t first, std::index_sequence<I...>) {
  if(first + sizeof...(I) == values_.size())
    f.submit(ends_later(
               name,
               [is_first = first == 0](rondo::completion done, lane& l, const auto&... v) {
                 l.append(is_first, v...);
                 l.begin_steps(done);
               },
               where),
      write(order_, where), read(values_[first + I].of, where)...);
  else
    f.submit(
      named(
        name, [is_first = first == 0](lane& l, const auto&... v) { l.append(is_first, v...); },
        where),
      write(order_, where), read(values_[first + I].of, where)...);
}

template<class T, class Op>
template<std::size_t N>
void lane<T, Op>::launch_groups(
  flow& f, const char* name, const std::source_location& where, std::size_t first) {
  const std::size_t left = values_.size() - first;
  if constexpr(N > 1)
    if(left < N) {
      launch_groups<N - 1>(f, name, where, first);
      return;
    }
  launch_group(f, name, where, first, std::make_index_sequence<N>());
  if(left > N)
    launch_groups<N>(f, name, where, first + N);
}

template<class T, class Op>
future<T> lane<T, Op>::launch(flow& f, const char* name, const std::source_location& where) {
  if(values_.empty()) // this rank only takes part
    f.submit(ends_later(
               name,
               [](rondo::completion done, lane& l) {
                 l.append(true);
                 l.begin_steps(done);
               },
               where),
      write(order_, where));
  else
    launch_groups<most_at_once>(f, name, where, 0);
  return f.submit(named(
                    name, [](const lane& l) { return l.together_.result(); }, where),
    read(order_, where));
}

} // namespace rondo::detail
