// Tasks that call MPI themselves, between launches that send messages: to be started by mpirun, or
// alone.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>
#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using line = structured<1>;
/// Large enough that messages of halos are not sent at once.
struct large {
  double x[512];
};
using numbers = field<large>;

void set(line::view m, numbers::accessor<wo> u, double to) {
  for(const auto i : m.owned(0))
    for(double& x : u(i).x)
      x = to;
}
void add_neighbours(line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.owned(0))
    for(int k = 0; k != 512; ++k)
      to(i).x[k] = (from(i - 1).x[k] + from(i + 1).x[k]) / 2;
}
double sum(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i).x[511];
  return all;
}
int answer() { return 42; }

/// The sum over all ranks, by MPI.
double sum_by_mpi(MPI_Comm comm, per_color<line::view> m, per_color<numbers::accessor<ro>> u) {
  double here = 0;
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      here += u[c](i).x[0];
  double all = 0;
  MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}
/// Messages from rank to rank, each waiting for the one before; others have to wait.
int go_round(mpi_task t, int tag) {
  const MPI_Comm comm = t;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if(unsigned(rank) != t.rank() || unsigned(ranks) != t.ranks())
    return -1;
  std::vector<int> token(100'000, 0);
  const int n = int(token.size());
  if(rank != 0)
    MPI_Recv(token.data(), n, MPI_INT, rank - 1, tag, t, MPI_STATUS_IGNORE);
  ++token.back();
  if(rank + 1 != ranks)
    MPI_Send(token.data(), n, MPI_INT, rank + 1, tag, t);
  MPI_Bcast(token.data(), n, MPI_INT, ranks - 1, t);
  return token.back();
}
void wrong_type(int* /*comm*/) {}

int failures = 0;
void check(bool is_right, const char* what, const scheduler& s) {
  if(is_right)
    return;
  ++failures;
  std::fprintf(stderr, "rank %u: %s\n", s.rank(), what);
}

void work(scheduler& s, int passes) {
  line m{s, {.extents = {48}, .colors = {24}, .periodic = {true}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<set>(m, u, 2.0);
  for(int k = 0; k != passes; ++k) {
    s.execute<add_neighbours>(m, v, u);
    s.execute<add_neighbours>(m, u, v);
    const future<double> all = s.reduce<sum, fold::sum>(m, u);
    const future<int> forty_two = s.execute<answer>();
    check(s.execute_mpi<sum_by_mpi>(m, u) == 96, "the sum by MPI is wrong", s);
    check(s.execute_mpi<go_round>(k) == int(s.ranks()), "the token is wrong", s);
    check(all.get() == 96, "the sum is wrong", s);
    check(forty_two.get() == 42, "the answer is wrong", s);
    if(k % 3 == 0)
      s.execute_mpi<go_round>(forty_two);
  }
  try {
    s.execute_mpi<wrong_type>();
    check(false, "a pointer to int is no MPI_Comm", s);
  }
  catch(const std::logic_error&) {
  }
}

} // namespace

int main(int argc, char** argv) {
  const int passes = argc > 1 ? std::atoi(argv[1]) : 50;
  return run(argc, argv, [&](scheduler& s) {
    work(s, passes);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  });
}
