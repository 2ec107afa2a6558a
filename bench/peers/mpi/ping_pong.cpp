// Half of a round trip between two ranks, without anything around it.
//
//   mpirun -np 2 peer_mpi_ping_pong

#include "peers/mpi/ping_pong.hpp"

int main(int argc, char** argv) {
  using namespace bench::mpi;
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    ping_pong(argc, argv, w, "MPI", [&](std::vector<char>& buffer, int round_trips) {
      const int n = static_cast<int>(buffer.size());
      const int other = 1 - w.rank;
      for(int k = 0; k < round_trips; ++k) {
        if(w.rank == 0)
          MPI_Send(buffer.data(), n, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer.data(), n, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if(w.rank == 1)
          MPI_Send(buffer.data(), n, MPI_BYTE, other, 0, MPI_COMM_WORLD);
      }
    });
  });
}
