// Which transport a program gets.

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <rondo/core/nearest.hpp>
#include <rondo/distributed/transports.hpp>

#include "factories.hpp"
#include "launcher.hpp"

namespace rondo {

namespace {

constexpr std::array<std::string_view, 4> names{"shm", "mpi", "ucx", "solo"};

/// Empty if it is not set.
std::string_view environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::string_view{} : text;
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

/// N processes of which each believes that it is alone would run the program N times over. A communicator of one
/// rank is meant.
std::unique_ptr<transport> if_all_are_there(
  std::unique_ptr<transport> made, const transport::communicator& of) {
  const auto launcher = detail::find_launcher();
  if(of.what != nullptr || made->ranks() != 1 || !launcher || launcher->processes == 1)
    return made;
#if RONDO_HAS_MPI
  throw std::runtime_error("rondo: this process was started as one of several (" + launcher->sign +
                           "), but MPI sees no others: the launcher does not work with the "
                           "MPI that Rondo was built " +
                           "with (" + detail::mpi_library() +
                           "). Start the program with mpirun of that MPI, or with a " +
                           "--mpi=... of srun that it understands (srun --mpi=list shows them); "
                           "RONDO_TRANSPORT=solo runs " +
                           "each process by itself");
#else
  throw std::runtime_error(
    "rondo: this process was started as one of several (" + launcher->sign +
    "), but Rondo was built without MPI: install libopenmpi-dev and openmpi-bin (packages.txt, "
    "group " +
    "[distributed]) and build Rondo again; RONDO_TRANSPORT=solo runs each process by itself");
#endif
}

std::unique_ptr<transport> make_automatically(const transport::communicator& of) {
#if RONDO_HAS_MPI
  // A program that has begun MPI before us may have been started in a way that leaves no sign.
  if(of.what != nullptr || detail::find_launcher() || detail::has_begun_mpi_of_many())
    return detail::make_shm_transport(false, of);
#endif
  return make_solo();
}

std::unique_ptr<transport> make_called(
  std::string_view name, std::string_view whose, const transport::communicator& of) {
  if(name.empty())
    return if_all_are_there(make_automatically(of), of);
  if(name == "shm")
    return if_all_are_there(make_shm(of), of);
  if(name == "mpi")
    return if_all_are_there(make_mpi(of), of);
  if(name == "ucx")
    return if_all_are_there(make_ucx(of), of);
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
