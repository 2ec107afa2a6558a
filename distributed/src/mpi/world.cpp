#include "world.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <typeinfo>
#include <vector>

#include <sched.h>

#include "../choose/factories.hpp"
#include "../open_files.hpp"
#include "../switched_on.hpp"
#include "../watch/ring.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// All of it outlives the copy.
MPI_Comm communicator_of(const transport::communicator& c) {
  if(c.what == nullptr)
    return MPI_COMM_WORLD;
  if(*c.type != typeid(MPI_Comm))
    throw std::invalid_argument("rondo::run: the ranks are to be given as an MPI_Comm of the MPI "
                                "library that Rondo was built with");
  const MPI_Comm comm = *static_cast<const MPI_Comm*>(c.what);
  if(comm == MPI_COMM_NULL)
    throw std::invalid_argument(
      "rondo::run: the communicator is MPI_COMM_NULL; ranks that are not to "
      "take part don't call it");
  int has_two_sides = 0;
  MPI_Comm_test_inter(comm, &has_two_sides);
  if(has_two_sides != 0)
    throw std::invalid_argument("rondo::run: the communicator has two groups of ranks (an "
                                "intercommunicator); MPI_Intercomm_merge makes one of them");
  return comm;
}

/// All ranks have to come. Ranks that do something else instead keep the others waiting for ever.
void wait_for_ranks(MPI_Comm comm) {
  constexpr auto long_wait = std::chrono::seconds(10);
  MPI_Request all = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &all);
  const auto since = std::chrono::steady_clock::now();
  bool is_told = false;
  for(;;) {
    int is_over = 0;
    MPI_Test(&all, &is_over, MPI_STATUS_IGNORE);
    if(is_over != 0)
      return;
    if(!is_told && std::chrono::steady_clock::now() - since > long_wait) {
      is_told = true;
      int rank = 0;
      int ranks = 0;
      MPI_Comm_rank(comm, &rank);
      MPI_Comm_size(comm, &ranks);
      std::fprintf(stderr,
        "rondo: rank %d of %d has waited for 10 s: not all ranks have called rondo::run; for some "
        "of "
        "them only, give it their communicator: rondo::run(comm, argc, argv, ...)\n",
        rank, ranks);
    }
    sched_yield();
  }
}

/// The files of the ring while it is made, of the memory that ranks share, and some that are open for a moment only.
constexpr unsigned files_of_world = 8;

/// What was written before is to be read. MPICH's launcher kills what is left as soon as it hears of the end, and with that what it has not
/// passed on yet.
void let_launcher_pass_on() {
  constexpr auto long_enough = std::chrono::milliseconds(200);
  std::fflush(nullptr);
  if(mpi_library().starts_with("MPICH"))
    std::this_thread::sleep_for(long_enough);
}

/// Called by the thread of the ring, while others may be in MPI.
void end_by_death(void* world, unsigned dead) {
  const auto& w = *static_cast<const mpi_world*>(world);
  std::fprintf(stderr,
    "rondo: rank %u of %u: rank %u has ended in the middle of the program, or its node can't be "
    "reached; so all ranks end\n",
    w.rank, w.ranks, dead);
  // In this way the launcher ends the others as well. If that gets stuck, the ring is still there.
  std::thread([] {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if(is_finalized != 0)
      return;
    let_launcher_pass_on();
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }).detach();
}

} // namespace

mpi_world::mpi_world(const transport::communicator& of) : base_(communicator_of(of)) {
  const bool watches = is_switched_on("RONDO_WATCH");
  wait_for_ranks(base_);
  MPI_Comm_dup(base_, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int number = 0;
  MPI_Comm_rank(comm, &number);
  rank = unsigned(number);
  // It may well work: threads never call MPI at the same time.
  if(!life_.supports_threads() && rank == 0)
    std::fprintf(stderr, "rondo: MPI was initialized without support for threads; ask "
                         "MPI_Init_thread for MPI_THREAD_SERIALIZED, or leave it to Rondo\n");
  MPI_Comm_size(comm, &number);
  ranks = unsigned(number);

  int* most = nullptr;
  int is_set = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&most), &is_set), "MPI_TAG_UB");
  most_channel = is_set != 0 ? unsigned(*most) : 32767; // what the standard grants
  int supports = life_.supports_all_threads() ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &supports, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  supports_all_threads = supports != 0;
  if(ranks == 1)
    return;
  try {
    demand_files(files_of_world, "a program on several ranks");
  }
  catch(...) {
    MPI_Comm_free(&comm);
    throw;
  }
  begin_to_watch(watches);
}

