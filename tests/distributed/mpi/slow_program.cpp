// Programs that are slow in one way each, as the first argument says, and one that isn't: the digest of the run has to say which.
// Their tasks sleep, so what is measured is the program, and not the machine.

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <rondo/rondo.hpp>

using namespace rondo;
using namespace std::chrono_literals;

namespace {

using pieces = topo::index;
using line = structured<1>;
using numbers = field<double>;

void rest_for(std::chrono::microseconds time) { std::this_thread::sleep_for(time); }

namespace task {

void short_one(pieces::view, numbers::accessor<rw> x) { x() += 1; }
void long_one(pieces::view, numbers::accessor<rw> x) {
  rest_for(4ms);
  x() += 1;
}
double measure(pieces::view, numbers::accessor<ro> x) {
  rest_for(4ms);
  return x();
}
/// The second half of the colors has nearly all of the work.
void uneven(pieces::view c, numbers::accessor<rw> x) {
  rest_for(2 * c.color() >= c.colors() ? 4ms : 400us);
  x() += 1;
}
void shift(line::view m, numbers::accessor<ro, ro> from, numbers::accessor<wo> to) {
  rest_for(1ms);
  for(const auto i : m.owned(0))
    to(i) = from(i - 1);
}
void clear(line::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = 0;
}

} // namespace task

int healthy(scheduler& s) {
  pieces ix{s, {.colors = 8 * s.ranks()}};
  numbers x{ix, "x"};
  for(int pass = 0; pass != 20; ++pass)
    s.execute<task::long_one>(ix, x);
  return 0;
}

int small(scheduler& s) {
  pieces ix{s, {.colors = 8 * s.ranks()}};
  numbers x{ix, "x"};
  s.repeat(300'000, [&] { s.execute<task::short_one>(ix, x); });
  return 0;
}

int launching(scheduler& s) {
  pieces ix{s, {.colors = 4 * s.ranks()}};
  numbers x{ix, "x"};
  for(int pass = 0; pass != 100; ++pass) {
    rest_for(3ms); // the program computes something
    s.execute<task::short_one>(ix, x);
  }
  return 0;
}

/// Three colors on two workers: the next pass would fill what is left of this one.
int blocked(scheduler& s) {
  pieces ix{s, {.colors = 3 * s.ranks()}};
  numbers x{ix, "x"};
  double all = 0;
  for(int pass = 0; pass != 40; ++pass)
    all += s.reduce<task::measure, fold::sum>(ix, x).get();
  return all == 0 ? 0 : 1;
}

int imbalance(scheduler& s) {
  pieces ix{s, {.colors = 2 * s.ranks()}};
  numbers x{ix, "x"};
  for(int pass = 0; pass != 40; ++pass)
    s.execute<task::uneven>(ix, x);
  return 0;
}

int messages(scheduler& s) {
  line m{s, {.extents = {64}, .colors = {s.ranks()}, .periodic = {true}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<task::clear>(m, u);
  for(int pass = 0; pass != 30; ++pass) {
    s.execute<task::shift>(m, u, v);
    s.execute<task::shift>(m, v, u);
  }
  return 0;
}

int long_body(scheduler& s) {
  flow& f = s.launches();
  double x = 0;
  region r(f, x, "x");
  f.submit(named("alone", [](double&) { rest_for(400ms); }), write(r));
  for(int i = 0; i != 20; ++i)
    f.submit(named("others", [] { rest_for(1ms); }));
  s.wait();
  return 0;
}

int few(scheduler& s) {
  pieces ix{s, {.colors = s.ranks()}};
  numbers x{ix, "x"};
  for(int pass = 0; pass != 100; ++pass)
    s.execute<task::long_one>(ix, x);
  return 0;
}

int memory(scheduler& s) {
  pieces ix{s, {.colors = 24 * s.ranks()}};
  numbers x{ix, "x"};
  std::vector<std::unique_ptr<char[]>> kept;
  constexpr std::size_t size = 2'000'000;
  for(int pass = 0; pass != 40; ++pass) {
    kept.push_back(std::make_unique<char[]>(size));
    std::memset(kept.back().get(), 1, size);
    s.execute<task::long_one>(ix, x);
    s.wait();
  }
  return 0;
}

int in_phases(scheduler& s) {
  pieces ix{s, {.colors = 8 * s.ranks()}};
  numbers x{ix, "x"};
  for(int pass = 0; pass != 3; ++pass) {
    const phase here("working");
    s.execute<task::long_one>(ix, x);
    s.wait();
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc == 2 ? argv[1] : "";
  return run(argc, argv, [&](scheduler& s) {
    for(const auto& [name, program] :
      {std::pair{"healthy", &healthy}, {"small", &small}, {"launching", &launching},
        {"blocked", &blocked}, {"imbalance", &imbalance}, {"messages", &messages},
        {"long_body", &long_body}, {"few", &few}, {"memory", &memory}, {"in_phases", &in_phases}})
      if(how == name)
        return program(s);
    return EXIT_FAILURE;
  });
}
