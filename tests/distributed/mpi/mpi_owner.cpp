// A program that initializes MPI by itself, uses it before and after the transport, and ends it.
//
//   mpi_owner [single | no_signs]
//
// single: without threads. no_signs: what mpirun leaves in the environment is gone.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <mpi.h>
#include <rondo/distributed/transports.hpp>

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  const char* name = "mpi";
  int support = 0;
  MPI_Init_thread(
    nullptr, nullptr, how == "single" ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED, &support);
  if(how == "no_signs") {
    for(const char* const sign : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"})
      unsetenv(sign);
    name = "";
  }
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for(int i = 0; i != 2; ++i) {
    const auto t = rondo::make_transport(name);
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
