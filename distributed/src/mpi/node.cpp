// The ranks of this node: MPI knows them, and brings them together.

#include "node.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "../choose/factories.hpp"
#include "transport.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// World ranks of those in `comm`, in its order.
std::vector<unsigned> world_ranks(const mpi_world& world, MPI_Comm comm, int n) {
  MPI_Group of_all = MPI_GROUP_NULL;
  MPI_Group of_node = MPI_GROUP_NULL;
  world.check(MPI_Comm_group(world.comm, &of_all), "MPI_Comm_group");
  world.check(MPI_Comm_group(comm, &of_node), "MPI_Comm_group");
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<int> ranks(numbers.size());
  world.check(MPI_Group_translate_ranks(of_node, n, numbers.data(), of_all, ranks.data()),
    "MPI_Group_translate_ranks");
  MPI_Group_free(&of_all);
  MPI_Group_free(&of_node);
  return {ranks.begin(), ranks.end()};
}

/// Made by the first one; the others are told where it is. Throws, on all of them, if any has failed.
std::shared_ptr<node_memory> share(
  const mpi_world& world, MPI_Comm comm, unsigned n, bool is_first) {
  std::shared_ptr<node_memory> memory;
  std::string failure;
  std::array<int, 2> where{-1, -1}; // process, descriptor
  const auto attempt = [&](auto make) {
    try {
      memory = make();
    }
    catch(const std::exception& e) {
      failure = e.what();
    }
  };
  if(is_first) {
    attempt([&] { return std::make_shared<node_memory>(n); });
    if(memory != nullptr)
      where = {getpid(), memory->descriptor()};
  }
  world.check(MPI_Bcast(where.data(), 2, MPI_INT, 0, comm), "MPI_Bcast");
  if(!is_first && where[1] != -1)
    attempt([&] { return std::make_shared<node_memory>(n, where[0], where[1]); });
  // Nobody looks how many are there before all have tried, and nobody goes on before all have looked.
  int is_there = 0;
  for(int round = 0; round != 2; ++round) {
    is_there = memory != nullptr && (round == 0 || memory->present() == n) ? 1 : 0;
    world.check(MPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  }
  if(is_there == 0)
    throw std::runtime_error(failure.empty()
                               ? "rondo: not all ranks of this node can share memory; "
                                 "RONDO_TRANSPORT=mpi does without"
                               : failure);
  return memory;
}

} // namespace

std::optional<node> find_node(mpi_world& world) {
  MPI_Comm comm = world.on_this_node();
  int n = 0;
  int here = 0;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &here);
  if(n == 1)
    return std::nullopt;
  return node{
    share(world, comm, unsigned(n), here == 0), world_ranks(world, comm, n), unsigned(here)};
}

std::unique_ptr<transport> make_shm_transport(bool must_share, const transport::communicator& of) {
  auto outside = std::make_unique<mpi_transport>(of);
  try {
    if(std::optional<node> n = find_node(outside->world()))
      return std::make_unique<shm_transport>(std::move(outside), std::move(*n));
  }
  catch(const std::runtime_error&) {
    if(must_share)
      throw;
  }
  return outside;
}

} // namespace rondo::detail::inline distributed
