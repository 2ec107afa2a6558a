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

#include <rondo/distributed/broadcast_steps.hpp>
#include <rondo/distributed/collective.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo::detail::inline distributed {

/// A value of any type that can be sent, even one without a default.
template<class R>
using bytes_of = std::array<std::byte, sizeof(R)>;

template<class R>
class broadcast final : public collective {
public:
  broadcast(scheduler& s, unsigned rank, unsigned ranks)
      : collective(s), order_(launches(), *this, "result"), value_(launches(), bytes_, "result") {
    connect(sizeof(R), broadcast_steps(rank, ranks));
  }

  /// What the task on rank 0 writes, and the launch there that sends it.
  [[nodiscard]] region<bytes_of<R>>& value() { return value_; }
  void send(flow& f, const char* name, const std::source_location& where) {
    f.submit(
      ends_later(
        name, [](rondo::completion done, broadcast& l, const bytes_of<R>&) { l.begin_steps(done); },
        where),
      write(order_, where), read(value_, where));
  }

  /// On all others: launches that read `value` find it there.
  void launch_receive(flow& f, const char* name, const std::source_location& where) {
    f.submit(
      ends_later(
        name, [](rondo::completion done, broadcast& l, bytes_of<R>&) { l.begin_steps(done); },
        where),
      write(order_, where), write(value_, where));
  }
  future<R> receive(flow& f, const char* name, const std::source_location& where) {
    launch_receive(f, name, where);
    return f.submit(named(
                      name, [](const bytes_of<R>& b) { return std::bit_cast<R>(b); }, where),
      read(value_, where));
  }

private:
  void fill(std::byte* message) const override {
    std::memcpy(message, bytes_.data(), bytes_.size());
  }
  void join(const std::byte* message) override {
    std::memcpy(bytes_.data(), message, bytes_.size());
  }

  bytes_of<R> bytes_{};
  region<broadcast> order_;
  region<bytes_of<R>> value_;
};

/// The task, which also leaves its result there.
template<auto F, class R, class Parameters = typename signature_of<F>::parameters>
struct once_for_all;
template<auto F, class R, class... P>
struct once_for_all<F, R, std::tuple<P...>> {
  R operator()(outside_world&, bytes_of<R>& to, P... values) const {
    const R r = F(std::move(values)...);
    std::memcpy(to.data(), &r, sizeof(R));
    return r;
  }
};

} // namespace rondo::detail::inline distributed
