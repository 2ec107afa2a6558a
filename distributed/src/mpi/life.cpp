#include "life.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include <mpi.h>
#include <unistd.h>

#include "../open_files.hpp"

namespace rondo::detail::inline distributed {

namespace {

std::atomic<int> users{0};
pid_t begun_by = 0;

void end_with_process() {
  // Children of this process have copies of it all.
  if(begun_by == getpid() && users.load() == 0 && !mpi_life::has_ended())
    MPI_Finalize();
}

/// Open MPI 4.1 has 14 when it has begun, and then those of ranks that it is connected with over TCP; 7 are ours.
constexpr unsigned files_of_mpi = 24;

void begin() {
  if(files_left(files_of_mpi) < files_of_mpi)
    throw std::runtime_error(too_few_files("MPI", files_of_mpi));
  int support = MPI_THREAD_SINGLE;
  // Errors end the program here, with a message of MPI's own. Less support than that will do, if tasks that call MPI may wait:
  // docs/protocols/mpi_tasks.md.
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &support);
  begun_by = getpid();
  std::atexit(&end_with_process);
  if(support < MPI_THREAD_SERIALIZED)
    throw std::runtime_error(
      "rondo: this MPI library does not support threads (MPI_THREAD_SERIALIZED)");
}

} // namespace

bool mpi_life::has_ended() {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  return is_finalized != 0;
}

mpi_life::mpi_life() {
  if(has_ended())
    throw std::runtime_error(
      "rondo: the program has ended MPI (MPI_Finalize), which can't begin again; call MPI_Finalize "
      "after rondo::run, or leave MPI to Rondo");
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if(is_initialized == 0)
    begin();
  int support = MPI_THREAD_SINGLE;
  MPI_Query_thread(&support);
  supports_threads_ = support >= MPI_THREAD_SERIALIZED;
  supports_all_threads_ = support >= MPI_THREAD_MULTIPLE;
  ++users;
}

mpi_life::~mpi_life() { --users; }

} // namespace rondo::detail::inline distributed
