#pragma once

/// \file
/// MPI of this process, and a communicator of our own.

#include <cstddef>
#include <memory>
#include <span>

#include <mpi.h>
#include <rondo/distributed/transport.hpp>

#include "life.hpp"

namespace rondo::detail::inline distributed {

class watch_ring;

class mpi_world {
public:
  /// Of the ranks of an MPI_Comm, or of all; all of them call it. Throws std::runtime_error if MPI can't be
  /// used; if somebody has initialized it without support for threads, that is only told.
  /// Throws std::invalid_argument if RONDO_WATCH can't be read.
  explicit mpi_world(const transport::communicator& of);
  ~mpi_world();
  mpi_world(const mpi_world&) = delete;
  mpi_world& operator=(const mpi_world&) = delete;

  MPI_Comm comm = MPI_COMM_NULL; ///< All ranks; errors are returned.
  unsigned rank = 0;
  unsigned ranks = 1;
  unsigned most_channel = 0;         ///< The greatest tag.
  bool supports_all_threads = false; ///< Any of them may call MPI at any time, on all ranks.

  /// A communicator for the program's own use, made by all ranks when it is first needed: they call this in the same order
  /// with regard to all that they do together with `comm`.
  void make_theirs();
  [[nodiscard]] transport::communicator for_users() const;

  /// Throws std::runtime_error on all ranks, which all call it, if one of them may not open as many files, needed by `what`.
  void demand_files(unsigned needed, const char* what);

  /// The ranks that can share memory with this one, in the order of their numbers. All ranks call it; the communicator
  /// is made at the first call, and stays this object's.
  MPI_Comm on_this_node();
  /// As `transport::tell_node`.
  transport::words_of_node tell_node(std::span<const std::byte> mine);

  /// One line about what failed, and the end of all ranks, unless `code` is MPI_SUCCESS.
  void check(int code, const char* call) const {
    if(code != MPI_SUCCESS)
      fail(code, call);
  }
  [[noreturn]] void fail(int code, const char* call) const;
  [[noreturn]] void abort(int exit_code) const;

private:
  void begin_to_watch(bool is_wanted);

  mpi_life life_;
  MPI_Comm base_;                    ///< The caller's.
  std::unique_ptr<watch_ring> ring_; ///< Of all ranks; null if there is only one, or RONDO_WATCH=0.
  MPI_Comm theirs_ = MPI_COMM_NULL;
  MPI_Comm node_ = MPI_COMM_NULL;
};

} // namespace rondo::detail::inline distributed
