// Which transport a program gets.

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <rondo/core/nearest.hpp>
#include <rondo/distributed/transports.hpp>

#include "factories.hpp"

namespace rondo {

namespace {

constexpr std::array<std::string_view, 4> names{"shm", "mpi", "ucx", "solo"};

/// Empty if it is not set.
std::string_view environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::string_view{} : text;
}

/// A variable by which mpirun, or whoever took its place, tells a process that it is one of many.
/// Null: there is none.
const char* mark_of_launcher() {
  for(const char* const mark : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"})
    if(std::getenv(mark) != nullptr)
      return mark;
  return nullptr;
}

[[noreturn, maybe_unused]] void fail_without(std::string_view what, std::string_view packages) {
  throw std::runtime_error("rondo: the transport " + std::string(what) +
                           " was not built in, since " + std::string(packages) +
                           " was missing: install it (packages.txt, group [distributed]) and " +
                           "build Rondo again");
}

std::unique_ptr<transport> make_solo() { return std::move(make_local_transports(1).front()); }

std::unique_ptr<transport> make_mpi([[maybe_unused]] const transport::communicator& of) {
#if RONDO_HAS_MPI
  return detail::make_mpi_transport(of);
#else
  fail_without("mpi", "MPI (libopenmpi-dev, openmpi-bin)");
#endif
}

std::unique_ptr<transport> make_ucx([[maybe_unused]] const transport::communicator& of) {
#if RONDO_HAS_UCX
  return detail::make_ucx_transport(of);
#elif RONDO_HAS_MPI
  fail_without("ucx", "UCX (libucx-dev)");
#else
  fail_without("ucx", "MPI (libopenmpi-dev, openmpi-bin)");
#endif
}

std::unique_ptr<transport> make_shm([[maybe_unused]] const transport::communicator& of) {
#if RONDO_HAS_MPI
  return detail::make_shm_transport(true, of);
#else
  fail_without("shm", "MPI (libopenmpi-dev, openmpi-bin)");
#endif
}

std::unique_ptr<transport> make_automatically(const transport::communicator& of) {
  const char* const mark = of.what != nullptr ? "a communicator" : mark_of_launcher();
  if(mark == nullptr)
    return make_solo();
#if RONDO_HAS_MPI
  return detail::make_shm_transport(false, of);
#else
  throw std::runtime_error(
    "rondo: this program was started by mpirun or the like (" + std::string(mark) +
    " is set), but Rondo was built without MPI: install libopenmpi-dev and openmpi-bin " +
    "(packages.txt, group [distributed]) and build Rondo again, or set RONDO_TRANSPORT=solo to " +
    "run each process by itself");
#endif
}

std::unique_ptr<transport> make_called(
  std::string_view name, std::string_view whose, const transport::communicator& of) {
  if(name.empty())
    return make_automatically(of);
  if(name == "shm")
    return make_shm(of);
  if(name == "mpi")
    return make_mpi(of);
  if(name == "ucx")
    return make_ucx(of);
  if(name == "solo")
    return make_solo();
  throw std::invalid_argument("rondo: " + std::string(whose) + std::string(name) +
                              ": there is no such transport, but " +
                              detail::list_and_guess(name, names));
}

} // namespace

std::unique_ptr<detail::lone_mpi> detail::begin_mpi_alone() {
#if RONDO_HAS_MPI
  return make_lone_mpi();
#else
  throw std::runtime_error(
    "rondo: a task wants to call MPI, but Rondo was built without it: install libopenmpi-dev and "
    "openmpi-bin (packages.txt, group [distributed]) and build Rondo again");
#endif
}

std::unique_ptr<transport> make_transport(
  const transport::communicator& of, std::string_view name) {
  // Before anything is started: mistakes in it should end the program soon.
  const std::string_view delay = environment("RONDO_DELAY");
  const delay_options options = parse_delay(delay);
  auto made = name.empty() ? make_called(environment("RONDO_TRANSPORT"), "RONDO_TRANSPORT=", of)
                           : make_called(name, "", of);
  return delay.empty() ? std::move(made) : make_delayed(std::move(made), options);
}

std::unique_ptr<transport> make_transport(std::string_view name) {
  return make_transport(transport::communicator{}, name);
}

} // namespace rondo
