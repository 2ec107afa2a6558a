// The chain of exchanges and the tasks beside it, by hand: the chain first, which is what a program does that can't say
// what is independent; or, with --overlaps, a task whenever a message is not there.
//
//   mpirun -np 2 peer_mpi_progress --links 40 --tasks 40 --task-us 1000

#include "peers/mpi/program.hpp"
#include "progress/chain.hpp"

#include <array>
#include <numeric>

namespace {

namespace progress = bench::progress;

constexpr std::size_t own = progress::points / 2;
using line = std::array<double, own + 2>; // with a ghost at each end

class program {
public:
  program(const bench::mpi::world& w, const progress::options& o, bool overlaps)
      : rank_(w.rank), options_(o), overlaps_(overlaps), made_(static_cast<std::size_t>(o.tasks)) {
    fill(u_);
    for(auto& w_k : made_)
      fill(w_k);
  }

  void pass() {
    next_task_ = 0;
    chains.begin();
    for(int k = 0; k != options_.links; k += 2) {
      link(v_, u_);
      link(u_, v_);
    }
    chains.end();
    while(next_task_ != made_.size())
      run_task();
    for(const line& w : made_)
      for(std::size_t i = 1; i <= own; ++i)
        u_[i] += w[i];
  }

  [[nodiscard]] double sum() const {
    return bench::mpi::sum_over_ranks(std::accumulate(u_.begin() + 1, u_.end() - 1, 0.0));
  }

  progress::chain_times chains;

private:
  void fill(line& l) const {
    for(std::size_t i = 1; i <= own; ++i)
      l[i] = static_cast<double>(i - 1 + own * static_cast<std::size_t>(rank_));
  }

  void run_task() {
    bench::nap(options_.task_us);
    line& w = made_[next_task_++];
    for(std::size_t i = 1; i <= own; ++i)
      w[i] += 1;
  }

  void link(line& to, line& from) {
    const int other = 1 - rank_;
    const std::size_t ghost = rank_ == 0 ? own + 1 : 0;
    const std::size_t end = rank_ == 0 ? own : 1;
    std::array<MPI_Request, 2> both{};
    MPI_Irecv(&from[ghost], 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(&from[end], 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &both[1]);
    for(int done = 0; overlaps_ && next_task_ != made_.size();) {
      MPI_Testall(2, both.data(), &done, MPI_STATUSES_IGNORE);
      if(done != 0)
        break;
      run_task();
    }
    MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
    for(std::size_t i = 1; i <= own; ++i)
      to[i] = progress::link(from[i - 1], from[i], from[i + 1]);
  }

  int rank_;
  progress::options options_;
  bool overlaps_;
  std::vector<line> made_;
  std::size_t next_task_ = 0;
  line u_{};
  line v_{};
};

} // namespace

int main(int argc, char** argv) {
  using namespace bench::mpi;
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    progress::options o;
    bool overlaps = false;
    bench::arguments args;
    o.add_to(args);
    args.add_flag("--overlaps", overlaps, "runs a task while a message is not there");
    args.parse(argc, argv);
    if(w.size != 2)
      throw std::runtime_error("the chain is one of two ranks");
    program p(w, o, overlaps);
    for(int k = 0; k != 2; ++k)
      p.pass();
    p.chains = {};
    stopwatch time;
    time.measure([&] {
      for(int k = 0; k != o.passes; ++k)
        p.pass();
    });
    std::vector<double>& us = p.chains.us();
    MPI_Allreduce(
      MPI_IN_PLACE, us.data(), static_cast<int>(us.size()), MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    print(w, progress::line_of(
               overlaps ? "MPI, overlaps" : "MPI, chain first", o, us, time.last(), p.sum()));
  });
}
