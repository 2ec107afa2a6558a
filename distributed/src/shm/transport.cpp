#include "transport.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include <rondo/distributed/transports.hpp>

#include "../mismatch.hpp"
#include "message.hpp"

namespace rondo {

namespace detail::inline distributed {

shm_transport::shm_transport(std::unique_ptr<transport> between_nodes, node n)
    : outside_(std::move(between_nodes)), node_(std::move(n)), office_(*node_.memory, node_.here) {}

shm_transport::~shm_transport() = default;

unsigned shm_transport::here(unsigned rank) const {
  const auto at = std::lower_bound(node_.ranks.begin(), node_.ranks.end(), rank);
  return rank == this->rank() || at == node_.ranks.end() || *at != rank
           ? elsewhere
           : unsigned(at - node_.ranks.begin());
}

std::unique_ptr<transport::message> shm_transport::make_sender(
  unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) {
  check_rank(*this, to, "to");
  const unsigned number = here(to);
  if(number == elsewhere) {
    uses_outside_.store(true, std::memory_order_relaxed);
    return outside_->make_sender(to, channel, from, done);
  }
  return std::make_unique<shm_sender>(
    *this, outgoing_to(number), to, channel, from.data(), from.size(), done);
}

std::unique_ptr<transport::message> shm_transport::make_sender_in_place(
  unsigned to, std::uint32_t channel, std::size_t bytes, completion done) {
  const unsigned number = here(to);
  if(number == elsewhere || bytes < least_in_place)
    return nullptr;
  lending_office::loan where;
  {
    const std::lock_guard lock(lock_);
    where = office_.find(bytes);
  }
  if(where.place == 0)
    return nullptr;
  return std::make_unique<shm_sender>(*this, outgoing_to(number), to, channel, where, bytes, done);
}

outgoing& shm_transport::outgoing_to(unsigned number) {
  const std::lock_guard lock(lock_);
  const node_memory& m = *node_.memory;
  return outgoing_.try_emplace(number, m.pipe(node_.here, number), m.bell_of(number)).first->second;
}

std::unique_ptr<transport::message> shm_transport::make_receiver(
  unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) {
  check_rank(*this, from, "from");
  const unsigned number = here(from);
  if(number == elsewhere) {
    uses_outside_.store(true, std::memory_order_relaxed);
    return outside_->make_receiver(from, channel, into, done);
  }
  // Not null, which stands for memory of the transport's.
  static std::byte nothing{};
  std::byte* const data = into.data() != nullptr ? into.data() : &nothing;
  return std::make_unique<shm_receiver>(
    *this, incoming_from(number, from), from, channel, data, into.size(), done);
}

std::unique_ptr<transport::message> shm_transport::make_receiver_in_place(
  unsigned from, std::uint32_t channel, std::size_t bytes, completion done) {
  const unsigned number = here(from);
  if(number == elsewhere || bytes < least_in_place)
    return nullptr;
  return std::make_unique<shm_receiver>(
    *this, incoming_from(number, from), from, channel, nullptr, bytes, done);
}

incoming& shm_transport::incoming_from(unsigned number, unsigned rank) {
  const std::lock_guard lock(lock_);
  const auto [at, is_new] = incoming_.try_emplace(
    number, *this, rank, *node_.memory, node_.memory->pipe(number, node_.here));
  incoming& peer = at->second;
  if(is_new) {
    peer.other = sources_.load(std::memory_order_relaxed);
    sources_.store(&peer, std::memory_order_release);
  }
  return peer;
}

bool shm_transport::has_come() const {
  bool any = messages_.has_any();
  each_source([&any](const incoming& i) { any = any || i.has_any(); });
  return any;
}

bool shm_transport::poll() {
  const bool has_told = uses_outside_.load(std::memory_order_relaxed) && outside_->poll();
  if(!has_come() && !messages_.is_sending())
    return has_told;
  const bool has_told_more = messages_.poll(lock_, [this] {
    each_source([this](incoming& i) { i.look(messages_); });
    if(messages_.is_sending()) [[unlikely]]
      for(auto& [number, peer] : outgoing_)
        peer.flush(messages_);
  });
  return has_told || has_told_more;
}

bool shm_transport::poll_patiently() {
  // From one to the next is a fraction of what a message takes from core to core.
  constexpr int looks = 16;
  if(!uses_outside_.load(std::memory_order_relaxed))
    for(int i = 0; i != looks && !has_come() && !messages_.is_sending(); ++i) {
    }
  return poll();
}

void shm_transport::rest(std::chrono::nanoseconds most) {
  bell& mine = node_.memory->bell_of(node_.here);
  mine.show_sleep();
  bool any = false;
  {
    const std::lock_guard lock(lock_);
    any = has_come();
  }
  if(any)
    mine.cancel();
  else
    mine.sleep(most);
}

void shm_transport::tell_mismatches(mismatch_listener l) {
  transport::tell_mismatches(l);
  outside_->tell_mismatches(l);
}

} // namespace detail::inline distributed

std::vector<std::unique_ptr<transport>> make_shared_memory_transports(
  unsigned n, unsigned of_a_node) {
  if(of_a_node == 0)
    throw std::invalid_argument("rondo::make_shared_memory_transports: 0 ranks on each node");
  auto all = make_local_transports(n);
  detail::node node;
  for(unsigned i = 0; i != n; ++i) {
    node.here = i % of_a_node;
    if(node.here == 0) {
      const unsigned ranks = std::min(of_a_node, n - i);
      node.memory = std::make_shared<detail::node_memory>(ranks);
      node.ranks.clear();
      for(unsigned k = 0; k != ranks; ++k)
        node.ranks.push_back(i + k);
    }
    all[i] = std::make_unique<detail::shm_transport>(std::move(all[i]), node);
  }
  return all;
}

} // namespace rondo
