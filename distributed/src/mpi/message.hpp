#pragma once

#include <cstddef>
#include <cstdint>

#include "transport.hpp"

namespace rondo::detail::inline distributed {

class mpi_message final : public locked_message<progress_lock> {
public:
  mpi_message(mpi_transport& transport, bool sends, unsigned peer, std::uint32_t channel,
    std::byte* data, std::size_t size, transport::completion done);
  ~mpi_message() override;

  bool start() override;
  void set_length(std::size_t bytes) override;
  void look_when_asked() override { looks_when_asked_ = !sends_; }
  bool ask() override;

private:
  friend class mpi_transport;

  /// It has come to an end in `status`: the sizes must be the same. Returns false if this must not be told.
  [[nodiscard]] bool check(int error, const MPI_Status& status);
  void take_back() override;
  /// For so many bytes. Under the lock.
  void choose_type(std::size_t bytes);

  mpi_transport& transport_;
  MPI_Datatype type_ = MPI_BYTE;
  int count_ = 0;                          ///< How many of `type_` it has.
  MPI_Request request_ = MPI_REQUEST_NULL; ///< What is received: always the same one.
  std::size_t index_ = 0;                  ///< Among the requests that are looked at.
  bool looks_when_asked_ = false;
};

} // namespace rondo::detail::inline distributed
