// Programs that call rondo::run in other ways than once and for all ranks: as the first argument says. To be
// started by mpirun.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include <mpi.h>
#include <rondo/distributed/transports.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

void set(line::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = double(i);
}
void shift(line::view m, numbers::accessor<ro, ro> u, numbers::accessor<wo> v) {
  for(const auto i : m.owned(0))
    v(i) = u(i - 1);
}
double sum(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}

constexpr int points = 40;

/// Returns false if it is not what it should be.
bool is_right(scheduler& s) {
  line m{s, {.extents = {points}, .colors = {8}, .periodic = {true}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<set>(m, u);
  for(int i = 0; i != 20; ++i) {
    s.execute<shift>(m, u, v);
    s.execute<shift>(m, v, u);
  }
  return s.reduce<sum, fold::sum>(m, u).get() == points * (points - 1) / 2;
}

int ranks_of(MPI_Comm comm) {
  int n = 0;
  MPI_Comm_size(comm, &n);
  return n;
}

void init() {
  int support = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
}

int twice(int argc, char** argv) {
  for(int time = 0; time != 3; ++time) {
    const int code = run(argc, argv, [](scheduler& s) { return is_right(s) ? 0 : 1; });
    if(code != 0)
      return code;
  }
  // MPI is still there.
  int one = 1;
  int all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all == ranks_of(MPI_COMM_WORLD) ? 0 : 1;
}

int ended(int argc, char** argv) {
  init();
  MPI_Finalize();
  return run(argc, argv, [](scheduler&) {});
}

/// Odd ranks and even ones each have a program of their own, at the same time.
int halves(int argc, char** argv) {
  init();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  const int code = run(half, argc, argv, [half](scheduler& s) {
    int mine = 0;
    MPI_Comm_rank(half, &mine);
    return is_right(s) && int(s.ranks()) == ranks_of(half) && int(s.rank()) == mine ? 0 : 1;
  });
  MPI_Comm_free(&half);
  MPI_Finalize();
  return code;
}

/// The last rank does something else.
int all_but_one(int argc, char** argv) {
  init();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int ranks = ranks_of(MPI_COMM_WORLD);
  const bool takes_part = rank + 1 != ranks;
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, rank, &some);
  int code = 0;
  if(takes_part) {
    code = run(some, argc, argv, [](scheduler& s) { return is_right(s) ? 0 : 1; });
    MPI_Comm_free(&some);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}

int of_nobody(int argc, char** argv) {
  init();
  const MPI_Comm none = MPI_COMM_NULL;
  const int code = run(none, argc, argv, [](scheduler&) {});
  MPI_Finalize();
  return code;
}

int of_no_communicator(int argc, char** argv) {
  return run(std::string("all"), argc, argv, [](scheduler&) {});
}

/// Two programs in two threads, over MPI that only one thread may be in.
int side_by_side() {
  const auto a = make_transport();
  const auto b = make_transport();
  std::atomic<bool> is_wrong{false};
  const auto play = [&is_wrong](transport& t) {
    executor ex({.workers = 1, .shares_cores = true});
    scheduler s(ex, t);
    ex.run([&] {
      if(!is_right(s))
        is_wrong = true;
      s.wait();
    });
  };
  std::thread one([&] { play(*a); });
  std::thread other([&] { play(*b); });
  one.join();
  other.join();
  return is_wrong ? 1 : 0;
}

/// The end in the middle of a program must not wait for other ranks.
int leave(int argc, char** argv) {
  return run(argc, argv, [](scheduler& s) {
    if(s.rank() == 0)
      std::exit(7);
    is_right(s);
  });
}

/// Of ranks that return different exit codes all get the first that is not 0.
int codes(int argc, char** argv) {
  const auto is_returned = [&](int expected, const std::function<int(scheduler&)>& body) {
    return run(argc, argv, body) == expected;
  };
  unsigned ranks = 0;
  if(run(argc, argv, [&ranks](scheduler& s) { ranks = s.ranks(); }) != 0)
    return 1;
  const bool is_one = ranks == 1;
  const bool all_right =
    is_returned(0, [](scheduler& s) { return is_right(s) ? 0 : 1; }) &&
    is_returned(3, [](scheduler& s) { return is_right(s) ? 3 : 1; }) &&
    is_returned(is_one ? 0 : 1, [](scheduler& s) { return int(s.rank()); }) &&
    is_returned(-2, [](scheduler& s) { return s.rank() == 0 ? -2 : 0; }) &&
    is_returned(7, [](scheduler& s) { return is_right(s) && s.rank() + 1 == s.ranks() ? 7 : 0; });
  return all_right ? 0 : 1;
}
int differ(int argc, char** argv) {
  return run(argc, argv, [](scheduler& s) { return s.rank() + 1 == s.ranks() ? 3 : 0; });
}
int do_not_differ(int argc, char** argv) {
  return run(argc, argv, [](scheduler&) { return 3; });
}
/// What fails is all that is told.
int differ_and_fail(int argc, char** argv) {
  return run(argc, argv, [](scheduler& s) {
    is_right(s);
    if(s.rank() + 1 == s.ranks())
      throw std::runtime_error("no more of that");
    return int(s.rank()) + 1;
  });
}

/// Others wait for the last rank, and nothing runs there: for longer than it takes to look for deadlocks.
void stay(line::view m, numbers::accessor<rw> u) {
  if(m.color() + 1 == m.colors())
    std::this_thread::sleep_for(std::chrono::seconds(2));
  u(m.owned().lo[0]) += 1;
}
int patient(int argc, char** argv) {
  return run(argc, argv, [](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {8}, .periodic = {true}}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<set>(m, u);
    s.execute<stay>(m, u);
    s.execute<shift>(m, u, v);
    s.wait(); // for ghosts
    s.execute<stay>(m, v);
    const double all = s.reduce<sum, fold::sum>(m, v).get(); // for a number
    return all == points * (points - 1) / 2 + 16 ? 0 : 1;
  });
}
/// A promise that outlives the program, and that nobody keeps.
void take(line::view m, numbers::accessor<wo> u, double from) {
  for(const auto i : m.owned(0))
    u(i) = from;
}
int forgotten_at_end(int argc, char** argv) {
  promise<double> never;
  return run(argc, argv, [&](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {8}}};
    numbers u{m, "u"};
    s.execute<take>(m, u, never.get_future());
  });
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if(how == "twice")
    return twice(argc, argv);
  if(how == "ended")
    return ended(argc, argv);
  if(how == "halves")
    return halves(argc, argv);
  if(how == "all_but_one")
    return all_but_one(argc, argv);
  if(how == "of_nobody")
    return of_nobody(argc, argv);
  if(how == "of_no_communicator")
    return of_no_communicator(argc, argv);
  if(how == "side_by_side")
    return side_by_side();
  if(how == "leave")
    return leave(argc, argv);
  if(how == "codes")
    return codes(argc, argv);
  if(how == "differ")
    return differ(argc, argv);
  if(how == "do_not_differ")
    return do_not_differ(argc, argv);
  if(how == "differ_and_fail")
    return differ_and_fail(argc, argv);
  if(how == "patient")
    return patient(argc, argv);
  if(how == "forgotten_at_end")
    return forgotten_at_end(argc, argv);
  std::fprintf(stderr, "how?\n");
  return 2;
}
