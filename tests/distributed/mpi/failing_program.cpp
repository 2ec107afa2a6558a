// Programs that fail, in the way that the first argument says: to be started by mpirun.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <rondo/flow.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

void fail_at(line::view m, numbers::accessor<rw> u, std::int64_t where) {
  for(const auto i : m.owned(0)) {
    if(i == where)
      throw std::runtime_error("point " + std::to_string(i) + " is wrong");
    u(i) += 1;
  }
}
void fail_oddly(line::view m, numbers::accessor<rw> /*u*/) {
  if(m.color() == 0)
    throw 42;
}
/// More than all of the stack, and used from the lower end up.
void need_much_stack(line::view m, numbers::accessor<rw> u) {
  volatile double table[std::size_t{1} << 21U];
  for(const auto i : m.owned(0)) {
    table[i] = 1;
    u(i) += table[i];
  }
}
/// Ends as no program should: `how` is 0 for an exit with code 0, or a signal.
void vanish(line::view m, numbers::accessor<rw> /*u*/, int how) {
  if(m.color() != 4)
    return;
  if(how == 0)
    std::_Exit(0);
  std::raise(how);
}
void smooth(line::view m, numbers::accessor<rw, ro> u) {
  for(const auto i : m.interior(0))
    u(i) = u(i - 1) + u(i + 1);
}
/// Each color has a flow of its own, which fails, and does not wait for it.
void forget(line::view m, numbers::accessor<rw> u) {
  double& first = u(m.owned().lo[0]);
  flow inner(this_worker()->home());
  region r(inner, first, "first");
  inner.submit(
    named("save", [](double& /*x*/) { throw std::runtime_error("no paper left"); }), write(r));
}
double sum(line::view m, numbers::accessor<ro, ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}
void relax(line::view m, numbers::accessor<rw> /*u*/) {
  if(m.color() == 5)
    throw std::runtime_error("no luck");
}
double last_point(line::view m, numbers::accessor<ro> /*u*/) {
  return static_cast<double>(m.color());
}
/// Fails only in the last step: with several ranks in a message, on whatever thread looks for those.
struct narrow_sum {
  void operator()(double& a, const double& b) const {
    if(a + b > 27)
      throw std::runtime_error("too much for this fold");
    a += b;
  }
};
void report(double x) { throw std::runtime_error("no paper left for " + std::to_string(x)); }

void work(scheduler& s, line& m, numbers& u, int passes) {
  for(int i = 0; i != passes; ++i) {
    s.execute<smooth>(m, u);
    static_cast<void>(s.reduce<sum, fold::sum>(m, u));
  }
}

void step(line::view m, numbers::accessor<rw> dt) { dt() += static_cast<double>(m.color()); }
void fail_for_mpi(mpi_task t, per_color<numbers::accessor<rw>> /*u*/) {
  if(t.rank() + 1 == t.ranks())
    throw std::runtime_error("the library has failed");
}

double report_and_count(double x) {
  report(x);
  return x;
}

/// The points are those of the last rank.
constexpr std::int64_t last = 39;

void fail(scheduler& s, const std::string& how) {
  if(how == "mesh")
    line{s, {.extents = {1}}};
  line m{s, {.extents = {40}, .colors = {8}, .periodic = {true}}};
  numbers u{m, "u"};
  work(s, m, u, 20);
  if(how == "task")
    s.execute<fail_at>(m, u, last);
  else if(how == "oddly")
    s.execute<fail_oddly>(m, u);
  else if(how == "get") {
    s.execute<fail_at>(m, u, last);
    std::printf("%g\n", s.reduce<sum, fold::sum>(m, u).get());
  }
  else if(how == "repeat")
    s.repeat(1000, [&] {
      work(s, m, u, 1);
      s.execute<fail_at>(m, u, last);
    });
  else if(how == "iterate")
    s.iterate({},
       [&](std::uint64_t pass) {
         work(s, m, u, 1);
         s.execute<fail_at>(m, u, pass == 50 ? last : -1);
         return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
       })
      .get();
  else if(how == "once")
    s.execute<report>(s.reduce<sum, fold::sum>(m, u));
  else if(how == "result")
    std::printf("%g\n", s.execute<report_and_count>(s.reduce<sum, fold::sum>(m, u)).get());
  else if(how == "no_luck")
    s.execute<relax>(m, u);
  else if(how == "caught") {
    try {
      s.execute<fail_at>(m, u, last);
      s.wait();
    }
    catch(const std::runtime_error&) {
    }
    std::printf("%g\n", s.reduce<sum, fold::sum>(m, u).get());
  }
  else if(how == "fold")
    std::printf("%g\n", s.reduce<last_point, narrow_sum{}>(m, u).get());
  else if(how == "then")
    s.reduce<sum, fold::sum>(m, u)
      .then([](double x) -> double {
        throw std::runtime_error("not even then");
        return x;
      })
      .get();
  else if(how == "taken")
    s.execute<report>(s.reduce<sum, fold::sum>(m, u).then([](double x) -> double {
      throw std::runtime_error("no paper left to write on");
      return x;
    }));
  else if(how == "forgets")
    for(int i = 0; i != 10; ++i)
      s.execute<forget>(m, u);
  else if(how == "unasked")
    static_cast<void>(s.reduce<sum, fold::sum>(m, u).then(
      [](double) -> double { throw std::runtime_error("nobody asks"); }));
  else if(how == "stop")
    s.iterate({}, [&] {
      work(s, m, u, 1);
      return s.reduce<sum, fold::sum>(m, u).then(
        [](double x) -> bool { throw std::runtime_error("no answer to " + std::to_string(x)); });
    });
  else if(how == "vain") {
    future<double> of_pass;
    s.iterate({.max = 100},
       [&](std::uint64_t pass) {
         work(s, m, u, 1);
         of_pass = s.reduce<sum, fold::sum>(m, u);
         return of_pass.then([pass](double) { return pass == 4; });
       })
      .get();
    std::printf("%g\n", of_pass.get());
  }
  else if(how == "global") {
    topo::global g{s};
    numbers dt{g, "dt"};
    s.execute<step>(m, dt);
  }
  else if(how == "mpi_task")
    s.repeat(2, [&] {
      work(s, m, u, 1);
      s.execute_mpi<fail_for_mpi>(u);
    });
  else if(how == "main") {
    if(s.rank() + 1 == s.ranks())
      throw std::runtime_error("the program itself has failed");
  }
  else if(how == "field") {
    line other{s, {.extents = {40}, .colors = {8}}};
    numbers v{other, "v"};
    s.execute<fail_at>(m, v, last);
  }
  else if(how == "overflow")
    s.execute<need_much_stack>(m, u);
  else if(how == "killed" || how == "leaves") {
    s.execute<vanish>(m, u, how == "killed" ? SIGKILL : 0);
    std::printf("%g\n", s.reduce<sum, fold::sum>(m, u).get());
  }
  else if(how == "twice") {
    scheduler second(s.home(), s.messages().messages());
  }
  work(s, m, u, 200);
}

} // namespace

int main(int argc, char** argv) {
  // Fails all the same if nothing is noticed, but in another way.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(60));
    std::fprintf(stderr, "no end after a minute\n");
    std::_Exit(124);
  }).detach();
  return run(argc, argv, [&](scheduler& s) { fail(s, argc > 1 ? argv[1] : ""); });
}
