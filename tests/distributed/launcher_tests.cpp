#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "choose/launcher.hpp"

using namespace rondo;

namespace {

/// "PMI_SIZE=4: 4", or "nothing".
std::string found(const std::map<std::string, std::string>& set) {
  const auto launcher = detail::find_launcher([&](const char* name) -> const char* {
    const auto at = set.find(name);
    return at == set.end() ? nullptr : at->second.c_str();
  });
  return launcher ? launcher->sign + ": " + std::to_string(launcher->processes) : "nothing";
}

} // namespace

TEST_CASE("launcher: a process that nobody has started with others sees none") {
  CHECK(found({}) == "nothing");
  CHECK(found({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}}) == "nothing"); // salloc's shell
}

TEST_CASE("launcher: mpirun says how many there are") {
  CHECK(found({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "0"}}) == "OMPI_COMM_WORLD_SIZE=4: 4");
  CHECK(found({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}}) == "PMI_SIZE=3: 3");
  CHECK(found({{"OMPI_COMM_WORLD_SIZE", "1"}}) == "OMPI_COMM_WORLD_SIZE=1: 1");
}

TEST_CASE("launcher: a rank other than 0 is not alone") {
  CHECK(found({{"PMIX_RANK", "0"}}) == "PMIX_RANK=0: 1");
  CHECK(found({{"PMIX_RANK", "2"}}) == "PMIX_RANK=2: 3");
  CHECK(found({{"PMI_RANK", "1"}}) == "PMI_RANK=1: 2");
}

TEST_CASE("launcher: a step of Slurm has as many processes as tasks") {
  std::map<std::string, std::string> step{
    {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}};
  CHECK(found(step) == "SLURM_STEP_NUM_TASKS=4: 4");
  step.insert_or_assign("PMIX_RANK", std::string("0")); // srun --mpi=pmix
  CHECK(found(step) == "SLURM_STEP_NUM_TASKS=4: 4");
  step.insert_or_assign("PMIX_RANK", std::string("3"));
  CHECK(found(step) == "PMIX_RANK=3: 4");
}

TEST_CASE("launcher: what Slurm runs by itself is no step of many processes") {
  // A batch script, and the shell of an allocation.
  for(const char* const special : {"4294967291", "4294967290"})
    CHECK(found({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_ID", special},
            {"SLURM_PROCID", "0"}}) == "nothing");
  CHECK(found({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}}) ==
        "nothing");
}

TEST_CASE("launcher: of launchers that started each other, one that says 1 is believed") {
  // mpirun -np 1 in each task of a step; mpirun's own processes on other nodes are a step, too.
  CHECK(found({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "2"},
          {"OMPI_COMM_WORLD_SIZE", "1"}}) == "OMPI_COMM_WORLD_SIZE=1: 1");
  CHECK(found({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMI_SIZE", "1"}}) == "PMI_SIZE=1: 1");
  CHECK(found({{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMI_SIZE", "4"}}) == "OMPI_COMM_WORLD_SIZE=1: 1");
  // mpirun in the shell of an allocation.
  CHECK(found({{"PMI_SIZE", "4"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_STEP_ID", "0"},
          {"SLURM_PROCID", "0"}}) == "PMI_SIZE=4: 4");
}

TEST_CASE("launcher: what is no number says nothing") {
  CHECK(found({{"PMI_SIZE", ""}}) == "nothing");
  CHECK(found({{"PMI_SIZE", "4x"}}) == "nothing");
  CHECK(found({{"PMI_SIZE", "-1"}, {"PMI_RANK", "x"}}) == "nothing");
  CHECK(found({{"OMPI_COMM_WORLD_SIZE", "0"}}) == "nothing");
}
