// Half a round trip between ranks 0 and 1, microseconds: through the transport and by MPI itself,
// in turns in the same run. The best of some rounds: cores may be shared.
//
//   mpirun -np 2 ping_pong [ROUNDS]

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <mpi.h>
#include <rondo/distributed/transports.hpp>

namespace {

using clock_type = std::chrono::steady_clock;
using rondo::transport;

template<class Pass>
double microseconds(int passes, Pass pass) {
  for(int i = 0; i != passes / 10 + 1; ++i)
    pass();
  const auto begin = clock_type::now();
  for(int i = 0; i != passes; ++i)
    pass();
  return std::chrono::duration<double, std::micro>(clock_type::now() - begin).count() / passes / 2;
}

/// By the transport. It may be one that delays, or goes another way.
double by_transport(transport& t, std::size_t size, int passes) {
  const unsigned peer = 1 - t.rank();
  std::vector<std::byte> out(size);
  std::vector<std::byte> in(size);
  struct state {
    bool sent = false;
    bool received = false;
  } s;
  const auto sender =
    t.make_sender(peer, 1, out, {[](void* self) { static_cast<state*>(self)->sent = true; }, &s});
  const auto receiver = t.make_receiver(
    peer, 1, in, {[](void* self) { static_cast<state*>(self)->received = true; }, &s});
  const auto send = [&] { s.sent = sender->start(); };
  const auto receive = [&] {
    while(!s.received)
      t.poll();
  };
  const auto complete = [&] {
    while(!s.sent)
      t.poll();
  };
  return microseconds(passes, [&] {
    s.received = receiver->start();
    if(t.rank() == 0) {
      send();
      receive();
    }
    else {
      receive();
      send();
    }
    complete();
  });
}

double by_mpi(int rank, std::size_t size, int passes) {
  std::vector<std::byte> out(size);
  std::vector<std::byte> in(size);
  const int n = int(size);
  const int peer = 1 - rank;
  return microseconds(passes, [&] {
    if(rank == 0)
      MPI_Send(out.data(), n, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(in.data(), n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if(rank == 1)
      MPI_Send(out.data(), n, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
  });
}

double by_persistent_mpi(int rank, std::size_t size, int passes) {
  std::vector<std::byte> out(size);
  std::vector<std::byte> in(size);
  const int n = int(size);
  MPI_Request s = MPI_REQUEST_NULL;
  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Send_init(out.data(), n, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &s);
  MPI_Recv_init(in.data(), n, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &r);
  const double us = microseconds(passes, [&] {
    MPI_Start(&r);
    if(rank == 0)
      MPI_Start(&s);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if(rank == 1)
      MPI_Start(&s);
    MPI_Wait(&s, MPI_STATUS_IGNORE);
  });
  MPI_Request_free(&s);
  MPI_Request_free(&r);
  return us;
}

} // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  const auto t = rondo::make_transport();
  if(t->ranks() != 2) {
    std::fprintf(stderr, "ping_pong: start it with 2 ranks\n");
    t->abort(1);
  }
  const bool is_first = t->rank() == 0;
  if(is_first)
    std::printf(
      "%10s %12s %12s %12s %8s\n", "bytes", t->name(), "send/recv", "persistent", "ratio");
  for(const std::size_t size : {8UL, 1024UL, 4096UL, 65536UL, 1UL << 20U}) {
    const int passes = size < 10'000 ? 1000 : 50;
    std::array<double, 3> best{1e9, 1e9, 1e9};
    for(int i = 0; i != rounds; ++i) {
      t->meet();
      best[0] = std::min(best[0], by_transport(*t, size, passes));
      t->meet();
      best[1] = std::min(best[1], by_mpi(int(t->rank()), size, passes));
      t->meet();
      best[2] = std::min(best[2], by_persistent_mpi(int(t->rank()), size, passes));
    }
    if(is_first)
      std::printf(
        "%10zu %12.3f %12.3f %12.3f %8.2f\n", size, best[0], best[1], best[2], best[0] / best[1]);
  }
}
