// An observer: prints what happens in a small program, line by line.
//
//   10_observer
//
// A rod is smoothed, and after each step a task adds up what is left. The observer sees every launch, how it was found out what
// it waits for (from the second step on it is replayed), and every task on its worker: where it begins, rests, goes on and
// ends. The program knows nothing of that. All there is to be told: docs/protocols/observing.md

#include <cstdio>
#include <mutex>
#include <numeric>
#include <vector>

#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/options.hpp>

using rod = std::vector<double>;

namespace task {

void smooth(const rod& from, rod& to) {
  for(std::size_t i = 1; i + 1 < from.size(); ++i)
    to[i] = (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
}
void add_up(const rod& u, double& sum) { sum = std::accumulate(u.begin(), u.end(), 0.0); }

} // namespace task

/// Called by several workers at the same time, so it locks; one that is to be quick has a buffer for each worker.
class printer final : public rondo::observer {
public:
  int launches = 0;
  int ended = 0;

private:
  void launched(const rondo::launch_info& l) noexcept override {
    static constexpr const char* how[] = {"analysed", "replayed", "found", "repeated"};
    static constexpr const char* mode[] = {
      "", "reads", "writes", "commutes on", "reduces", "writes a part of"};
    const std::lock_guard lock(mutex_);
    ++launches;
    std::printf("launch %2d %-8s line %u, %s:", number(l.id), l.name,
      static_cast<unsigned>(l.where.line()), how[static_cast<int>(l.how)]);
    for(std::size_t i = 0; i != l.accesses; ++i)
      std::printf(" %s %s", mode[static_cast<int>(l.access(i).mode)], l.access(i).name);
    std::printf("\n");
  }
  void task_begin(unsigned w, const rondo::task_info& t) noexcept override { tell(w, "begins", t); }
  void suspend(unsigned w, const rondo::task_info& t) noexcept override { tell(w, "rests", t); }
  void resume(unsigned w, const rondo::task_info& t) noexcept override { tell(w, "goes on", t); }
  void task_end(unsigned w, const rondo::task_info& t) noexcept override {
    tell(w, "ends", t);
    const std::lock_guard lock(mutex_);
    ++ended;
  }
  void waited(const rondo::wait_info& w) noexcept override {
    const std::lock_guard lock(mutex_);
    std::printf(
      "          the main thread has waited at line %u\n", static_cast<unsigned>(w.where.line()));
  }

  void tell(unsigned worker, const char* what, const rondo::task_info& t) {
    const std::lock_guard lock(mutex_);
    std::printf("          worker %u: %2d %-8s %s\n", worker, number(t.id()), t.name, what);
  }
  static int number(const rondo::task_id& id) { return static_cast<int>(id.number); }

  std::mutex mutex_;
};

int main(int argc, char** argv) {
  rondo::options o("An observer, and what it sees.");
  o.parse(argc, argv);
  rondo::executor ex(2);
  printer sees;
  ex.attach(sees);
  rod u(1000, 1.0);
  rod v = u;
  u[500] = v[500] = 1000;
  double sum = 0;
  {
    rondo::flow flow(ex);
    rondo::region ru(flow, u, "u");
    rondo::region rv(flow, v, "v");
    rondo::region rs(flow, sum, "sum");
    rondo::trace step("step");
    for(int i = 0; i != 3; ++i) {
      const auto guard = step.make_guard(flow);
      flow.submit(rondo::named("smooth", task::smooth), read(ru), write(rv));
      flow.submit(rondo::named("smooth", task::smooth), read(rv), write(ru));
      flow.submit(rondo::named("add up", task::add_up), read(ru), write(rs));
    }
    rondo::promise<double> answer;
    flow.submit(
      rondo::named("asks", [f = answer.get_future()](rod& x) { x[0] = f.get(); }), write(ru));
    flow.submit(rondo::named("answers", [&answer] { answer.set_value(1.0); }));
    flow.wait();
  }
  ex.detach(sees);
  std::printf("%d launches, %d tasks\n", sees.launches, sees.ended);
  return sees.launches == 11 && sees.ended == 11 ? 0 : 1;
}
