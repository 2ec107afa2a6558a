#pragma once

/// \file
/// Tasks that call MPI, or a library that does: what `scheduler::execute_mpi` gives them.
///
/// \code
///   #include <mpi.h>
///   #include <rondo/rondo.hpp>
///
///   double write(MPI_Comm comm, per_color<grid::view> m, per_color<numbers::accessor<ro>> u,
///                std::string path) {
///     MPI_File file;
///     MPI_File_open(comm, path.c_str(), ...);
///     for(std::size_t c = 0; c != m.size(); ++c)           // the colors of this rank
///       for(auto j : m[c].owned(1))
///         MPI_File_write_at(file, ..., &u[c](m[c].owned(0).first(), j), ...);
///     ...
///   }
///
///   future<double> seconds = s.execute_mpi<write>(m, u, "u.dat");
/// \endcode
///
/// The first parameter is MPI_Comm, or `mpi_task`, which becomes one where that is needed. It is a
/// communicator of all ranks, and always the same one: nobody else sends there. The tasks run one after the other, in the order of the
/// program, on a thread of their own that may wait in MPI.

#include <cstddef>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <rondo/distributed/transport.hpp>

namespace rondo {

/// Stands for the communicator, without mpi.h. Good while the task runs.
class mpi_task {
public:
  explicit mpi_task(transport& t) : transport_(&t) {}

  [[nodiscard]] unsigned rank() const { return transport_->rank(); }
  [[nodiscard]] unsigned ranks() const { return transport_->ranks(); }

  /// MPI_Comm: a pointer or a number, depending on the library. std::runtime_error where there is
  /// no MPI, std::logic_error if it is another type.
  template<class Comm>
    requires(std::is_pointer_v<Comm> || std::is_same_v<Comm, int>)
  operator Comm() const {
    Comm comm{};
    copy(&comm, typeid(Comm));
    return comm;
  }

private:
  void copy(void* into, const std::type_info& type) const;

  transport* transport_;
};

/// A task that runs once on each rank gets one view or accessor for each color of this rank, in the
/// order of the colors.
template<class P>
class per_color {
public:
  explicit per_color(std::vector<P> all) : all_(std::move(all)) {}

  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const P& operator[](std::size_t color) const { return all_[color]; }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

private:
  std::vector<P> all_;
};

namespace detail::inline distributed {

/// What a parameter is for one color.
template<class P>
struct of_one_color {
  using type = P;
};
template<class P>
struct of_one_color<per_color<P>> {
  using type = P;
};
template<class P>
inline constexpr bool is_per_color = false;
template<class P>
inline constexpr bool is_per_color<per_color<P>> = true;

template<class P>
inline constexpr bool may_be_communicator =
  std::is_same_v<P, mpi_task> || std::is_pointer_v<P> || std::is_same_v<P, int>;

} // namespace detail::inline distributed

} // namespace rondo
