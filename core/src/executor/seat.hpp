#pragma once

/// \file
/// The seat of worker 0, which threads that wait take by turns: docs/protocols/quiescence.md#the-seat.

#include <rondo/core/engine.hpp>

namespace rondo::detail::inline core {

/// Makes the calling thread worker 0, whose seat it has taken (`takes_seat`), and gives the seat back.
class engine::seat_guard {
public:
  explicit seat_guard(engine& ex);
  ~seat_guard();
  seat_guard(const seat_guard&) = delete;
  seat_guard& operator=(const seat_guard&) = delete;

  worker& mine() { return mine_; }

private:
  /// Last of all: so the thread counts as awake somewhere at any moment.
  struct taken {
    engine& ex;
    ~taken();
  };

  taken taken_;
  worker& mine_;
  const acting_as here_;
};

} // namespace rondo::detail::inline core
