#pragma once

/// \file
/// Transports that may not be built in.

#include <memory>
#include <string>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

// Each connects the ranks of a communicator, which outlives it; all ranks if that is an empty one.

std::unique_ptr<transport> make_mpi_transport(const transport::communicator& of);
std::unique_ptr<transport> make_ucx_transport(const transport::communicator& of);
/// Over MPI between nodes, and through memory within one. If that can't be shared: a std::runtime_error
/// if it must be, else what MPI does by itself.
std::unique_ptr<transport> make_shm_transport(bool must_share, const transport::communicator& of);

/// Somebody has initialized MPI, and it has several ranks.
bool has_begun_mpi_of_many();
/// Which MPI this is: "Open MPI v4.1.4", say.
std::string mpi_library();

/// MPI of a rank that is alone, which this begins.
class lone_mpi {
public:
  lone_mpi() = default;
  virtual ~lone_mpi() = default;
  lone_mpi(const lone_mpi&) = delete;
  lone_mpi& operator=(const lone_mpi&) = delete;
  [[nodiscard]] virtual transport::communicator mpi() const = 0;
};
std::unique_ptr<lone_mpi> make_lone_mpi();
/// The same, or std::runtime_error if there is no MPI.
std::unique_ptr<lone_mpi> begin_mpi_alone();

} // namespace rondo::detail::inline distributed
