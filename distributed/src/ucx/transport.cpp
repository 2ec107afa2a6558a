#include "transport.hpp"

#include <mutex>
#include <stdexcept>
#include <string>

#include <sched.h>

#include "../choose/factories.hpp"
#include "../mismatch.hpp"
#include "message.hpp"

namespace rondo::detail::inline distributed {

ucx_transport::ucx_transport(const communicator& of) : worker_(of) {
  if(ranks() > ucx_tag::most_ranks)
    throw std::runtime_error("rondo: the transport ucx can't connect more than " +
                             std::to_string(ucx_tag::most_ranks) + " ranks");
  worker_.check(ucp_worker_get_efd(worker_.ucp, &wake_descriptor_), "ucp_worker_get_efd");
  // Messages from this rank itself must wake up sleepers, too.
  self_.inbox(rank()).on_arrival = {
    [](void* self) {
      auto& t = *static_cast<ucx_transport*>(self);
      // One of this exchange and that in arm() is the later one. If it is this, it sees that somebody
      // sleeps; if it is that, the thread that is about to sleep sees what has come.
      if(t.is_armed_.exchange(false, std::memory_order_acq_rel))
        ucp_worker_signal(t.worker_.ucp);
    },
    this};
  make_rounds();
}

ucx_transport::~ucx_transport() { rounds_.clear(); }

std::unique_ptr<transport::message> ucx_transport::make_sender(
  unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) {
  check_rank(*this, to, "to");
  if(to == rank())
    return self_.make_sender(*this, {rank(), rank(), channel}, from, done);
  auto* const data = const_cast<std::byte*>(from.data()); // never written to
  return std::make_unique<ucx_message>(
    *this, ucx_tag::message, true, to, channel, data, from.size(), done);
}

std::unique_ptr<transport::message> ucx_transport::make_receiver(
  unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) {
  check_rank(*this, from, "from");
  if(from == rank())
    return self_.make_receiver(*this, {rank(), rank(), channel}, into, done);
  return std::make_unique<ucx_message>(
    *this, ucx_tag::message, false, from, channel, into.data(), into.size(), done);
}

bool ucx_transport::poll() {
  const bool has_told = self_.inbox(rank()).poll();
  const bool has_told_more = messages_.poll(lock_, [this] {
    if(worker_.has_to_look()) [[unlikely]]
      look_for_addresses();
    ucp_worker_progress(worker_.ucp);
  });
  return has_told || has_told_more;
}

void ucx_transport::look_for_addresses() {
  if(!worker_.look())
    return;
  // In their order, as on any channel.
  std::erase_if(unaddressed_, [this](ucx_message* m) {
    const ucp_ep_h way = worker_.endpoint(m->to());
    if(way != nullptr)
      m->send_late(way);
    return way != nullptr;
  });
}

void ucx_transport::wake_to_look() {
  // As in on_arrival.
  if(worker_.has_to_look() && is_armed_.exchange(false, std::memory_order_acq_rel))
    ucp_worker_signal(worker_.ucp);
}

void ucx_transport::enter_mpi() {
  worker_.world.make_theirs();
  // From here on nobody else is in MPI, nor has anything to do with it: all ranks have the same channels by now.
  for(;;) {
    const std::lock_guard lock(lock_);
    look_for_addresses();
    if(!worker_.has_to_look())
      return;
    ucp_worker_progress(worker_.ucp);
    sched_yield();
  }
}

bool ucx_transport::is_sending() const {
  return messages_.is_sending() || self_.inbox(rank()).is_sending();
}

bool ucx_transport::arm() {
  const std::lock_guard lock(lock_);
  is_armed_.exchange(true, std::memory_order_acq_rel); // see on_arrival
  if(worker_.has_to_look() || messages_.has_any() || !self_.inbox(rank()).is_empty())
    return false;
  const ucs_status_t status = ucp_worker_arm(worker_.ucp);
  if(status == UCS_ERR_BUSY)
    return false;
  worker_.check(status, "ucp_worker_arm");
  return true;
}

void ucx_transport::make_rounds() {
  const completion done{[](void* self) {
                          // Release: all that the other rank did before.
                          static_cast<std::atomic<int>*>(self)->fetch_sub(
                            1, std::memory_order_release);
                        },
    &awaited_};
  const auto make = [&](bool sends, unsigned peer) {
    return std::make_unique<ucx_message>(
      *this, ucx_tag::meeting, sends, peer, std::uint32_t(rounds_.size()), nullptr, 0, done);
  };
  for(std::uint64_t step = 1; step < ranks(); step *= 2) {
    const auto to = unsigned((rank() + step) % ranks());
    const auto from = unsigned((rank() + ranks() - step) % ranks());
    round r{make(true, to), make(false, from)};
    rounds_.push_back(std::move(r));
  }
}

void ucx_transport::start_round() {
  awaited_.store(2, std::memory_order_relaxed);
  for(const auto& m : {rounds_[round_].hears.get(), rounds_[round_].tells.get()})
    if(m->start())
      awaited_.fetch_sub(1, std::memory_order_relaxed);
}

void ucx_transport::start_meeting() {
  round_ = 0;
  if(!rounds_.empty())
    start_round();
}

bool ucx_transport::has_met() {
  while(round_ != rounds_.size()) {
    if(awaited_.load(std::memory_order_acquire) != 0)
      return false;
    if(++round_ != rounds_.size())
      start_round();
  }
  return true;
}

std::unique_ptr<transport> make_ucx_transport(const transport::communicator& of) {
  return std::make_unique<ucx_transport>(of);
}

} // namespace rondo::detail::inline distributed
