// Ranks that are bound in some way, as the first argument says, and what their executors then have. To be started by mpirun.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <mpi.h>
#include <sched.h>

#include <rondo/core/cpus.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/distributed/transports.hpp>
#include <rondo/rondo.hpp>

#include "cores/options_for_rank.hpp"

using namespace rondo;

namespace {

using numbers = std::vector<unsigned>;

int failures = 0;
void check(bool is_right, const char* what) {
  if(is_right)
    return;
  std::fprintf(stderr, "cores_program: wrong: %s\n", what);
  failures = 1;
}

void bind_to(const numbers& threads) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for(const unsigned t : threads)
    CPU_SET(t, &set);
  if(sched_setaffinity(0, sizeof set, &set) != 0) {
    std::perror("cores_program: sched_setaffinity");
    std::exit(1);
  }
}

/// One hardware thread of each core, without a look that would be remembered.
numbers threads_allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  numbers all;
  for(unsigned t = 0; t != CPU_SETSIZE; ++t)
    if(CPU_ISSET(t, &set))
      all.push_back(t);
  const numbers cores = detail::cores_of(all);
  numbers first;
  for(std::size_t i = 0; i != all.size(); ++i)
    if(std::find(cores.begin(), cores.begin() + long(i), cores[i]) == cores.begin() + long(i))
      first.push_back(all[i]);
  return first;
}

struct outcome {
  unsigned workers;
  unsigned is_shared;
};

/// Of all ranks.
std::vector<outcome> gather(const executor_options& o, MPI_Comm comm) {
  const outcome mine{o.workers == 0 ? unsigned(detail::cores_here().size()) : o.workers,
    o.shares_cores.value_or(false) ? 1U : 0U};
  int n = 0;
  MPI_Comm_size(comm, &n);
  std::vector<outcome> all(std::size_t(n), outcome{});
  MPI_Allgather(&mine, 2, MPI_UNSIGNED, all.data(), 2, MPI_UNSIGNED, comm);
  return all;
}

/// Which rank this is, before MPI knows.
unsigned rank_by_launcher() {
  for(const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if(const char* const text = std::getenv(name))
      return unsigned(std::strtoul(text, nullptr, 10));
  std::fprintf(stderr, "cores_program: the launcher doesn't tell ranks\n");
  std::exit(1);
}

std::vector<outcome> look(executor_options* mine = nullptr) {
  const auto t = make_transport();
  const executor_options o = detail::options_for_rank(*t);
  if(mine != nullptr)
    *mine = o;
  return gather(o, MPI_COMM_WORLD);
}

unsigned sum(const std::vector<outcome>& all) {
  unsigned n = 0;
  for(const outcome& o : all)
    n += o.workers;
  return n;
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  const numbers threads = threads_allowed();
  const auto cores = unsigned(threads.size());
  // Threads that MPI starts are bound as well, as by a launcher.
  if(how == "one" || (how == "overlap" && rank_by_launcher() == 0))
    bind_to({threads.front()});
  int support = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
  int number = 0;
  int n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const auto rank = unsigned(number);
  const auto ranks = unsigned(n);
  const bool is_crowded = ranks > cores;

  if(how == "whole") { // as mpirun --bind-to none
    executor_options mine;
    const auto all = look(&mine);
    check(sum(all) == std::max(cores, ranks), "all cores are used, by one worker each");
    for(const outcome& o : all) {
      check(o.workers >= 1 && o.workers <= cores / ranks + 1, "they are dealt evenly");
      check((o.is_shared != 0) == is_crowded, "who shares cores knows it, and nobody else");
    }
    check(mine.cores.empty(), "nobody is tied to a core who has not asked for it");
  }
  else if(how == "tied") { // the same with RONDO_BIND=1
    executor_options mine;
    look(&mine);
    check(mine.bind && mine.cores.size() == mine.workers, "there is a core for each worker");
    std::vector<unsigned> users(cores);
    for(const unsigned c : detail::cores_of(mine.cores)) {
      const numbers all = detail::cores_of(threads);
      const auto at = std::find(all.begin(), all.end(), c);
      check(at != all.end(), "it is one that the rank may use");
      if(at != all.end())
        ++users[std::size_t(at - all.begin())];
    }
    MPI_Allreduce(MPI_IN_PLACE, users.data(), int(cores), MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
    for(const unsigned u : users)
      check(u >= 1 && (is_crowded || u == 1),
        "each core is some rank's, and one's only if there are enough");
  }
  else if(how == "one") { // all on one core
    for(const outcome& o : look()) {
      check(o.workers == 1, "a rank with one core has one worker");
      check((o.is_shared != 0) == (ranks > 1), "and shares it with the others");
    }
  }
  else if(how == "overlap") { // rank 0 on the first core, the others anywhere
    const auto all = look();
    check(all[0].workers == 1, "rank 0 has one worker");
    check(sum(all) == std::max(cores, ranks), "the others share the rest");
    for(const outcome& o : all)
      check((o.is_shared != 0) == is_crowded, "nobody shares where there are enough");
  }
  else if(how == "wanted") { // RONDO_WORKERS, other than the others'
    setenv("RONDO_WORKERS", rank == 0 ? std::to_string(cores + 1).c_str() : "1", 1);
    const auto all = look();
    check(all[0].workers == cores + 1, "there are as many workers as were asked for");
    for(unsigned r = 1; r != ranks; ++r)
      check(all[r].workers == 1, "for the others, too");
    for(const outcome& o : all)
      check(o.is_shared != 0, "more than there are cores share them with all");
  }
  else if(how == "halves") { // ranks of which each sees only half of those on the node
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, number % 2, number, &half);
    std::vector<outcome> all;
    {
      const auto t =
        make_transport(transport::communicator{&half, sizeof(half), &typeid(MPI_Comm)});
      all = gather(detail::options_for_rank(*t), MPI_COMM_WORLD);
    }
    MPI_Comm_free(&half);
    check(sum(all) <= std::max(detail::cores_of_machine(), ranks),
      "they leave cores to the other half");
    for(const outcome& o : all)
      check(o.workers >= 1, "each has a worker");
  }
  else {
    std::fprintf(stderr, "how?\n");
    failures = 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failures;
}
