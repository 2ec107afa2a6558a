// What messages say of the place of a mistake: of the launch, the loop, the field, the mesh, the function of `then`.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

const structured_options<1> small{.extents = {16}, .colors = {4}};

void shift(line::view m, numbers::accessor<rw> u, double by) {
  for(const auto i : m.owned(0))
    u(i) += by;
}
double sum(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}
double shifted_sum(line::view m, numbers::accessor<ro> u, double by) { return sum(m, u) + by; }
void note(double x, std::vector<double>* to) { to->push_back(x); }
void of_mpi(mpi_task /*t*/, per_color<numbers::accessor<rw>> /*u*/, double /*x*/) {}
void fail(line::view /*m*/, numbers::accessor<rw> /*u*/) { throw std::runtime_error("no luck"); }
constexpr unsigned line_of_wait = __LINE__ + 1;
void wait_for_all(line::view /*m*/, numbers::accessor<rw> /*u*/, scheduler* s) { s->wait(); }

std::string here(unsigned at) { return std::string(__FILE__) + ':' + std::to_string(at); }

/// What is wrong with the program, and which task has failed.
struct told {
  std::string what;
  std::string task;
};
template<class F>
told told_by(unsigned workers, F&& program) {
  told all;
  on_ranks(make_local_transports(1), workers, [&](scheduler& s) {
    const line m{s, small};
    numbers u{m, "u"};
    try {
      program(s, m, u);
      s.wait();
    }
    catch(const std::exception& e) {
      all.what = e.what();
      all.task = s.failed_task(std::current_exception());
    }
    s.execute<shift>(m, u, 1.0); // the program goes on
    s.wait();
  });
  return all;
}

} // namespace

TEST_CASE("a launch that is given an empty future says where it is, and which parameter") {
  const std::string is_empty =
    " is an empty future, one that was default-constructed or moved from, so its value will never "
    "come; give it a value first, such as rondo::make_ready(0.0)";
  const future<double> none;
  std::vector<double> list;
  unsigned at = 0;
  std::string what = told_by(2, [&](scheduler& s, const line& m, numbers& u) {
    at = __LINE__ + 1;
    s.execute<shift>(m, u, none);
  }).what;
  CHECK(what == here(at) + ": shift: parameter 3" + is_empty);
  what = told_by(2, [&](scheduler& s, const line& m, numbers& u) {
    at = __LINE__ + 1;
    static_cast<void>(s.reduce<shifted_sum, fold::sum>(m, u, none));
  }).what;
  CHECK(what == here(at) + ": shifted_sum: parameter 3" + is_empty);
  what = told_by(2, [&](scheduler& s, const line&, numbers&) {
    at = __LINE__ + 1;
    s.execute<note>(none, &list);
  }).what;
  CHECK(what == here(at) + ": note: parameter 1" + is_empty);
  what = told_by(2, [&](scheduler& s, const line&, numbers& u) {
    at = __LINE__ + 1;
    s.execute_mpi<of_mpi>(u, none);
  }).what;
  CHECK(what == here(at) + ": of_mpi: parameter 3" + is_empty);
  what = told_by(2, [&](scheduler& s, const line&, numbers&) {
    at = __LINE__ + 1;
    s.iterate({.max = 3}, [] { return future<bool>(); });
  }).what;
  CHECK(what.starts_with(here(at) + ": iterate: its body has returned an empty future"));
}

TEST_CASE("a function of then that has thrown is named, and who takes its future") {
  for(const unsigned workers : {1U, 2U}) {
    std::vector<double> list;
    unsigned given = 0, taken = 0;
    const told by_task = told_by(workers, [&](scheduler& s, const line& m, numbers& u) {
      const future<double> total = s.reduce<sum, fold::sum>(m, u);
      given = __LINE__ + 1;
      const auto bad = total.then([](double) -> double { throw std::runtime_error("no value"); });
      taken = __LINE__ + 1;
      s.execute<note>(bad, &list);
    });
    CHECK(by_task.what == "no value");
    CHECK(by_task.task == "the function given to then at " + here(given) +
                            ", whose future is taken by task 'note', launched at " + here(taken));
    CHECK(list.empty());
    unsigned loop = 0;
    const told by_loop = told_by(workers, [&](scheduler& s, const line& m, numbers& u) {
      loop = __LINE__ + 1;
      s.iterate({.max = 3}, [&] {
        const future<double> total = s.reduce<sum, fold::sum>(m, u);
        given = __LINE__ + 1;
        return total.then([](double) -> bool { throw std::runtime_error("no answer"); });
      });
    });
    CHECK(by_loop.what == "no answer");
    CHECK(by_loop.task == "the function given to then at " + here(given) +
                            ", whose future ends the loop at " + here(loop));
  }
}

