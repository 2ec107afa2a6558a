#pragma once

// Messages between the parts of an unstructured mesh, by persistent requests:
//
//   ghosts<double> g(cells, values.data(), tag);      // what others own comes to its place among the ghosts
//   g.start();  ...  g.finish();
//   contributions<double> c(cells, values.data(), tag);   // what is among the ghosts goes to the owners, and is added there
//   c.start();  ...  c.finish();

#include "peers/mpi/mesh_part.hpp"

namespace bench::mpi {

// Requests that start and end together.
class requests {
public:
  requests() = default;
  requests(const requests&) = delete;
  requests& operator=(const requests&) = delete;
  ~requests() {
    for(MPI_Request& r : all_)
      MPI_Request_free(&r);
  }
  void add_send(const void* what, std::size_t bytes, int to, int tag) {
    if(bytes != 0)
      MPI_Send_init(what, static_cast<int>(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD, &add());
  }
  void add_receive(void* into, std::size_t bytes, int from, int tag) {
    if(bytes != 0)
      MPI_Recv_init(into, static_cast<int>(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, &add());
  }
  void start() {
    if(!all_.empty()) // Open MPI doesn't start nothing
      MPI_Startall(static_cast<int>(all_.size()), all_.data());
  }
  void progress() {
    int done = 0;
    MPI_Testall(static_cast<int>(all_.size()), all_.data(), &done, MPI_STATUSES_IGNORE);
  }
  void finish() { MPI_Waitall(static_cast<int>(all_.size()), all_.data(), MPI_STATUSES_IGNORE); }

private:
  MPI_Request& add() { return all_.emplace_back(); }

  std::vector<MPI_Request> all_;
};

// What of an element's neighbours goes to one process, or comes from it.
template<class T>
struct packet {
  const seen_by* with;
  std::vector<T> values; // one for each of the rim
};

template<class T>
class ghosts {
public:
  ghosts(const elements& e, T* values, int tag) : values_(values) {
    for(const seen_by& s : e.others) {
      out_.push_back({&s, std::vector<T>(s.rim.size())});
      requests_.add_send(out_.back().values.data(), sizeof(T) * s.rim.size(), s.rank, tag);
      requests_.add_receive(
        values + s.first_ghost, sizeof(T) * static_cast<std::size_t>(s.ghosts), s.rank, tag);
    }
  }
  void start() {
    for(packet<T>& p : out_)
      for(std::size_t k = 0; k != p.values.size(); ++k)
        p.values[k] = values_[p.with->rim[k]];
    requests_.start();
  }
  void progress() { requests_.progress(); }
  void finish() { requests_.finish(); }

private:
  T* values_;
  std::vector<packet<T>> out_;
  requests requests_;
};

template<class T>
class contributions {
public:
  contributions(const elements& e, T* values, int tag) : values_(values) {
    for(const seen_by& s : e.others) {
      in_.push_back({&s, std::vector<T>(s.rim.size())});
      requests_.add_receive(in_.back().values.data(), sizeof(T) * s.rim.size(), s.rank, tag);
      requests_.add_send(
        values + s.first_ghost, sizeof(T) * static_cast<std::size_t>(s.ghosts), s.rank, tag);
    }
  }
  void start() { requests_.start(); }
  void progress() { requests_.progress(); }
  void finish() {
    requests_.finish();
    for(const packet<T>& p : in_)
      for(std::size_t k = 0; k != p.values.size(); ++k)
        values_[p.with->rim[k]] += p.values[k];
  }

private:
  T* values_;
  std::vector<packet<T>> in_;
  requests requests_;
};

} // namespace bench::mpi
