// What a step takes besides the work, for as many ranks as there are: each has a task that sleeps, so that
// many ranks on few cores don't take the time from one another; then halos to two neighbours, which the
// next task waits for, and a sum over all ranks, which is asked for a step later.
//
//   mpirun -np 16 --oversubscribe --mca mpi_yield_when_idle 1 peer_mpi_weak_scaling
//
// `us_per_step` is what is added to the sleep; `us_overslept` is how much of this is the sleep itself.

#include "peers/mpi/program.hpp"

#include <algorithm>
#include <array>
#include <thread>

namespace {

using namespace bench::mpi;

class ring {
public:
  ring(const world& w, int bytes) : me_(w.rank), size_(w.size) {
    for(auto& b : buffers_)
      b.resize(static_cast<std::size_t>(bytes));
    const int left = (me_ + size_ - 1) % size_;
    const int right = (me_ + 1) % size_;
    const auto send = [&](int to, int tag, int k) {
      MPI_Send_init(data(k), bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests_[at(k)]);
    };
    const auto receive = [&](int from, int tag, int k) {
      MPI_Recv_init(data(k), bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, &requests_[at(k)]);
    };
    if(size_ > 1) {
      send(left, 0, 0);
      send(right, 1, 1);
      receive(right, 0, 2);
      receive(left, 1, 3);
    }
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  ~ring() {
    if(size_ > 1)
      for(MPI_Request& r : requests_)
        MPI_Request_free(&r);
  }

  // How long the rank slept too long, in microseconds, on average.
  double run(int steps, std::chrono::microseconds sleep) {
    double own = 0;
    double all = 0;
    double overslept = 0;
    MPI_Request sum = MPI_REQUEST_NULL;
    for(int k = 1; k <= steps; ++k) {
      overslept += 1e-3 * bench::time_of([&] {
        if(sleep.count() > 0)
          std::this_thread::sleep_for(sleep);
      }) - static_cast<double>(sleep.count());
      if(size_ > 1) {
        buffers_[0][0] = buffers_[1][0] = static_cast<char>(me_ + k);
        MPI_Startall(4, requests_.data());
        MPI_Waitall(4, requests_.data(), MPI_STATUSES_IGNORE);
        if(buffers_[2][0] != static_cast<char>((me_ + 1) % size_ + k) ||
           buffers_[3][0] != static_cast<char>((me_ + size_ - 1) % size_ + k))
          throw std::runtime_error("a halo of another step");
      }
      MPI_Wait(&sum, MPI_STATUS_IGNORE);
      if(k > 1 && all != static_cast<double>(k - 1) * size_)
        throw std::runtime_error("a wrong sum");
      own = k;
      MPI_Iallreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &sum);
    }
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    return overslept / steps;
  }

private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  char* data(int k) { return buffers_[at(k)].data(); }

  int me_;
  int size_;
  std::array<std::vector<char>, 4> buffers_;
  std::array<MPI_Request, 4> requests_{};
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    int steps = 50;
    int sleep = 10'000;
    int bytes = 8192;
    int reps = 5;
    bench::arguments args;
    args.add("--steps", steps, "of a repetition").positive();
    args.add("--sleep", sleep, "microseconds a task takes").non_negative();
    args.add("--bytes", bytes, "of a halo").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.parse(argc, argv);

    ring r(w, bytes);
    const std::chrono::microseconds task(sleep);
    stopwatch time;
    std::vector<double> overslept;
    r.run(std::max(steps / 10, 2), task);
    for(int rep = 0; rep < reps; ++rep)
      time.measure([&] { overslept.push_back(r.run(steps, task)); });

    bench::line line = {{"program", "MPI"}, {"ranks", w.size}, {"sleep_us", sleep},
      {"halo_bytes", bytes}, {"steps", steps}};
    time.report(line, "step", steps, sleep);
    line["us_overslept"] = sum_over_ranks(bench::median(overslept)) / w.size;
    print(w, line);
  });
}
