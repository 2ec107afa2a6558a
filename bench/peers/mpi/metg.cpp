// Steps of tasks that need what some of those of the step before have left, by hand: see
// metg/pattern.hpp. Each rank has a range of points. It works first on those that others wait for, and
// sends; what it needs itself was sent by others before they did the rest of their work. One message to
// each rank, with persistent requests and buffers for each step of a period.
//
//   mpirun -np 2 peer_mpi_metg --pattern stencil --width 16
//
// With --each there is a message for each input of each task, as in Task Bench's own program, and the task reads
// what came for it.

#include "metg/options.hpp"
#include "metg/task.hpp"
#include "peers/mpi/program.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace {

using namespace bench::mpi;
using bench::metg::value;

class steps {
public:
  steps(const world& w, const bench::metg::options& o, bool each)
      : w_(w), width_(o.search.width), each_(each) {
    if(width_ < w.size)
      throw std::runtime_error("--width: at least one point for each rank");
    phases_.resize(static_cast<std::size_t>(o.steps_of_pass()));
    for(auto& values : values_)
      values.resize(static_cast<std::size_t>(width_));
    for(std::size_t f = 0; f != phases_.size(); ++f)
      plan_messages(o.which(), f);
    for(std::size_t f = 0; f != phases_.size(); ++f)
      plan_tasks(o.which(), f);
  }
  steps(const steps&) = delete;
  steps& operator=(const steps&) = delete;
  ~steps() {
    for(phase& p : phases_)
      for(auto* const requests : {&p.sends, &p.receives})
        for(MPI_Request& r : *requests)
          MPI_Request_free(&r);
  }

  void run(long count, std::int64_t iterations) {
    begin();
    for(long t = 0; t != count; ++t) {
      phase& now = phases_[static_cast<std::size_t>(t) % phases_.size()];
      phase& next = phases_[static_cast<std::size_t>(t + 1) % phases_.size()];
      const bool goes_on = t + 1 != count;
      if(goes_on)
        start(next.receives);
      if(t != 0)
        wait(now.receives);
      std::size_t done = 0;
      for(; done != now.wanted; ++done)
        execute(now.tasks[done], t, iterations);
      if(goes_on && !next.sends.empty()) {
        wait(next.sends); // of a period ago
        for(const copy& c : next.copies)
          *c.to = *c.from;
        start(next.sends);
      }
      for(; done != now.tasks.size(); ++done)
        execute(now.tasks[done], t, iterations);
    }
    for(phase& p : phases_)
      wait(p.sends);
  }

private:
  struct input {
    const value* from;
    int point;
  };
  struct task {
    int point;
    value* to;
    std::vector<input> inputs;
  };
  struct copy {
    int point;
    const value* from;
    value* to;
  };
  // A step of the period: how its inputs come, and what is done with them.
  struct phase {
    std::vector<task> tasks;
    std::size_t wanted = 0; // so many of these, in front, are for other ranks
    std::vector<copy> copies;
    std::vector<std::vector<value>> buffers;
    std::vector<MPI_Request> sends;
    std::vector<MPI_Request> receives;
    std::map<std::pair<int, int>, value*> remote; // where others' points are, by tag and point
  };

  [[nodiscard]] int owner(int point) const {
    return static_cast<int>(((point + 1L) * w_.size - 1) / width_);
  }

  // Of the message that brings `from` to the task of point `to`.
  [[nodiscard]] int tag_of(int from, int to) const { return each_ ? from * width_ + to : 0; }

