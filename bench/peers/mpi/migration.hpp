#pragma once

// Values that leave for other processes, in any number: those for a neighbour are packed one after the other, and go in one message, whose
// length says how many they are.
//
//   migration<particle> m(neighbours, tag);       // ranks; the same on both sides
//   m.to(n).push_back(p);                         // n: of a neighbour
//   m.exchange(all);                              // those that have come are appended

#include <cstddef>
#include <vector>

#include <mpi.h>

namespace bench::mpi {

template<class T>
class migration {
public:
  migration(const std::vector<int>& ranks, int tag) : tag_(tag) {
    for(const int r : ranks)
      others_.push_back({r, {}});
    requests_.resize(others_.size());
  }

  [[nodiscard]] std::vector<T>& to(std::size_t n) { return others_[n].leaving; }

  void exchange(std::vector<T>& all) {
    for(std::size_t n = 0; n != others_.size(); ++n) {
      const std::vector<T>& leaving = others_[n].leaving;
      MPI_Isend(leaving.data(), static_cast<int>(sizeof(T) * leaving.size()), MPI_BYTE,
        others_[n].rank, tag_, MPI_COMM_WORLD, &requests_[n]);
    }
    for(const neighbour& o : others_) {
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Mprobe(o.rank, tag_, MPI_COMM_WORLD, &message, &status);
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const std::size_t before = all.size();
      all.resize(before + static_cast<std::size_t>(bytes) / sizeof(T));
      MPI_Mrecv(all.data() + before, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for(neighbour& o : others_)
      o.leaving.clear();
  }

private:
  struct neighbour {
    int rank;
    std::vector<T> leaving;
  };

  int tag_;
  std::vector<neighbour> others_;
  std::vector<MPI_Request> requests_;
};

} // namespace bench::mpi