void mpi_world::begin_to_watch(bool is_wanted) {
  const auto all = [this](bool here) {
    int everywhere = here ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return everywhere != 0;
  };
  const auto pass_back = [this](const endpoint& mine) {
    endpoint next{};
    check(
      MPI_Sendrecv(&mine, int(sizeof(mine)), MPI_BYTE, int((rank + ranks - 1) % ranks), 0, &next,
        int(sizeof(next)), MPI_BYTE, int((rank + 1) % ranks), 0, comm, MPI_STATUS_IGNORE),
      "MPI_Sendrecv");
    return next;
  };
  if(!all(is_wanted)) // the same everywhere, even if the environments differ
    return;
  const watch_ring::consequences then{end_by_death,
    [](void*, int exit_code) {
      std::fflush(stdout); // not all streams: a thread that reads from one has locked it
      std::_Exit(exit_code);
    },
    this};
  ring_ = std::make_unique<watch_ring>(rank, ranks, meeting_place{pass_back, all}, then);
  if(!ring_->is_closed() && rank == 0)
    std::fprintf(stderr,
      "rondo: some rank can't reach the next one over TCP, so a rank that dies is noticed "
      "only if the launcher does so; RONDO_WATCH=0 does not try%s\n",
      if_out_of_files().c_str());
}

mpi_world::~mpi_world() {
  ring_.reset();
  if(mpi_life::has_ended())
    return; // by a user in a hurry; that has freed everything
  if(theirs_ != MPI_COMM_NULL)
    MPI_Comm_free(&theirs_);
  if(node_ != MPI_COMM_NULL)
    MPI_Comm_free(&node_);
  MPI_Comm_free(&comm);
}

void mpi_world::make_theirs() {
  if(theirs_ != MPI_COMM_NULL)
    return;
  // Not of the program's communicator: the program may be calling something there itself.
  check(MPI_Comm_dup(comm, &theirs_), "MPI_Comm_dup");
  // With the error handler that the program has chosen.
  MPI_Errhandler chosen = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(base_, &chosen);
  MPI_Comm_set_errhandler(theirs_, chosen);
  MPI_Errhandler_free(&chosen);
}

transport::communicator mpi_world::for_users() const {
  return {&theirs_, sizeof(theirs_), &typeid(MPI_Comm)};
}

void mpi_world::demand_files(unsigned needed, const char* what) {
  const bool are_too_few = files_left(needed) < needed;
  // The first rank that lacks some.
  int lacks = are_too_few ? int(rank) : int(ranks);
  check(MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if(are_too_few)
    throw std::runtime_error(too_few_files(what, needed));
  if(lacks != int(ranks))
    throw std::runtime_error("rondo: rank " + std::to_string(lacks) +
                             " may not open the files and sockets that it needs (ulimit -n)");
}

MPI_Comm mpi_world::on_this_node() {
  if(node_ == MPI_COMM_NULL)
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, int(rank), MPI_INFO_NULL, &node_),
      "MPI_Comm_split_type");
  return node_;
}

transport::words_of_node mpi_world::tell_node(std::span<const std::byte> mine) {
  MPI_Comm here = on_this_node();
  int n = 0;
  int number = 0;
  MPI_Comm_size(here, &n);
  MPI_Comm_rank(here, &number);
  const int size = int(mine.size());
  std::vector<int> sizes(std::size_t(n), 0);
  std::vector<int> begins(sizes.size());
  check(MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, here), "MPI_Allgather");
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::vector<std::byte> all(std::size_t(begins.back() + sizes.back()));
  check(MPI_Allgatherv(
          mine.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, here),
    "MPI_Allgatherv");
  transport::words_of_node words{{}, unsigned(number)};
  for(std::size_t i = 0; i != sizes.size(); ++i)
    words.said.emplace_back(all.begin() + begins[i], all.begin() + begins[i] + sizes[i]);
  return words;
}

void mpi_world::fail(int code, const char* call) const {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::fprintf(stderr, "rondo: rank %u: %s failed: %s%s\n", rank, call, text.data(),
    if_out_of_files().c_str());
  abort(1);
}

void mpi_world::abort(int exit_code) const {
  let_launcher_pass_on();
  if(ring_ != nullptr)
    ring_->abort(exit_code);
  // All ranks are in both communicators, but only this one ends at once with MPICH, which for others wants
  // to hear of all of their ranks first.
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

bool has_begun_mpi_of_many() {
  int is_initialized = 0;
  int is_finalized = 0;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  if(is_initialized == 0 || is_finalized != 0)
    return false;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks > 1;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  // The rest of the line, and more lines, say how it was built.
  std::string name(text.data(), std::string_view(text.data()).find_first_of(",\n"));
  std::replace(name.begin(), name.end(), '\t', ' ');
  return name;
}

} // namespace rondo::detail::inline distributed
