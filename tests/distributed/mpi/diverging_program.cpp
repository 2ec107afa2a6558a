// Programs in which rank 0 does something else than the others, in the way that the first argument
// says; "nothing": it doesn't. To be started by mpirun.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

void smooth(line::view m, numbers::accessor<rw, ro> u) {
  for(const auto i : m.interior(0))
    u(i) = (u(i - 1) + u(i + 1)) / 2;
}
void scale(line::view m, numbers::accessor<rw> u) {
  for(const auto i : m.owned(0))
    u(i) /= 2;
}
double sum(line::view m, numbers::accessor<ro, ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}
void ignore(double /*x*/) {}
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

void work(scheduler& s, line& m, numbers& u, int passes) {
  for(int i = 0; i != passes; ++i) {
    s.execute<smooth>(m, u);
    s.execute<ignore>(s.reduce<sum, fold::sum>(m, u));
  }
}

void diverge(scheduler& s, const std::string& how) {
  const bool is_other = s.rank() == 0;
  line m{s, {.extents = {how == "mesh" && is_other ? 80 : 40}, .colors = {8}, .periodic = {true}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  work(s, m, u, 20);
  if(how == "task") {
    if(is_other)
      s.execute<scale>(m, u);
    else
      s.execute<smooth>(m, u);
  }
  else if(how == "line")
    is_other ? s.execute<smooth>(m, u) : s.execute<smooth>(m, u);
  else if(how == "order") {
    s.execute<smooth>(m, is_other ? u : v);
    s.execute<smooth>(m, is_other ? v : u);
  }
  else if(how == "field")
    s.execute<smooth>(m, is_other ? v : u);
  else if(how == "more") {
    work(s, m, u, 100);
    if(is_other)
      s.execute<scale>(m, u);
    return;
  }
  else if(how == "early") {
    if(is_other)
      return;
  }
  else if(how == "if") {
    if(is_other)
      std::printf("%g\n", s.reduce<sum, fold::sum>(m, u).get());
  }
  else if(how == "options") {
    structured_options<2> o{.extents = {40, 40}, .colors = {4, 1}};
    if(is_other)
      o.halo = 2, o.periodic = {true, true}, o.diagonals = true;
    else
      o.beyond = 1;
    structured<2> other{s, o};
  }
  else if(how == "index")
    topo::index other{s, {.colors = is_other ? 7U : 8U}};
  else if(how == "global")
    topo::global other{s, {.size = is_other ? 7 : 8}};
  else if(how == "faces") {
    structured<2> cells{s, {.extents = {40, 40}, .colors = {4, 1}, .periodic = {true, true}}};
    const structured<2> other = cells.faces(is_other ? 1 : 0);
  }
  else if(how == "colors") {
    structured<2> other{s, {.extents = {40, 40}, .colors = {is_other ? 4 : 1, is_other ? 1 : 4}}};
    work(s, m, u, 100);
  }
  else if(how == "once") {
    if(is_other)
      s.execute<ignore>(1.0);
  }
  else if(how == "loop") {
    // As if each went on until its clock says that it is time.
    for(int passes = 0; passes != (is_other ? 50 : 60); ++passes)
      work(s, m, u, 1);
    static_cast<void>(s.reduce<sum, fold::sum>(m, v).get());
  }
  else if(how == "stop") {
    static_cast<void>(s.iterate({}, [&](std::uint64_t pass) {
      work(s, m, u, 1);
      return s.reduce<sum, fold::sum>(m, u).then(
        [last = is_other ? 30U : 40U, pass](double) { return pass >= last; });
    }));
  }
  else if(how == "most")
    static_cast<void>(s.iterate({.max = is_other ? 300U : 400U}, [&] {
      work(s, m, u, 1);
      return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
    }));
  else if(how == "body")
    static_cast<void>(s.iterate({.max = 1000}, [&](std::uint64_t pass) {
      work(s, m, u, 1);
      if(pass == 30 && is_other)
        s.execute<smooth>(m, v);
      return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
    }));
  else if(how == "inner")
    static_cast<void>(s.iterate({.max = 1000}, [&](std::uint64_t outer) {
      static_cast<void>(s.iterate({.max = 3}, [&] {
        work(s, m, u, 1);
        if(outer == 30 && is_other)
          s.execute<smooth>(m, v);
        return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
      }));
      return s.reduce<sum, fold::sum>(m, u).then([](double) { return false; });
    }));
  else if(how == "get")
    s.repeat(5, [&] {
      s.execute<smooth>(m, u);
      const future<double> all = s.reduce<sum, fold::sum>(m, u);
      if(is_other)
        all.wait(); // makes this rank launch each pass by itself
      s.execute<smooth>(m, v);
    });
  else if(how == "repeat")
    s.repeat(is_other ? 100 : 200, [&] { s.execute<smooth>(m, u); });
  else if(how == "new") {
    if(is_other)
      numbers{m, "w"};
  }
  else if(how == "nothing") {
    // Ranks run ahead differently far, and take long for nothing.
    for(int round = 0; round != 6; ++round) {
      for(unsigned k = 0; k != 3 * s.rank() % 7; ++k)
        pause();
      for(const std::uint64_t lag : {0U, 3U})
        static_cast<void>(s.iterate({.lag = lag}, [&](std::uint64_t pass) {
          work(s, m, u, 1);
          if(pass % (2 + s.rank()) == 0)
            pause();
          return s.reduce<sum, fold::sum>(m, u).then([pass](double) { return pass >= 8; });
        }));
      static_cast<void>(s.iterate({}, [&](std::uint64_t outer) {
        static_cast<void>(s.iterate({.lag = outer % 2}, [&](std::uint64_t pass) {
          work(s, m, u, 1);
          if(pass % (2 + s.rank()) == 0)
            pause();
          return s.reduce<sum, fold::sum>(m, u).then(
            [pass, outer](double) { return pass >= outer; });
        }));
        s.repeat(3, [&] { s.repeat(2, [&] { s.execute<smooth>(m, u); }); });
        s.when(make_ready(outer % 2 == 0), [&] { s.execute<smooth>(m, v); });
        return s.reduce<sum, fold::sum>(m, u).then([outer](double) { return outer >= 4; });
      }));
      if(round % 3 == 2) // longer than it takes to see a divergence
        std::this_thread::sleep_for(std::chrono::milliseconds(700 * ((s.rank() + round) % 2)));
      s.repeat(10, [&] { s.execute<smooth>(m, v); });
      work(s, m, round % 2 == 0 ? u : v, 10);
      line n{s, {.extents = {30}, .colors = {8}}};
      numbers w{n, "w"};
      s.execute<smooth>(n, w);
    }
    return;
  }
  work(s, m, u, 200);
}

} // namespace

int main(int argc, char** argv) {
  // Fails all the same if nothing is noticed, but in another way.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(200));
    std::fprintf(stderr, "no end after minutes\n");
    std::_Exit(124);
  }).detach();
  return run(argc, argv, [&](scheduler& s) { diverge(s, argc > 1 ? argv[1] : ""); });
}
