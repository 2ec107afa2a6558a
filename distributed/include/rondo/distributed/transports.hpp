#pragma once

/// \file
/// The transports there are.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <rondo/core/clock.hpp>
#include <rondo/distributed/transport.hpp>

namespace rondo {

/// The transport of a program: the one called `name` ("shm", "mpi", "ucx", "solo"), or the one that
/// RONDO_TRANSPORT names, or else shm if the program was started by mpirun and solo if not; mpi where
/// no other rank is on this node, or no memory can be shared with it.
/// RONDO_DELAY holds its messages back. Throws std::invalid_argument for what can't be read and
/// std::runtime_error for what was not built in.
std::unique_ptr<transport> make_transport(std::string_view name = {});
/// The same between the ranks of a communicator, all of which call it. It stays the caller's, and
/// outlives the transport.
std::unique_ptr<transport> make_transport(
  const transport::communicator& of, std::string_view name = {});

/// `n` ranks in this process, for tests. A message is under way until it is received, however
/// small it is.
std::vector<std::unique_ptr<transport>> make_local_transports(unsigned n);

/// The same, but ranks `of_a_node` next to each other are connected as processes on one node are:
/// through memory that they share.
std::vector<std::unique_ptr<transport>> make_shared_memory_transports(
  unsigned n, unsigned of_a_node);

struct delay_options {
  std::chrono::nanoseconds latency{0};
  double bandwidth = 0;               ///< Bytes per second that a rank can send; 0: no limit.
  std::chrono::nanoseconds jitter{0}; ///< The most that is added to the latency.
  std::uint64_t seed = 0;             ///< Chooses what is added: the same in every run.
};

/// The text of RONDO_DELAY: "latency=5us,bandwidth=1GB/s,jitter=2us,seed=1".
delay_options parse_delay(std::string_view text);

/// Holds messages back before they are sent, as a slower network would. Messages to the own rank are
/// not delayed.
std::unique_ptr<transport> make_delayed(std::unique_ptr<transport> inner, delay_options options);

} // namespace rondo
