#pragma once

// The exchange of what is along the rim of the blocks, by persistent requests.
//
//   halo h(MPI_COMM_WORLD, tag);
//   h.add(neighbour, {first of those sent, stride, count}, {first of those received, stride, count});
//   h.start();      // takes what is to be sent from the arrays
//   ...             // work that needs nothing of it, now and then h.progress()
//   h.finish();     // puts what has come into the arrays
//
// Elements are gathered into buffers, also where they are adjacent: of a row, only those of one color are
// wanted, and half of a message is the larger gain.

#include "peers/mpi/block.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include <mpi.h>

namespace bench::mpi {

struct strip {
  double* first;
  coord stride;
  coord count;
};

class halo {
public:
  halo(MPI_Comm communicator, int tag) : communicator_(communicator), tag_(tag) {}
  halo(const halo&) = delete;
  halo& operator=(const halo&) = delete;
  ~halo() {
    for(MPI_Request& r : requests_)
      MPI_Request_free(&r);
  }

  // Nothing if there is no such neighbour (-1). What one adds to be sent, the other adds to be received.
  void add(int neighbour, strip send, strip receive) {
    if(neighbour < 0)
      return;
    add(out_, send, [&](double* buffer, int count, MPI_Request* r) {
      MPI_Send_init(buffer, count, MPI_DOUBLE, neighbour, tag_, communicator_, r);
    });
    add(in_, receive, [&](double* buffer, int count, MPI_Request* r) {
      MPI_Recv_init(buffer, count, MPI_DOUBLE, neighbour, tag_, communicator_, r);
    });
  }

  void start() {
    for(message& m : out_)
      for(std::size_t k = 0; k < m.buffer.size(); ++k)
        m.buffer[k] = m.elements.first[static_cast<coord>(k) * m.elements.stride];
    if(!empty()) // Open MPI doesn't start nothing
      MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
  }

  void progress() {
    int done = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  }

  void finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for(const message& m : in_)
      for(std::size_t k = 0; k < m.buffer.size(); ++k)
        m.elements.first[static_cast<coord>(k) * m.elements.stride] = m.buffer[k];
  }

  [[nodiscard]] bool empty() const { return requests_.empty(); }

private:
  struct message {
    strip elements;
    std::vector<double> buffer; // stays where it is when messages are moved
  };

  template<class Make>
  void add(std::vector<message>& to, strip elements, const Make& make) {
    if(elements.count <= 0)
      return;
    to.push_back({elements, std::vector<double>(static_cast<std::size_t>(elements.count))});
    requests_.emplace_back();
    make(to.back().buffer.data(), static_cast<int>(elements.count), &requests_.back());
  }

  MPI_Comm communicator_;
  int tag_;
  std::vector<message> out_;
  std::vector<message> in_;
  std::vector<MPI_Request> requests_;
};

// All four sides of array u: the vertices of one color, or all.
inline void add_sides(halo& h, const decomposition& d, int rank, const block& b, double* u,
  std::optional<solver::color> c = {}) {
  const coord stride = c ? 2 : 1;
  // The first vertex from 1 on that has the color, in row n as well as in column n: colors are the same if
  // i and j are exchanged.
  const auto first = [&](coord n) -> coord { return c ? 1 + ((1 ^ b.parity(*c, n)) & 1) : 1; };
  const auto row = [&](coord j) {
    const coord k = first(j);
    return strip{b.row(u, j) + k, stride, (b.width() - k + stride) / stride};
  };
  const auto column = [&](coord i) {
    const coord k = first(i);
    return strip{b.row(u, k) + i, stride * b.stride(), (b.height() - k + stride) / stride};
  };
  h.add(d.neighbour(rank, 0, -1), row(1), row(0));
  h.add(d.neighbour(rank, 0, 1), row(b.height()), row(b.height() + 1));
  h.add(d.neighbour(rank, -1, 0), column(1), column(0));
  h.add(d.neighbour(rank, 1, 0), column(b.width()), column(b.width() + 1));
}

} // namespace bench::mpi
