#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

namespace bench::mpi {

// Persistent requests that start and end together.
class requests {
public:
  requests() = default;
  requests(const requests&) = delete;
  requests& operator=(const requests&) = delete;
  ~requests() {
    for(MPI_Request& r : all_)
      MPI_Request_free(&r);
  }
  void add_send(const void* what, std::size_t bytes, int to, int tag) {
    if(bytes != 0)
      MPI_Send_init(what, static_cast<int>(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD, &add());
  }
  void add_receive(void* into, std::size_t bytes, int from, int tag) {
    if(bytes != 0)
      MPI_Recv_init(into, static_cast<int>(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, &add());
  }
  void start() {
    if(!all_.empty()) // Open MPI doesn't start nothing
      MPI_Startall(static_cast<int>(all_.size()), all_.data());
  }
  void progress() {
    int done = 0;
    MPI_Testall(static_cast<int>(all_.size()), all_.data(), &done, MPI_STATUSES_IGNORE);
  }
  void finish() { MPI_Waitall(static_cast<int>(all_.size()), all_.data(), MPI_STATUSES_IGNORE); }

private:
  MPI_Request& add() { return all_.emplace_back(); }

  std::vector<MPI_Request> all_;
};

} // namespace bench::mpi
