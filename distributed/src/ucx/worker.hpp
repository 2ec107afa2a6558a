#pragma once

/// \file
/// UCX of this process: a worker, and ways to those of other ranks.

#include <map>
#include <optional>

#include <ucp/api/ucp.h>

#include "../mpi/world.hpp"
#include "introductions.hpp"

namespace rondo::detail::inline distributed {

class ucx_worker {
public:
  /// All ranks. Throws std::runtime_error.
  explicit ucx_worker(const transport::communicator& of);
  /// All ranks, when all that was sent has been received.
  ~ucx_worker();
  ucx_worker(const ucx_worker&) = delete;
  ucx_worker& operator=(const ucx_worker&) = delete;

  mpi_world world;
  ucp_worker_h ucp = nullptr;

  /// The way to a rank; null until its address has come, which is asked for here.
  ucp_ep_h endpoint(unsigned rank);
  /// The rank will send to this one, and is told its address.
  void expect(unsigned rank) { introductions_->tell(rank); }
  /// Addresses are under way, so somebody has to look.
  [[nodiscard]] bool has_to_look() const { return introductions_->is_under_way(); }
  /// Returns whether there are new ways.
  bool look();

  /// One line about what failed, and the end of all ranks, unless `status` is fine.
  void check(ucs_status_t status, const char* call) const {
    if(status != UCS_OK)
      fail(status, call);
  }
  [[noreturn]] void fail(ucs_status_t status, const char* call) const;

private:
  void begin_introductions();
  void flush();

  ucp_context_h context_ = nullptr;
  std::map<unsigned, ucp_ep_h> endpoints_;
  std::optional<ucx_introductions> introductions_;
};

} // namespace rondo::detail::inline distributed
