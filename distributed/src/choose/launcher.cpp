#include "launcher.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace rondo::detail::inline distributed {

namespace {

std::optional<std::uint32_t> number(variables environment, const char* name) {
  const char* const text = environment(name);
  if(text == nullptr)
    return std::nullopt;
  const std::string_view s = text;
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  if(error != std::errc() || end != s.data() + s.size())
    return std::nullopt;
  return n;
}

std::string sign(const char* name, std::uint32_t value) {
  return std::string(name) + "=" + std::to_string(value);
}

/// Of srun, which says so even if it does not bring the processes together (--mpi=none).
std::optional<start_of_many> find_step(variables environment) {
  // Slurm's own steps, such as that of a batch script, have numbers from here on, and one task.
  constexpr std::uint32_t first_special = 0xffff'fff0;
  const auto tasks = number(environment, "SLURM_STEP_NUM_TASKS");
  const auto step = number(environment, "SLURM_STEP_ID");
  if(!tasks || *tasks < 2 || !step || *step >= first_special ||
     !number(environment, "SLURM_PROCID"))
    return std::nullopt;
  return start_of_many{sign("SLURM_STEP_NUM_TASKS", *tasks), *tasks};
}

} // namespace

std::optional<start_of_many> find_launcher(variables environment) {
  std::optional<start_of_many> found;
  // Open MPI's mpirun; and those that speak PMI: MPICH, Intel, srun --mpi=pmi2.
  for(const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if(const auto n = number(environment, name); n && *n != 0 && (!found || *n < found->processes))
      found = start_of_many{sign(name, *n), *n};
  if(found)
    return found;
  // Launchers that tell each process its number only.
  for(const char* const name : {"PMI_RANK", "PMIX_RANK"})
    if(const auto n = number(environment, name); n && (!found || *n >= found->processes))
      found = start_of_many{sign(name, *n), *n + 1};
  if(const auto step = find_step(environment); step && (!found || found->processes == 1))
    found = step;
  return found;
}

std::optional<start_of_many> find_launcher() {
  return find_launcher([](const char* name) -> const char* { return std::getenv(name); });
}

} // namespace rondo::detail::inline distributed
