#pragma once

/// \file
/// The beginning and the end of MPI in this process.

namespace rondo::detail::inline distributed {

/// MPI is there as long as this is. Begun by the first one if nobody has done so; then it ends with the
/// process, since it can't begin a second time. Left to its own if the process ends in the middle of a
/// program: the end of MPI waits for all ranks.
class mpi_life {
public:
  /// Throws std::runtime_error if MPI has ended, or if it is begun here and does not support threads.
  mpi_life();
  ~mpi_life();
  mpi_life(const mpi_life&) = delete;
  mpi_life& operator=(const mpi_life&) = delete;

  /// Several threads may call it, one after the other.
  [[nodiscard]] bool supports_threads() const { return supports_threads_; }
  /// And at the same time.
  [[nodiscard]] bool supports_all_threads() const { return supports_all_threads_; }
  /// The program has ended it before us, and with it all that we had of it.
  [[nodiscard]] static bool has_ended();

private:
  bool supports_threads_;
  bool supports_all_threads_;
};

} // namespace rondo::detail::inline distributed
