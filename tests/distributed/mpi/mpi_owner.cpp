// A program that initializes MPI by itself, uses it before and after the transport, and ends it.
//
//   mpi_owner [single]

#include <cstdio>
#include <memory>

#include <mpi.h>
#include <rondo/distributed/transports.hpp>

int main(int argc, char**) {
  int support = 0;
  MPI_Init_thread(nullptr, nullptr, argc > 1 ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED, &support);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for(int i = 0; i != 2; ++i) {
    const auto t = rondo::make_transport("mpi");
    if(t->ranks() != unsigned(ranks))
      return 1;
    t->meet();
    int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if(sum != ranks)
      return 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  std::puts("MPI is ended by who began it");
}
