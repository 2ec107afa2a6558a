#include <rondo/distributed/mpi_task.hpp>

#include <cstring>
#include <stdexcept>
#include <string>

namespace rondo {

void mpi_task::copy(void* into, const std::type_info& type) const {
  const transport::communicator c = transport_->mpi();
  if(*c.type != type)
    throw std::logic_error("rondo: the first parameter of a task that calls MPI is not MPI_Comm; "
                           "make it that, or rondo::mpi_task");
  std::memcpy(into, c.what, c.size);
}

transport::communicator transport::mpi() {
  throw std::runtime_error(
    "rondo: a task wants to call MPI, but the transport " + std::string(name()) + " has none");
}

} // namespace rondo
