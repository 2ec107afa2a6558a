// Tasks that call MPI themselves, between launches that send messages, in loops of all kinds: to be started by mpirun, or
// alone.
//
//   mpi_tasks [PASSES] [serialized | looped]
//
// serialized: the program begins MPI, and lets only one thread at a time call it. looped: the same, and there is a loop.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
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
  for(const auto i : m.owned(0)) {
    large& mean = to(i);
    const large& before = from(i - 1);
    const large& behind = from(i + 1);
    for(int k = 0; k != 512; ++k)
      mean.x[k] = (before.x[k] + behind.x[k]) / 2;
  }
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

int calls = 0; ///< Of the next one, on this rank.
/// Adds to all points how many ranks call it.
void add_ranks(MPI_Comm comm, per_color<line::view> m, per_color<numbers::accessor<rw>> u) {
  ++calls;
  int one = 1;
  int all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      for(double& x : u[c](i).x)
        x += all;
}
/// Of all values the first, as all ranks have it: with messages from each rank to each.
double first_of_all(MPI_Comm comm, per_color<line::view> m, per_color<numbers::accessor<ro>> u) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  std::vector<double> mine(
    std::size_t(ranks), m.size() != 0 ? u[0](m[0].owned(0).first()).x[0] : 0);
  std::vector<double> theirs(mine.size());
  MPI_Alltoall(mine.data(), 1, MPI_DOUBLE, theirs.data(), 1, MPI_DOUBLE, comm);
  return theirs[0];
}
void wrong_type(int* /*comm*/) {}

int failures = 0;
void check(bool is_right, const char* what, const scheduler& s) {
  if(is_right)
    return;
  ++failures;
  std::fprintf(stderr, "rank %u: %s\n", s.rank(), what);
}

void in_a_plain_loop(scheduler& s, line& m, numbers& u, numbers& v, int passes) {
  s.execute<set>(m, u, 2.0);
  for(int k = 0; k != passes; ++k) {
    s.execute<add_neighbours>(m, v, u);
    s.execute<add_neighbours>(m, u, v);
    const future<double> all = s.reduce<sum, fold::sum>(m, u);
    const future<int> forty_two = s.execute<answer>();
    const future<double> by_mpi = s.execute_mpi<sum_by_mpi>(m, u);
    const future<int> rounds = s.execute_mpi<go_round>(k);
    if(k % 3 == 0)
      check(s.execute_mpi<go_round>(forty_two).get() == int(s.ranks()), "the token is wrong", s);
    check(by_mpi.get() == 96, "the sum by MPI is wrong", s);
    check(rounds.get() == int(s.ranks()), "the token is wrong", s);
    check(all.get() == 96, "the sum is wrong", s);
    check(forty_two.get() == 42, "the answer is wrong", s);
  }
}

/// What was added in so many passes of four launches.
void check_sum(scheduler& s, line& m, numbers& u, double times, const char* what) {
  const double expected = 48 * (1 + times * s.ranks());
  check(s.reduce<sum, fold::sum>(m, u).get() == expected, what, s);
  check(s.execute_mpi<sum_by_mpi>(m, u).get() == expected, what, s);
  check(calls == int(times), "not all passes call MPI, or others do", s);
  calls = 0;
  s.execute<set>(m, u, 1.0);
}

void in_loops(scheduler& s, line& m, numbers& u, numbers& v, int passes) {
  const auto pass = [&] {
    s.execute<add_neighbours>(m, v, u);
    s.execute_mpi<add_ranks>(m, v);
    s.execute<add_neighbours>(m, u, v);
  };
  const auto n = std::uint64_t(passes);
  s.execute<set>(m, u, 1.0);
  calls = 0;
  trace t;
  for(int k = 0; k != passes; ++k) {
    const auto guard = t.make_guard();
    pass();
  }
  check_sum(s, m, u, passes, "the sum of a trace is wrong");
  s.repeat(n, pass);
  check_sum(s, m, u, passes, "the sum of repeat is wrong");

  // It ends by what MPI says, long before the last pass that may be launched.
  const double end = 1 + (passes - 1) * double(s.ranks());
  const future<std::uint64_t> ran = s.iterate({.max = 100 * n}, [&] {
    pass();
    return s.execute_mpi<first_of_all>(m, u).then([=](double x) { return x > end; });
  });
  check(ran.get() == n, "iterate has another number of passes", s);
  check_sum(s, m, u, passes, "the sum of iterate is wrong");

  const auto outer = s.iterate({.max = 4}, [&](std::uint64_t k) {
    s.repeat(3, pass);
    s.when(make_ready(k % 2 == 0), pass);
    const auto inner = s.iterate({.max = 100}, [&](std::uint64_t i) {
      pass();
      return s.reduce<sum, fold::sum>(m, u).then([i](double) { return i == 1; });
    });
    return inner.then([](std::uint64_t) { return false; });
  });
  check(outer.get() == 4, "the outer loop has another number of passes", s);
  check_sum(s, m, u, 4 * 3 + 2 * 1 + 4 * 2, "the sum of loops in loops is wrong");
}

/// Its messages and those of Rondo are not told apart by the thread that waits: nothing else runs on a rank with one worker.
void at_once(scheduler& s, line& m, numbers& u, numbers& v, int passes) {
  s.execute<set>(m, u, 2.0);
  s.repeat(std::uint64_t(passes), [&] {
    for(int i = 0; i != 5; ++i) {
      s.execute<add_neighbours>(m, v, u);
      s.execute<add_neighbours>(m, u, v);
    }
    static_cast<void>(s.execute_mpi<go_round>(7));
    static_cast<void>(s.execute_mpi<sum_by_mpi>(m, v));
  });
  check(s.execute_mpi<sum_by_mpi>(m, u).get() == 96, "the sum at the end is wrong", s);
}

void work(scheduler& s, int passes, bool is_serialized) {
  line m{s, {.extents = {48}, .colors = {24}, .periodic = {true}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  in_a_plain_loop(s, m, u, v, passes);
  if(s.ranks() == 1) // else the program ends, as with any task
    try {
      s.execute_mpi<wrong_type>();
      s.wait();
      check(false, "a pointer to int is no MPI_Comm", s);
    }
    catch(const std::logic_error&) {
    }
  if(is_serialized) {
    try {
      s.repeat(2, [&] { static_cast<void>(s.execute_mpi<sum_by_mpi>(m, u)); });
      check(false, "nobody can wait in the body of repeat", s);
    }
    catch(const std::invalid_argument& e) {
      check(std::string(e.what()).find("ask MPI_Init_thread for MPI_THREAD_MULTIPLE") !=
              std::string::npos,
        e.what(), s);
    }
    return;
  }
  in_loops(s, m, u, v, passes);
  at_once(s, m, u, v, passes);
}

} // namespace

int main(int argc, char** argv) {
  const int passes = argc > 1 ? std::atoi(argv[1]) : 50;
  const std::string_view how = argc > 2 ? argv[2] : "";
  const bool is_serialized = !how.empty();
  int support = 0;
  if(is_serialized)
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
  const int code = run(argc, argv, [&](scheduler& s) {
    if(how == "looped") {
      line m{s, {.extents = {48}}};
      numbers u{m, "u"};
      s.repeat(2, [&] { static_cast<void>(s.execute_mpi<sum_by_mpi>(m, u)); });
    }
    work(s, passes, is_serialized && support < MPI_THREAD_MULTIPLE);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  });
  if(is_serialized)
    MPI_Finalize();
  return code;
}
