// In checked builds: tasks that call MPI are told that they can't. These functions come before those of the library, as
// tools that record calls do it (MPI's profiling interface). Rondo itself calls none of them while tasks run.
#ifdef RONDO_CHECKS

#include <stdexcept>
#include <string>

#include <mpi.h>

#include <rondo/core/mistakes.hpp>
#include <rondo/distributed/user_task.hpp>

namespace {

void check_caller(const char* called) {
  using namespace rondo::detail;
  if(user_task::is_here() && !is_overlooked(checked_mistake::call_of_mpi))
    throw std::logic_error(std::string(called) + " is called in a task: other tasks run at the "
                                                 "same time on other threads, and in another order "
                                                 "on each rank, so ranks would wait for each other "
                                                 "in vain; launch it with execute_mpi, or reduce "
                                                 "instead (docs/mistakes.md)");
}

} // namespace

extern "C" {

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  check_caller("MPI_Comm_rank");
  return PMPI_Comm_rank(comm, rank);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  check_caller("MPI_Comm_size");
  return PMPI_Comm_size(comm, size);
}

int MPI_Barrier(MPI_Comm comm) {
  check_caller("MPI_Barrier");
  return PMPI_Barrier(comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  check_caller("MPI_Bcast");
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Reduce(
  const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  check_caller("MPI_Reduce");
  return PMPI_Reduce(from, to, count, type, op, root, comm);
}

int MPI_Allreduce(
  const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  check_caller("MPI_Allreduce");
  return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Gather(const void* from, int count, MPI_Datatype type, void* to, int to_count,
  MPI_Datatype to_type, int root, MPI_Comm comm) {
  check_caller("MPI_Gather");
  return PMPI_Gather(from, count, type, to, to_count, to_type, root, comm);
}

int MPI_Allgather(const void* from, int count, MPI_Datatype type, void* to, int to_count,
  MPI_Datatype to_type, MPI_Comm comm) {
  check_caller("MPI_Allgather");
  return PMPI_Allgather(from, count, type, to, to_count, to_type, comm);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  check_caller("MPI_Send");
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(
  void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  check_caller("MPI_Recv");
  return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
  MPI_Request* request) {
  check_caller("MPI_Isend");
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
  MPI_Request* request) {
  check_caller("MPI_Irecv");
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into,
  int into_count, MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm,
  MPI_Status* status) {
  check_caller("MPI_Sendrecv");
  return PMPI_Sendrecv(
    data, count, type, to, tag, into, into_count, into_type, from, from_tag, comm, status);
}

} // extern "C"

#endif