TEST_CASE(
  "a value that was made as a failure is named by where, and a task by its own name alone") {
  unsigned given = 0, taken = 0;
  const told of_value = told_by(1, [&](scheduler& s, const line& m, numbers& u) {
    const auto none = std::make_exception_ptr(std::runtime_error("none"));
    given = __LINE__ + 1;
    const auto bad = make_failed<double>(none);
    taken = __LINE__ + 1;
    s.execute<shift>(m, u, bad);
  });
  CHECK(of_value.task.starts_with(
    "the value promised at " + here(given) + ", whose future is taken by task 'shift', color "));
  CHECK(of_value.task.ends_with(here(taken)));
  const told of_task = told_by(1, [&](scheduler& s, const line& m, numbers& u) {
    taken = __LINE__ + 1;
    s.execute<fail>(m, u);
    s.execute<shift>(m, u, s.reduce<sum, fold::sum>(m, u));
  });
  CHECK(of_task.task.starts_with("task 'fail', color "));
  CHECK(of_task.task.ends_with("launched at " + here(taken)));
}

TEST_CASE("a task that waits for what the program launches is told what to do instead") {
  for(const unsigned workers : {1U, 2U}) {
    const std::string what = told_by(workers, [](scheduler& s, const line& m, numbers& u) {
      s.execute<wait_for_all>(m, u, &s);
    }).what;
    CHECK(what.starts_with(
      here(line_of_wait) + ": wait is called by a task, while only the program itself waits"));
    CHECK(what.find("rondo::flow flow(rondo::this_worker()->home())") != std::string::npos);
  }
}

TEST_CASE("what is made in the body of a loop is named, with both places") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const line m{s, small};
    unsigned made = 0, loop = 0;
    const auto is_told = [&](const std::string& what, const std::string& thing, const char* of) {
      expect(what == here(made) + ": " + thing + " is made in the body of " + of + " at " +
                       here(loop) + ", which is launched ahead; make it before that");
    };
    std::string what = thrown_by([&] {
      loop = __LINE__ + 1;
      s.repeat(2, [&] {
        made = __LINE__ + 1;
        const numbers w{m, "w"};
      });
    });
    is_told(what, "the field 'w'", "repeat()");
    what = thrown_by([&] {
      loop = __LINE__ + 1;
      s.iterate({.max = 2}, [&] {
        made = __LINE__ + 1;
        const line n{s, small};
        return false;
      });
    });
    is_told(what, "a topology", "iterate()");
    // The innermost one.
    what = thrown_by([&] {
      s.iterate({.max = 2}, [&] {
        loop = __LINE__ + 1;
        s.when(make_ready(true), [&] {
          made = __LINE__ + 1;
          const numbers w{m, ""};
        });
        return false;
      });
    });
    is_told(what, "a field without a name", "when()");
    // Others in the body are over.
    what = thrown_by([&] {
      loop = __LINE__ + 1;
      s.repeat(2, [&] {
        s.either(
          make_ready(true), [] {}, [] {});
        made = __LINE__ + 1;
        const numbers w{m, "w"};
      });
    });
    is_told(what, "the field 'w'", "repeat()");
  });
}

TEST_CASE("a mesh that can't be says where it was made, and so does a field with too deep a halo") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    const line m{s, small};
    unsigned made = __LINE__ + 1;
    std::string what = thrown_by([&] { const line one(s, {.extents = {16}, .colors = {1}}); });
    expect(what == "rondo::structured, made at " + here(made) +
                     ": the mesh is cut into 1 colors but there are 2 ranks; take more colors or "
                     "fewer ranks");
    made = __LINE__ + 1;
    what = thrown_by([&] { static_cast<void>(m.coarsened(0)); });
    expect(what.starts_with("rondo::structured, made at " + here(made) + ": coarsened by 0"));
    made = __LINE__ + 1;
    what = thrown_by([&] { const numbers w(m, "w", {.halo = 3}); });
    expect(what == here(made) +
                     ": the field 'w': a halo of 3 for a field of a mesh that has one of "
                     "1; make the mesh with .halo = 3");
  });
}

TEST_CASE("a negative number of passes of meshes is refused with the place of the loop") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const unsigned at = __LINE__ + 1;
    const std::string what = thrown_by([&] { s.repeat(static_cast<std::uint64_t>(-1), [] {}); });
    expect(what.starts_with(here(at) + ": repeat: 18446744073709551615 passes, which is what -1 "));
  });
}
