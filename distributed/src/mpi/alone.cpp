// MPI of a program that is not started by mpirun, for those who want to call it.

#include <stdexcept>

#include <mpi.h>

#include "../choose/factories.hpp"

namespace rondo::detail::inline distributed {

namespace {

class mpi_of_one final : public lone_mpi {
public:
  mpi_of_one() {
    int is_initialized = 0;
    int is_finalized = 0;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if(is_finalized != 0)
      throw std::runtime_error(
        "rondo: a task wants to call MPI, but the program has ended it (MPI_Finalize)");
    if(is_initialized == 0) {
      int support = MPI_THREAD_SINGLE;
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
      initialized_here_ = true;
    }
    MPI_Comm_dup(MPI_COMM_SELF, &comm_);
  }
  ~mpi_of_one() override {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if(is_finalized != 0)
      return;
    MPI_Comm_free(&comm_);
    if(initialized_here_)
      MPI_Finalize();
  }

  [[nodiscard]] transport::communicator mpi() const override {
    return {&comm_, sizeof(comm_), &typeid(MPI_Comm)};
  }

private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  bool initialized_here_ = false;
};

} // namespace

std::unique_ptr<lone_mpi> make_lone_mpi() { return std::make_unique<mpi_of_one>(); }

} // namespace rondo::detail::inline distributed
