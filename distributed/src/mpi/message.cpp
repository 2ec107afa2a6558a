#include "message.hpp"

#include <array>
#include <climits>
#include <mutex>

#include "../mismatch.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// MPI counts with int. More bytes than that are described as gibibytes and a rest.
MPI_Datatype type_of(std::size_t size) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30U;
  MPI_Datatype gibibytes = MPI_DATATYPE_NULL;
  MPI_Datatype whole = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(int(gibibyte), MPI_BYTE, &gibibytes);
  std::array<int, 2> counts{int(size / gibibyte), int(size % gibibyte)};
  std::array<MPI_Aint, 2> at{0, MPI_Aint(size / gibibyte * gibibyte)};
  std::array<MPI_Datatype, 2> types{gibibytes, MPI_BYTE};
  MPI_Type_create_struct(2, counts.data(), at.data(), types.data(), &whole);
  MPI_Type_free(&gibibytes);
  MPI_Type_commit(&whole);
  return whole;
}

} // namespace

mpi_message::mpi_message(mpi_transport& transport, bool sends, unsigned peer, std::uint32_t channel,
  std::byte* data, std::size_t size, transport::completion done)
    : locked_message(transport.lock_, transport.messages_, sends, peer, channel, data, size, done),
      transport_(transport) {
  const std::lock_guard lock(transport_.lock_);
  choose_type(size);
  const mpi_world& world = transport_.world_;
  if(!sends)
    world.check(MPI_Recv_init(data, count_, type_, int(peer), int(channel), world.comm, &request_),
      "MPI_Recv_init");
}

mpi_message::~mpi_message() {
  give_up();
  const std::lock_guard lock(transport_.lock_);
  if(request_ != MPI_REQUEST_NULL)
    MPI_Request_free(&request_);
  choose_type(0);
}

void mpi_message::choose_type(std::size_t bytes) {
  if(type_ != MPI_BYTE)
    MPI_Type_free(&type_);
  const bool is_large = bytes > INT_MAX;
  type_ = is_large ? type_of(bytes) : MPI_BYTE;
  count_ = is_large ? 1 : int(bytes);
}

void mpi_message::set_length(std::size_t bytes) {
  remote_message::set_length(bytes);
  const std::lock_guard lock(transport_.lock_);
  choose_type(length_);
}

bool mpi_message::start() {
  mpi_transport& t = transport_;
  const std::lock_guard lock(t.lock_);
  // A small message can leave without any request, but not if it has a persistent one: with Open
  // MPI that takes half as long again.
  if(sends_)
    t.world_.check(
      MPI_Isend(data_, count_, type_, int(peer_), int(channel_), t.world_.comm, &request_),
      "MPI_Isend");
  else
    t.world_.check(MPI_Start(&request_), "MPI_Start");
  int is_over = 0;
  MPI_Status status;
  const int error = MPI_Test(&request_, &is_over, &status);
  if(is_over != 0 || error != MPI_SUCCESS) {
    return check(error, status);
  }
  if(looks_when_asked_)
    state_ = state::not_asked;
  else
    t.add(*this);
  return false;
}

bool mpi_message::ask() {
  mpi_transport& t = transport_;
  const std::lock_guard lock(t.lock_);
  if(state_ != state::not_asked)
    return false;
  int is_over = 0;
  MPI_Status status;
  const int error = MPI_Test(&request_, &is_over, &status);
  if(is_over != 0 || error != MPI_SUCCESS) {
    state_ = state::idle;
    return check(error, status);
  }
  t.add(*this);
  return false;
}

void mpi_message::take_back() {
  if(state_ == state::under_way)
    transport_.remove(*this);
  transport_.world_.check(MPI_Cancel(&request_), "MPI_Cancel");
  // If that came too late, the message is being received, and it won't take long.
  MPI_Status status;
  const int error = MPI_Wait(&request_, &status);
  int is_cancelled = 0;
  MPI_Test_cancelled(&status, &is_cancelled);
  if(is_cancelled == 0)
    static_cast<void>(check(error, status));
}

bool mpi_message::check(int error, const MPI_Status& status) {
  if(error != MPI_SUCCESS) {
    int kind = MPI_SUCCESS;
    MPI_Error_class(error, &kind);
    if(kind == MPI_ERR_TRUNCATE) {
      end_by_mismatch(transport_, peer_, channel_, unknown_size, size_);
      return false;
    }
    transport_.world_.fail(error, sends_ ? "sending" : "receiving");
  }
  if(sends_)
    return true;
  MPI_Count size = 0;
  MPI_Get_elements_x(&status, MPI_BYTE, &size);
  if(take_length(std::size_t(size)))
    return true;
  end_by_mismatch(transport_, peer_, channel_, std::size_t(size), size_);
  return false;
}

} // namespace rondo::detail::inline distributed