  // What comes for phase f, and what the others need for theirs: values of the phase before.
  void plan_messages(bench::metg::pattern pattern, std::size_t f) {
    phase& p = phases_[f];
    const auto& from = values_[(f + 1) % 2];
    using points = std::vector<int>;
    std::map<std::pair<int, int>, points> out; // by the other rank, and the tag
    std::map<std::pair<int, int>, points> in;
    for(int i = 0; i != width_; ++i)
      for(const int j : bench::metg::inputs(pattern, width_, static_cast<long>(f), i)) {
        const int to = owner(i);
        const int source = owner(j);
        const int tag = tag_of(j, i);
        if(to == source || (to != w_.rank && source != w_.rank))
          continue;
        points& m = to == w_.rank ? in[{source, tag}] : out[{to, tag}];
        if(std::find(m.begin(), m.end(), j) == m.end())
          m.push_back(j);
      }
    const auto make = [&](const std::pair<int, int>& key, points& m, bool sends) {
      std::sort(m.begin(), m.end());
      auto& buffer = p.buffers.emplace_back(m.size());
      const int bytes = static_cast<int>(m.size() * sizeof(value));
      if(sends)
        MPI_Send_init(buffer.data(), bytes, MPI_BYTE, key.first, key.second, MPI_COMM_WORLD,
          &p.sends.emplace_back());
      else
        MPI_Recv_init(buffer.data(), bytes, MPI_BYTE, key.first, key.second, MPI_COMM_WORLD,
          &p.receives.emplace_back());
      for(std::size_t k = 0; k != m.size(); ++k)
        if(sends)
          p.copies.push_back({m[k], &from[static_cast<std::size_t>(m[k])], &buffer[k]});
        else
          p.remote[{key.second, m[k]}] = &buffer[k];
    };
    for(auto& [key, m] : in)
      make(key, m, false);
    for(auto& [key, m] : out)
      make(key, m, true);
  }

  // First those that the next phase sends.
  void plan_tasks(bench::metg::pattern pattern, std::size_t f) {
    phase& p = phases_[f];
    const auto& sent = phases_[(f + 1) % phases_.size()].copies;
    const auto& from = values_[(f + 1) % 2];
    for(int i = 0; i != width_; ++i) {
      if(owner(i) != w_.rank)
        continue;
      task t{i, &values_[f % 2][static_cast<std::size_t>(i)], {}};
      for(const int j : bench::metg::inputs(pattern, width_, static_cast<long>(f), i))
        t.inputs.push_back({owner(j) == w_.rank ? &from[static_cast<std::size_t>(j)]
                                                : p.remote.at({tag_of(j, i), j}),
          j});
      p.tasks.push_back(std::move(t));
    }
    const auto others = std::stable_partition(p.tasks.begin(), p.tasks.end(), [&](const task& t) {
      return std::any_of(
        sent.begin(), sent.end(), [&](const copy& c) { return c.point == t.point; });
    });
    p.wanted = static_cast<std::size_t>(others - p.tasks.begin());
  }

  void begin() {
    for(int i = 0; i != width_; ++i)
      values_[1][static_cast<std::size_t>(i)] = {-1, i};
    for(const auto& [key, to] : phases_.front().remote)
      *to = {-1, key.second};
  }

  static void execute(const task& t, long step, std::int64_t iterations) {
    for(const input& i : t.inputs)
      bench::metg::check(*i.from, step - 1, i.point);
    bench::metg::compute(iterations);
    *t.to = {step, t.point};
  }

  static void start(std::vector<MPI_Request>& r) {
    if(!r.empty())
      MPI_Startall(static_cast<int>(r.size()), r.data());
  }
  static void wait(std::vector<MPI_Request>& r) {
    if(!r.empty())
      MPI_Waitall(static_cast<int>(r.size()), r.data(), MPI_STATUSES_IGNORE);
  }

  world w_;
  int width_;
  bool each_;                    // input has a message
  std::vector<value> values_[2]; // of even and of odd steps
  std::vector<phase> phases_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    bench::metg::options o;
    bool each = false;
    bench::arguments args;
    o.add_to(args);
    args.add_flag("--each", each, "a message for each input");
    args.parse(argc, argv);
    o.search.cores = w.size;
    o.search.period = o.steps_of_pass();

    steps s(w, o, each);
    const auto seconds = [](const auto& body) {
      MPI_Barrier(MPI_COMM_WORLD);
      double own = 1e-9 * bench::time_of(body);
      double slowest = 0;
      MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      return slowest;
    };
    const auto r = bench::metg::find(
      o.search,
      [&](
        long count, std::int64_t iterations) { return seconds([&] { s.run(count, iterations); }); },
      [&](std::int64_t iterations) { return seconds([&] { bench::metg::compute(iterations); }); });
    print(
      w, bench::metg::describe(each ? "MPI, each" : "MPI", o, static_cast<unsigned>(w.size), 1, r));
  });
}
