#pragma once

/// \file
/// UCX of this process: a worker, and ways to those of other ranks.

#include <cstddef>
#include <map>
#include <vector>

#include <ucp/api/ucp.h>

#include "../mpi/world.hpp"

namespace rondo::detail::inline distributed {

class ucx_worker {
public:
  /// All ranks tell each other their addresses, over MPI. Throws std::runtime_error.
  explicit ucx_worker(const transport::communicator& of);
  /// All ranks, when all that was sent has been received.
  ~ucx_worker();
  ucx_worker(const ucx_worker&) = delete;
  ucx_worker& operator=(const ucx_worker&) = delete;

  mpi_world world;
  ucp_worker_h handle = nullptr;

  /// The way to a rank, made when it is first needed.
  ucp_ep_h endpoint(unsigned rank);

  /// One line about what failed, and the end of all ranks, unless `status` is fine.
  void check(ucs_status_t status, const char* call) const {
    if(status != UCS_OK)
      fail(status, call);
  }
  [[noreturn]] void fail(ucs_status_t status, const char* call) const;

private:
  void exchange_addresses();
  void flush();

  ucp_context_h context_ = nullptr;
  std::map<unsigned, ucp_ep_h> endpoints_;
  std::vector<std::byte> addresses_; ///< Of all ranks, one behind the other.
  std::vector<int> begins_;          ///< Where they begin.
};

} // namespace rondo::detail::inline distributed
