// Only the program itself launches, and makes meshes and fields, outside of the bodies of loops.

#include <memory>
#include <string>
#include <utility>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

struct everything {
  scheduler& s;
  line& m;
  numbers& u;
};

void clear(line::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = 0;
}
double first(line::view m, numbers::accessor<ro> u) { return u(m.owned(0).first()); }
void say_nothing(int /*n*/) {}
void nothing(mpi_task /*of*/) {}

void launch(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  e->s.execute<clear>(e->m, e->u);
}
void launch_reduction(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  static_cast<void>(e->s.reduce<first, fold::sum>(e->m, e->u));
}
void launch_on_rank_0(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  e->s.execute<say_nothing>(1);
}
void launch_mpi(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  e->s.execute_mpi<nothing>();
}
void make_field(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  const numbers made{e->m, "made"};
}
void make_mesh(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  const line made{e->s, {.extents = {10}}};
}
void make_index(line::view /*m*/, numbers::accessor<rw> /*u*/, everything* e) {
  const topo::index made{e->s, {.colors = 2}};
}

template<auto F>
std::string told(unsigned workers) {
  std::string what;
  on_ranks(make_local_transports(1), workers, [&](scheduler& s) {
    line m{s, {.extents = {10}, .colors = {2}}};
    numbers u{m, "u"};
    everything all{s, m, u};
    s.execute<F>(m, u, &all);
    what = thrown_by([&s] { s.wait(); });
    s.execute<clear>(m, u); // the program goes on
    s.wait();
  });
  return what;
}

void copy(line::view m, numbers::accessor<wo> to, numbers::accessor<ro> from) {
  for(const auto i : m.owned(0))
    to(i) = from(i);
}

} // namespace

TEST_CASE("tasks launch nothing") {
  for(const unsigned workers : {1U, 2U}) {
    const auto by_task =
      Catch::Contains("launched by a task, while only the program itself launches");
    CHECK_THAT(told<launch>(workers), Catch::Contains("refused_in_tasks_tests.cpp:") && by_task);
    CHECK_THAT(told<launch>(workers), Catch::Contains("clear: ") && by_task);
    CHECK_THAT(told<launch_reduction>(workers), Catch::Contains("first: ") && by_task);
    CHECK_THAT(told<launch_on_rank_0>(workers), Catch::Contains("say_nothing: ") && by_task);
    CHECK_THAT(told<launch_mpi>(workers), Catch::Contains("nothing: ") && by_task);
  }
}

TEST_CASE("tasks make neither meshes nor fields") {
  for(const unsigned workers : {1U, 2U}) {
    const auto by_task =
      Catch::Contains(" is made by a task, while only the program itself makes them");
    CHECK_THAT(told<make_field>(workers), Catch::Contains("the field 'made'") && by_task);
    CHECK_THAT(told<make_mesh>(workers), Catch::Contains("a topology") && by_task);
    CHECK_THAT(told<make_index>(workers), Catch::Contains("a topology") && by_task);
  }
}

TEST_CASE("nothing is launched after fields were swapped in the body of a loop") {
  const auto swapped =
    Catch::Contains("copy: launched after fields were swapped, as by std::swap(u, v)");
  for(const bool in_repeat : {false, true})
    on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
      const line m{s, {.extents = {10}, .colors = {2}}};
      numbers u{m, "u"};
      numbers v{m, "v"};
      s.execute<clear>(m, u);
      const auto pass = [&] {
        s.execute<copy>(m, v, u);
        std::swap(u, v);
      };
      const auto run = [&] {
        if(in_repeat) {
          s.repeat(10, pass);
          s.execute<copy>(m, v, u);
        }
        else
          static_cast<void>(s.iterate({.max = 10}, [&] {
            pass();
            return make_ready(false);
          }));
      };
      CHECK_THAT(thrown_by(run), swapped);
      s.wait();
    });
}

TEST_CASE("handles of fields are moved in the body of a loop") {
  on_ranks(make_local_transports(2), 2, [](scheduler& s) {
    const line m{s, {.extents = {10}, .colors = {2}}};
    auto u = std::make_unique<numbers>(m, "u");
    numbers v{m, "v"};
    s.execute<clear>(m, *u);
    s.repeat(10, [&] {
      s.execute<copy>(m, v, *u);
      u = std::make_unique<numbers>(std::move(*u));
      s.execute<copy>(m, *u, v);
    });
    s.execute<copy>(m, v, *u);
    s.wait();
  });
}

TEST_CASE("fields are swapped in plain loops") {
  on_ranks(make_local_transports(2), 2, [](scheduler& s) {
    const line m{s, {.extents = {10}, .colors = {2}}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<clear>(m, u);
    for(int i = 0; i != 7; ++i) {
      s.execute<copy>(m, v, u);
      std::swap(u, v);
    }
    expect(u.name() == std::string("v"));
    s.wait();
  });
}
