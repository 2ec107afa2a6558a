#pragma once

/// \file
/// How what a task on rank 0 has returned gets to all ranks: from rank to rank, along
/// broadcast_steps.hpp, by launches that hold no worker.
///
/// There is one for each such task. One result at a time is under way.

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <source_location>
#include <tuple>
#include <utility>
#include <vector>

#include <rondo/core/planned.hpp>
#include <rondo/distributed/collective.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

/// A value of any type that can be sent, even one without a default.
class sent_value {
public:
  explicit sent_value(std::size_t size) : bytes_(size) {}

  template<class R>
  void set(const R& r) {
    std::memcpy(bytes_.data(), &r, sizeof(R));
  }
  template<class R>
  [[nodiscard]] R as() const {
    std::array<std::byte, sizeof(R)> copy{};
    std::memcpy(copy.data(), bytes_.data(), sizeof(R));
    return std::bit_cast<R>(copy);
  }
  [[nodiscard]] std::byte* data() { return bytes_.data(); }
  [[nodiscard]] const std::byte* data() const { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

private:
  std::vector<std::byte> bytes_;
};

class broadcast final : public collective {
public:
  /// Of values of so many bytes.
  broadcast(scheduler& s, unsigned rank, unsigned ranks, std::size_t size);

  /// The value that the task on rank 0 writes, and the launch there that sends it.
  [[nodiscard]] region<sent_value>& value() { return value_; }
  void send(flow& f, const char* name, const std::source_location& where);

  /// On all others: launches that read `value` find it there.
  void launch_receive(flow& f, const char* name, const std::source_location& where);
  template<class R>
  future<R> receive(flow& f, const char* name, const std::source_location& where) {
    launch_receive(f, name, where);
    return f.submit(named(name, result_in<R>, where), read(value_, where));
  }

private:
  template<class R>
  static R result_in(const sent_value& v) {
    return v.as<R>();
  }
  void fill(std::byte* message) const override;
  void join(const std::byte* message) override;

  sent_value sent_;
  region<broadcast> order_;
  region<sent_value> value_;
};

/// The task, which also leaves its result there.
template<auto F, class R, class Parameters = typename signature_of<F>::parameters>
struct once_for_all;
template<auto F, class R, class... P>
struct once_for_all<F, R, std::tuple<P...>> {
  R operator()(outside_world&, sent_value& to, P... values) const {
    const R r = is_only_planned ? planned_result<R>() : R(F(std::move(values)...));
    to.set(r);
    return r;
  }
};

} // namespace rondo::detail::inline distributed
