#include "world.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../choose/factories.hpp"

namespace rondo::detail::inline distributed {

mpi_world::mpi_world() {
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  int support = MPI_THREAD_SINGLE;
  if(is_initialized != 0)
    MPI_Query_thread(&support);
  else {
    // Errors end the program here, with a message of MPI's own.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
    initialized_here_ = true;
  }
  if(support < MPI_THREAD_SERIALIZED && initialized_here_) {
    MPI_Finalize();
    throw std::runtime_error(
      "rondo: this MPI library does not support threads (MPI_THREAD_SERIALIZED)");
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int number = 0;
  MPI_Comm_rank(comm, &number);
  rank = unsigned(number);
  // It may well work: threads never call MPI at the same time.
  if(support < MPI_THREAD_SERIALIZED && rank == 0)
    std::fprintf(stderr, "rondo: MPI was initialized without support for threads; ask "
                         "MPI_Init_thread for MPI_THREAD_SERIALIZED, or leave it to Rondo\n");
  MPI_Comm_size(comm, &number);
  ranks = unsigned(number);

  int* most = nullptr;
  int is_set = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&most), &is_set), "MPI_TAG_UB");
  most_channel = is_set != 0 ? unsigned(*most) : 32767; // what the standard grants
}

mpi_world::~mpi_world() {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if(is_finalized != 0)
    return; // by a user in a hurry; that has freed everything
  if(theirs_ != MPI_COMM_NULL)
    MPI_Comm_free(&theirs_);
  MPI_Comm_free(&comm);
  if(initialized_here_)
    MPI_Finalize();
}

void mpi_world::make_theirs() {
  // With the error handler that the program has chosen.
  if(theirs_ == MPI_COMM_NULL)
    check(MPI_Comm_dup(MPI_COMM_WORLD, &theirs_), "MPI_Comm_dup");
}

transport::communicator mpi_world::for_users() const {
  return {&theirs_, sizeof(theirs_), &typeid(MPI_Comm)};
}

void mpi_world::fail(int code, const char* call) const {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::fprintf(stderr, "rondo: rank %u: %s failed: %s\n", rank, call, text.data());
  abort(1);
}

void mpi_world::abort(int exit_code) const {
  std::fflush(nullptr);
  // All ranks are in both communicators, but only this one ends at once with MPICH, which for others wants
  // to hear of all of their ranks first.
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

bool has_begun_mpi_of_many() {
  int is_initialized = 0;
  int is_finalized = 0;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  if(is_initialized == 0 || is_finalized != 0)
    return false;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks > 1;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  // What follows in the same line, or in more of them, is how it was built.
  std::string name(text.data(), std::string_view(text.data()).find_first_of(",\n"));
  std::replace(name.begin(), name.end(), '\t', ' ');
  return name;
}

} // namespace rondo::detail::inline distributed
