#include "introductions.hpp"

#include <algorithm>
#include <utility>

#include <sched.h>

namespace rondo::detail::inline distributed {

namespace {
constexpr int tag = 1; // of the communicator; the ring that watches ranks has used 0
} // namespace

ucx_introductions::ucx_introductions(mpi_world& world, std::span<const std::byte> mine)
    : world_(world) {
  int longest = int(mine.size());
  world_.check(
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_INT, MPI_MAX, world_.comm), "MPI_Allreduce");
  mine_.resize(std::size_t(longest));
  std::copy(mine.begin(), mine.end(), mine_.begin());
}

void ucx_introductions::tell(unsigned rank) {
  if(!told_.insert(rank).second)
    return;
  // Ends when the other rank has asked: until then this rank may have to help it on its way.
  MPI_Request request = MPI_REQUEST_NULL;
  world_.check(
    MPI_Issend(mine_.data(), int(mine_.size()), MPI_BYTE, int(rank), tag, world_.comm, &request),
    "MPI_Issend");
  tells_.push_back(request);
}

void ucx_introductions::ask(unsigned rank) {
  const auto [at, is_new] = asks_.try_emplace(rank);
  if(!is_new)
    return;
  ask_request& a = at->second;
  a.address.resize(mine_.size());
  world_.check(MPI_Irecv(a.address.data(), int(a.address.size()), MPI_BYTE, int(rank), tag,
                 world_.comm, &a.request),
    "MPI_Irecv");
}

void ucx_introductions::look_at_tells() {
  std::erase_if(tells_, [this](MPI_Request& r) {
    int is_over = 0;
    world_.check(MPI_Test(&r, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
    return is_over != 0;
  });
}

bool ucx_introductions::look(const finder& found) {
  look_at_tells();
  bool any = false;
  for(auto at = asks_.begin(); at != asks_.end();) {
    int is_over = 0;
    world_.check(MPI_Test(&at->second.request, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
    if(is_over == 0) {
      ++at;
      continue;
    }
    found(at->first, at->second.address.data());
    at = asks_.erase(at);
    any = true;
  }
  return any;
}

/// From ranks that this one never sent to.
void ucx_introductions::take_unasked() const {
  for(;;) {
    int has_come = 0;
    MPI_Status status;
    world_.check(MPI_Iprobe(MPI_ANY_SOURCE, tag, world_.comm, &has_come, &status), "MPI_Iprobe");
    if(has_come == 0)
      return;
    std::vector<std::byte> address(mine_.size());
    world_.check(MPI_Recv(address.data(), int(address.size()), MPI_BYTE, status.MPI_SOURCE, tag,
                   world_.comm, MPI_STATUS_IGNORE),
      "MPI_Recv");
  }
}

void ucx_introductions::end(const std::function<void()>& meanwhile) {
  const auto help = [&] {
    meanwhile();
    take_unasked();
    sched_yield();
  };
  for(look_at_tells(); !tells_.empty(); look_at_tells())
    help();
  // Now nothing of this rank's is under way. When all say so, nothing is anywhere.
  MPI_Request all = MPI_REQUEST_NULL;
  world_.check(MPI_Ibarrier(world_.comm, &all), "MPI_Ibarrier");
  for(int is_over = 0; is_over == 0;) {
    help();
    world_.check(MPI_Test(&all, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
  }
  for(auto& [rank, a] : asks_) {
    world_.check(MPI_Cancel(&a.request), "MPI_Cancel");
    world_.check(MPI_Wait(&a.request, MPI_STATUS_IGNORE), "MPI_Wait");
  }
  asks_.clear();
}

} // namespace rondo::detail::inline distributed
