#pragma once

/// \file
/// The seat of worker 0, which threads that wait take by turns: docs/protocols/quiescence.md#the-seat.

#include <rondo/core/engine.hpp>

namespace rondo::detail::inline core {

/// Makes the calling thread worker 0, and gives the seat back. The lock is taken, and is given back here.
class engine::seat_guard {
public:
  explicit seat_guard(engine& ex);
  ~seat_guard();
  seat_guard(const seat_guard&) = delete;
  seat_guard& operator=(const seat_guard&) = delete;

  worker& mine() { return mine_; }

private:
  /// Around the time that the thread is worker 0: so it counts as awake somewhere at any moment.
  struct taken {
    explicit taken(engine& e);
    ~taken();
    taken(const taken&) = delete;
    taken& operator=(const taken&) = delete;

    engine& ex;
  };

  taken taken_;
  worker& mine_;
  const acting_as here_;
};

} // namespace rondo::detail::inline core
