#pragma once

/// \file
/// How ranks get the addresses of those that they send to, over MPI, and of no others: a rank that is going to
/// receive from another one tells it its own address, once. docs/transport.md
///
/// One thread at a time.

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "../mpi/world.hpp"

namespace rondo::detail::inline distributed {

class ucx_introductions {
public:
  /// All ranks, with their own addresses.
  ucx_introductions(mpi_world& world, std::span<const std::byte> mine);
  ucx_introductions(const ucx_introductions&) = delete;
  ucx_introductions& operator=(const ucx_introductions&) = delete;

  /// This rank is going to receive from that one.
  void tell(unsigned rank);
  /// And to send to that one.
  void ask(unsigned rank);
  /// Something of that is under way, so somebody has to look.
  [[nodiscard]] bool is_under_way() const { return !tells_.empty() || !asks_.empty(); }
  /// Calls `found(rank, address)` for each address that has come. Returns whether any has.
  using finder = std::function<void(unsigned, const std::byte*)>;
  bool look(const finder& found);

  /// All ranks, when none tells or asks any more: returns when nobody needs this rank's help.
  /// `meanwhile` is called again and again.
  void end(const std::function<void()>& meanwhile);

private:
  struct ask_request {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::byte> address;
  };

  void look_at_tells();
  void take_unasked() const;

  mpi_world& world_;
  std::vector<std::byte> mine_; ///< As long as the longest of all.
  std::set<unsigned> told_;
  std::vector<MPI_Request> tells_;
  std::map<unsigned, ask_request> asks_; ///< Not answered yet.
};

} // namespace rondo::detail::inline distributed
