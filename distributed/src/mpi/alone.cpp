// MPI of a program that is not started by mpirun, for those who want to call it.

#include <mpi.h>

#include "../choose/factories.hpp"
#include "life.hpp"

namespace rondo::detail::inline distributed {

namespace {

class mpi_of_one final : public lone_mpi {
public:
  mpi_of_one() { MPI_Comm_dup(MPI_COMM_SELF, &comm_); }
  ~mpi_of_one() override {
    if(!mpi_life::has_ended())
      MPI_Comm_free(&comm_);
  }

  [[nodiscard]] transport::communicator mpi() const override {
    return {&comm_, sizeof(comm_), &typeid(MPI_Comm)};
  }

private:
  mpi_life life_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

} // namespace

std::unique_ptr<lone_mpi> make_lone_mpi() { return std::make_unique<mpi_of_one>(); }

} // namespace rondo::detail::inline distributed
