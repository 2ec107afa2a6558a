// Half of a round trip between two ranks, without anything around it.
//
//   mpirun -np 2 peer_mpi_ping_pong

#include "peers/mpi/ping_pong.hpp"

namespace {

using buffer = std::vector<char>;

struct messages {
  void send(const buffer& b) const {
    MPI_Send(b.data(), count(b), MPI_BYTE, other, 0, MPI_COMM_WORLD);
  }
  void receive(buffer& b) const {
    MPI_Recv(b.data(), count(b), MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void exchange(const buffer& out, buffer& in) const {
    MPI_Sendrecv(out.data(), count(out), MPI_BYTE, other, 0, in.data(), count(in), MPI_BYTE, other,
      0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  static int count(const buffer& b) { return static_cast<int>(b.size()); }

  int other;
};

} // namespace

int main(int argc, char** argv) {
  using namespace bench::mpi;
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    const ping_pong_options o = read_ping_pong_options(argc, argv, w);
    messages m{1 - w.rank};
    ping_pong(o, w, "MPI", m);
  });
}
