#pragma once

// Messages between the parts of an unstructured mesh, by persistent requests:
//
//   ghosts<double> g(cells, values.data(), tag);      // what others own comes to its place among the ghosts
//   g.start();  ...  g.finish();
//   contributions<double> c(cells, values.data(), tag);   // what is among the ghosts goes to the owners, and is added there
//   c.start();  ...  c.finish();

#include "peers/mpi/mesh_part.hpp"
#include "peers/mpi/requests.hpp"

namespace bench::mpi {

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
