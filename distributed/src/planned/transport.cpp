#include "transport.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "../mismatch.hpp"

namespace rondo::detail::inline distributed {

namespace {

class planned_message final : public transport::message {
public:
  explicit planned_message(std::size_t length) : length_(length) {}
  bool start() override { return true; }
  bool give_up() override { return false; }
  void set_length(std::size_t bytes) override { length_ = bytes; }
  void take_shorter() override {}
  [[nodiscard]] std::size_t length() const override { return length_; }

private:
  std::size_t length_;
};

class planned_transport final : public transport {
public:
  planned_transport(unsigned rank, unsigned ranks, unsigned workers)
      : rank_(rank), ranks_(ranks), workers_(workers) {}

  [[nodiscard]] const char* name() const override { return "planned"; }
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return ranks_; }
  [[nodiscard]] unsigned planned_workers() const override { return workers_; }

  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t, std::span<const std::byte> from, completion) override {
    check_rank(*this, to, "to");
    return std::make_unique<planned_message>(from.size());
  }
  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t, std::span<std::byte> into, completion) override {
    check_rank(*this, from, "from");
    return std::make_unique<planned_message>(into.size());
  }

  bool poll() override { return false; }
  [[nodiscard]] bool is_sending() const override { return false; }
  void start_meeting() override {}
  bool has_met() override { return true; }

  communicator mpi() override {
    throw std::runtime_error("rondo: a program that is only planned (RONDO_PLAN) can't call MPI");
  }
  void abort(int exit_code) override {
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }

private:
  unsigned rank_;
  unsigned ranks_;
  unsigned workers_;
};

} // namespace

std::unique_ptr<transport> make_planned_transport(unsigned rank, unsigned ranks, unsigned workers) {
  return std::make_unique<planned_transport>(rank, ranks, workers);
}

} // namespace rondo::detail::inline distributed
