#include "transport.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>

#include "../choose/factories.hpp"
#include "../mismatch.hpp"
#include "message.hpp"

namespace rondo::detail::inline distributed {

namespace {
progress_lock& lock_of_process() {
  static progress_lock lock;
  return lock;
}
} // namespace

mpi_transport::mpi_transport(const communicator& of) : world_(of), lock_(lock_of_process()) {
  const std::lock_guard lock(lock_);
  // Nobody sends to himself over MPI.
  MPI_Recv_init(nullptr, 0, MPI_BYTE, int(world_.rank), 0, world_.comm, &never_);
  MPI_Start(&never_);
}

mpi_transport::~mpi_transport() {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if(is_finalized != 0)
    return;
  const std::lock_guard lock(lock_);
  MPI_Cancel(&never_);
  MPI_Wait(&never_, MPI_STATUS_IGNORE);
  MPI_Request_free(&never_);
}

void mpi_transport::check_channel(std::uint32_t channel) const {
  if(channel > world_.most_channel)
    throw std::invalid_argument("rondo: channel " + std::to_string(channel) +
                                ", but this MPI library has tags up to " +
                                std::to_string(world_.most_channel) + " only (MPI_TAG_UB)");
}

std::unique_ptr<transport::message> mpi_transport::make_sender(
  unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) {
  check_rank(*this, to, "to");
  check_channel(channel);
  if(to == rank())
    return self_.make_sender(*this, {rank(), rank(), channel}, from, done);
  // Never written to.
  return std::make_unique<mpi_message>(
    *this, true, to, channel, const_cast<std::byte*>(from.data()), from.size(), done);
}

std::unique_ptr<transport::message> mpi_transport::make_receiver(
  unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) {
  check_rank(*this, from, "from");
  check_channel(channel);
  if(from == rank())
    return self_.make_receiver(*this, {rank(), rank(), channel}, into, done);
  return std::make_unique<mpi_message>(*this, false, from, channel, into.data(), into.size(), done);
}

void mpi_transport::add(mpi_message& m) {
  messages_.start(m);
  m.index_ = requests_.size();
  requests_.push_back(m.request_);
  owners_.push_back(&m);
}

/// From those under way.
void mpi_transport::remove(mpi_message& m) {
  m.request_ = requests_[m.index_]; // MPI has forgotten one that has been sent
  requests_[m.index_] = requests_.back();
  owners_[m.index_] = owners_.back();
  owners_[m.index_]->index_ = m.index_;
  requests_.pop_back();
  owners_.pop_back();
}

bool mpi_transport::poll() {
  const bool has_told = self_.inbox(rank()).poll();
  const bool has_told_more = messages_.poll(lock_, [this] {
    if(requests_.size() > 1)
      look_at_all();
    else
      look_at_one();
  });
  return has_told || has_told_more;
}

/// If there is one. MPI_Test looks again when it has seen to what has arrived; MPI_Testsome
/// does not.
void mpi_transport::look_at_one() {
  int is_over = 0;
  MPI_Status status;
  if(requests_.empty()) {
    // Messages that were sent may still be here.
    world_.check(MPI_Test(&never_, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
    return;
  }
  const int error = MPI_Test(requests_.data(), &is_over, &status);
  if(is_over == 0 && error == MPI_SUCCESS)
    return;
  mpi_message& m = *owners_[0];
  const bool is_good = m.check(error, status);
  remove(m);
  end(m, is_good);
}

void mpi_transport::look_at_all() {
  if(indices_.size() < requests_.size()) {
    indices_.resize(requests_.capacity());
    statuses_.resize(requests_.capacity());
  }
  int n = 0;
  const int error =
    MPI_Testsome(int(requests_.size()), requests_.data(), &n, indices_.data(), statuses_.data());
  if(error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS)
    world_.fail(error, "MPI_Testsome");
  if(n == MPI_UNDEFINED)
    return;
  for(int i = 0; i != n; ++i) {
    mpi_message& m = *owners_[std::size_t(indices_[std::size_t(i)])];
    const MPI_Status& status = statuses_[std::size_t(i)];
    // The error in a status counts only if there is one in any.
    end(m, m.check(error == MPI_SUCCESS ? MPI_SUCCESS : status.MPI_ERROR, status));
  }
  // Only now, and from behind: it changes the places of others.
  std::sort(indices_.begin(), indices_.begin() + n);
  for(int i = n; i-- != 0;)
    remove(*owners_[std::size_t(indices_[std::size_t(i)])]);
}

void mpi_transport::end(mpi_message& m, bool is_good) {
  if(is_good)
    messages_.end(m);
  else
    messages_.forget(m);
}

bool mpi_transport::is_sending() const {
  return messages_.is_sending() || self_.inbox(rank()).is_sending();
}

void mpi_transport::start_meeting() {
  const std::lock_guard lock(lock_);
  world_.check(MPI_Ibarrier(world_.comm, &meeting_), "MPI_Ibarrier");
}

bool mpi_transport::has_met() {
  const std::lock_guard lock(lock_);
  int is_over = 0;
  world_.check(MPI_Test(&meeting_, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
  return is_over != 0;
}

std::unique_ptr<transport> make_mpi_transport(const transport::communicator& of) {
  return std::make_unique<mpi_transport>(of);
}

} // namespace rondo::detail::inline distributed
