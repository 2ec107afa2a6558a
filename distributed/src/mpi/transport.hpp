#pragma once

/// \file
/// Messages over MPI; what is received, by persistent requests.
///
/// MPI is entered by one thread at a time. Requests that are under way stand side by side, so that
/// one call looks at all of them. Messages to the own rank never see MPI.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <rondo/distributed/transport.hpp>

#include "../local/channels.hpp"
#include "../progress_lock.hpp"
#include "../remote/message.hpp"
#include "world.hpp"

namespace rondo::detail::inline distributed {

class mpi_message;

class mpi_transport final : public transport {
public:
  /// Of the ranks of a communicator; of all if there is none.
  explicit mpi_transport(const communicator& of = {});
  ~mpi_transport() override;

  [[nodiscard]] const char* name() const override { return "mpi"; }
  [[nodiscard]] unsigned rank() const override { return world_.rank; }
  [[nodiscard]] unsigned ranks() const override { return world_.ranks; }
  [[nodiscard]] std::uint32_t most_channel() const override { return world_.most_channel; }

  [[nodiscard]] mpi_world& world() { return world_; }

  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override;
  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override;

  bool poll() override;
  [[nodiscard]] bool is_sending() const override;

  void start_meeting() override;
  bool has_met() override;
  words_of_node tell_node(std::span<const std::byte> mine) override {
    const std::lock_guard lock(lock_);
    return world_.tell_node(mine);
  }
  [[nodiscard]] bool allows_mpi_beside_messages() const override {
    return world_.supports_all_threads;
  }
  void begin_mpi_beside_messages() override { world_.make_theirs(); }
  void enter_mpi() override {
    lock_.lock();
    world_.make_theirs();
  }
  void leave_mpi() override { lock_.unlock(); }
  communicator mpi() override { return world_.for_users(); }
  void abort(int exit_code) override { world_.abort(exit_code); }

private:
  friend class mpi_message;

  void check_channel(std::uint32_t channel) const;
  void add(mpi_message& m);
  void remove(mpi_message& m);
  void look_at_one();
  void look_at_all();
  void end(mpi_message& m, bool is_good);

  mpi_world world_;
  local_channels self_{1, world_.rank}; ///< From this rank to this rank.

  /// Around MPI and what follows. The same for all transports: MPI is entered by one thread at a time.
  progress_lock& lock_;
  std::vector<MPI_Request> requests_;
  std::vector<mpi_message*> owners_; ///< Of the requests, one by one.
  std::vector<int> indices_;         ///< Room for MPI_Testsome's answer.
  std::vector<MPI_Status> statuses_; ///< The same.
  remote_messages messages_;
  MPI_Request meeting_ = MPI_REQUEST_NULL;
  MPI_Request never_ = MPI_REQUEST_NULL; ///< Nothing will ever come: a reason to look.
};

} // namespace rondo::detail::inline distributed
