// Tasks that would call MPI, on ranks that are threads: in which order they run, in loops of all kinds, and what is refused. With
// MPI itself: mpi/mpi_tasks.cpp.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "plain_line.hpp"
#include "ranks.hpp"
#include "recording_transport.hpp"

using namespace rondo;

namespace {

using plain_line::line;
using plain_line::numbers;
using plain_line::set;
using plain_line::sum;

void add_neighbours(line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.owned(0))
    to(i) = from(i - 1) + from(i + 1);
}

/// What this rank has, and how many of its ghosts are right.
double look(
  mpi_task t, per_color<line::view> m, per_color<numbers::accessor<ro, ro>> u, double expected) {
  expect(t.rank() < t.ranks());
  expect(m.size() == u.size());
  double wrong = 0;
  for(std::size_t c = 0; c != m.size(); ++c)
    for(auto i = m[c].owned(0).first() - 1; i <= m[c].owned(0).last(); ++i)
      wrong += u[c](i) != expected ? 1 : 0;
  return wrong;
}
void add_one(mpi_task, per_color<line::view> m, per_color<numbers::accessor<rw>> u) {
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      u[c](i) += 1;
}
void double_it(mpi_task, topo::global::view g, numbers::accessor<rw> x, double y) {
  for(std::int64_t i = 0; i != g.size(); ++i)
    x(i) = 2 * x(i) + y;
}
void one_color(mpi_task, line::view) {}
void one_accessor(mpi_task, numbers::accessor<ro>) {}
void set_global(numbers::accessor<wo> x, double to) { x() = to; }
double of_global(numbers::accessor<ro> x) { return x(); }
std::size_t length(mpi_task, std::string text) { return text.size(); }
double half(mpi_task, double x) { return x / 2; }
unsigned rank_of(mpi_task t) { return t.rank(); }
void fail(mpi_task) { throw std::runtime_error("the library has failed"); }
unsigned fail_with_result(mpi_task) { throw std::runtime_error("the library has failed"); }
void use_mpi(void* /*comm*/) {}
void scale(line::view m, numbers::accessor<rw> u, double by) {
  for(const auto i : m.owned(0))
    u(i) *= by;
}
/// Two parameters of one field.
void add_first(mpi_task, per_color<line::view> m, per_color<numbers::accessor<ro>> from,
  per_color<numbers::accessor<rw>> to) {
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      to[c](i) += from[c](i);
}

const structured_options<1> ring{.extents = {24}, .colors = {6}, .periodic = {true}};

long count_sending(mpi_task, const std::vector<transport*>* all) {
  long n = 0;
  for(const transport* const t : *all)
    n += t->is_sending() ? 1 : 0;
  return n;
}
void do_nothing() {}
scheduler* launcher = nullptr;
void launch_more(mpi_task) { launcher->execute<do_nothing>(); }
void launch_mpi(mpi_task) { static_cast<void>(launcher->execute_mpi<rank_of>()); }

/// What a library does in which ranks wait for each other: nobody leaves before all have come.
class meeting {
public:
  explicit meeting(unsigned ranks) : ranks_(ranks) {}
  void come() {
    std::unique_lock lock(mutex_);
    const std::uint64_t number = come_++ / ranks_;
    has_come_.notify_all();
    has_come_.wait(lock, [&] { return come_ >= (number + 1) * ranks_; });
  }
  [[nodiscard]] std::uint64_t met() {
    const std::lock_guard lock(mutex_);
    return come_ / ranks_;
  }

private:
  const unsigned ranks_;
  std::mutex mutex_;
  std::condition_variable has_come_;
  std::uint64_t come_ = 0;
};
void meet_and_add(
  mpi_task, per_color<line::view> m, per_color<numbers::accessor<rw, ro>> u, meeting* all) {
  all->come();
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      u[c](i) += 1;
}
std::uint64_t count_meetings(mpi_task, meeting* all) {
  all->come();
  return all->met();
}
double sum_here(mpi_task, per_color<numbers::accessor<ro>> u, per_color<line::view> m) {
  double all = 0;
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      all += u[c](i);
  return all;
}
void note_thread(mpi_task, std::vector<std::thread::id>* all) {
  all->push_back(std::this_thread::get_id());
}
void wait_for(mpi_task, per_color<numbers::accessor<rw>> /*u*/, std::atomic<bool>* goes_on) {
  while(!*goes_on)
    std::this_thread::yield();
}
double value(mpi_task, topo::global::view, numbers::accessor<ro> x) { return x(); }

/// Ranks whose MPI lets one thread at a time call it, as those of a program that has begun MPI like that.
class of_one_thread final : public recording_transport {
public:
  using recording_transport::recording_transport;
  [[nodiscard]] bool allows_mpi_beside_messages() const override { return false; }
};
std::vector<std::unique_ptr<transport>> of_one_thread_each(
  std::vector<std::unique_ptr<transport>> all) {
  for(auto& t : all)
    t = std::make_unique<of_one_thread>(std::move(t));
  return all;
}

std::vector<std::unique_ptr<transport>> slow_transports(unsigned ranks) {
  auto all = make_local_transports(ranks);
  for(auto& t : all)
    t = make_delayed(std::move(t),
      {.latency = std::chrono::microseconds(200), .jitter = std::chrono::microseconds(300)});
  return all;
}

} // namespace

TEST_CASE("a task for MPI sees what was launched before, and what is launched later sees it") {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const unsigned workers : {1U, 2U})
      for(const bool is_slow : {false, true})
        for(const bool is_of_one_thread : {false, true}) {
          CAPTURE(ranks, workers, is_slow, is_of_one_thread);
          std::vector<double> wrong(ranks), total(ranks);
          auto transports = is_slow ? slow_transports(ranks) : make_local_transports(ranks);
          if(is_of_one_thread)
            transports = of_one_thread_each(std::move(transports));
          on_ranks(std::move(transports), workers, [&](scheduler& s) {
            line m{s, ring};
            numbers u{m, "u"}, v{m, "v"};
            s.execute<set>(m, u, 1.0);
            double expected = 1;
            std::vector<future<double>> looks;
            trace t;
            for(int k = 0; k != 10; ++k) {
              const auto guard = t.make_guard();
              s.execute<add_neighbours>(m, v, u);
              s.execute<add_neighbours>(m, u, v);
              expected *= 4;
              looks.push_back(s.execute_mpi<look>(m, u, expected));
              s.execute_mpi<add_one>(m, u);
              expected += 1;
            }
            looks.push_back(s.execute_mpi<look>(m, u, expected));
            for(const future<double>& l : looks)
              wrong[s.rank()] += l.get();
            total[s.rank()] = s.reduce<sum, fold::sum>(m, u).get() / expected;
          });
          for(unsigned r = 0; r != ranks; ++r) {
            CHECK(wrong[r] == 0);
            CHECK(total[r] == 24);
          }
        }
}

TEST_CASE("tasks for MPI in which ranks wait for each other run in the order of the program, in "
          "loops of all kinds, as often as the loops say, also with one worker") {
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const unsigned workers : {1U, 2U})
      for(const bool is_slow : {false, true}) {
        CAPTURE(ranks, workers, is_slow);
        meeting all(ranks);
        std::vector<double> total(ranks);
        std::vector<std::uint64_t> passes(ranks), meetings(ranks);
        on_ranks(is_slow ? slow_transports(ranks) : make_local_transports(ranks), workers,
          [&](scheduler& s) {
            line m{s, ring};
            numbers u{m, "u"}, v{m, "v"};
            s.execute<set>(m, u, 1.0);
            // Each pass adds 1 to all points.
            const auto pass = [&] {
              s.execute<add_neighbours>(m, v, u);
              s.execute_mpi<meet_and_add>(m, v, &all);
              s.execute_mpi<meet_and_add>(m, v, &all);
              s.execute<add_neighbours>(m, u, v);
              s.execute<scale>(m, u, 0.25);
            };
            for(int i = 0; i != 5; ++i)
              pass();
            s.repeat(6, pass);
            const future<std::uint64_t> ran = s.iterate({.max = 1000}, [&](std::uint64_t k) {
              pass();
              return s.reduce<sum, fold::sum>(m, u).then([k](double) { return k == 6; });
            });
            const future<std::uint64_t> outer = s.iterate({.max = 3}, [&](std::uint64_t k) {
              s.repeat(2, pass);
              s.when(make_ready(k == 1), pass);
              const auto inner = s.iterate({.max = 100}, [&](std::uint64_t i) {
                pass();
                return s.reduce<sum, fold::sum>(m, u).then([i](double) { return i == 1; });
              });
              return inner.then([](std::uint64_t) { return false; });
            });
            meetings[s.rank()] = s.execute_mpi<count_meetings>(&all).get();
            passes[s.rank()] = ran.get() + outer.get();
            total[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
          });
        const std::uint64_t times = 5 + 6 + 7 + 3 * 2 + 1 + 3 * 2;
        for(unsigned r = 0; r != ranks; ++r) {
          CHECK(passes[r] == 7 + 3);
          CHECK(meetings[r] == 2 * times + 1);
          CHECK(total[r] == 24 * (1 + double(times)));
        }
      }
}

TEST_CASE(
  "the program goes on while a task for MPI runs, and so do launches that it has nothing to "
  "do with") {
  on_ranks(make_local_transports(1), 2, [](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"}, v{m, "v"};
    std::atomic<bool> goes_on{false};
    s.execute_mpi<wait_for>(u, &goes_on);
    s.execute<set>(m, v, 1.0);
    expect(s.reduce<sum, fold::sum>(m, v).get() == 24);
    s.execute<set>(m, u, 2.0); // waits for it
    const future<double> after = s.reduce<sum, fold::sum>(m, u);
    expect(!after.ready());
    goes_on = true;
    expect(after.get() == 48);
  });
}

TEST_CASE("tasks for MPI run on one thread, which is that of no worker") {
  std::vector<std::thread::id> threads;
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    for(int i = 0; i != 3; ++i)
      s.execute_mpi<note_thread>(&threads);
    s.repeat(3, [&] { s.execute_mpi<note_thread>(&threads); });
    s.wait();
    expect(threads.front() != std::this_thread::get_id());
  });
  REQUIRE(threads.size() == 6);
  CHECK(std::count(threads.begin(), threads.end(), threads.front()) == 6);
}

TEST_CASE(
  "where one thread at a time may call MPI, no message of any rank is under way while a task "
  "for MPI runs") {
  constexpr unsigned ranks = 3;
  std::atomic<long> under_way{0};
  auto transports = of_one_thread_each(slow_transports(ranks));
  std::vector<transport*> all;
  for(const auto& t : transports)
    all.push_back(t.get());
  on_ranks(std::move(transports), 2, [&](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"}, v{m, "v"};
    for(int k = 0; k != 10; ++k) {
      for(int i = 0; i != 3; ++i) {
        s.execute<add_neighbours>(m, v, u);
        s.execute<add_neighbours>(m, u, v);
      }
      static_cast<void>(s.reduce<sum, fold::sum>(m, u));
      under_way += s.execute_mpi<count_sending>(&all).get();
      // Nobody launches anything before all have looked.
      static_cast<void>(s.execute_mpi<rank_of>());
    }
  });
  CHECK(under_way == 0);
}

TEST_CASE("a task for MPI takes values, futures, global fields and fields several times, and gives "
          "its result as a future") {
  for(const unsigned ranks : {1U, 2U})
    for(const bool is_of_one_thread : {false, true}) {
      auto transports = make_local_transports(ranks);
      if(is_of_one_thread)
        transports = of_one_thread_each(std::move(transports));
      on_ranks(std::move(transports), 2, [](scheduler& s) {
        expect(s.execute_mpi<rank_of>().get() == s.rank());
        expect(s.execute_mpi<length>("four").get() == 4);
        expect(s.execute_mpi<half>(3).get() == 1.5);
        expect(s.execute_mpi<half>(s.execute_mpi<half>(3)).get() == 0.75);
        topo::global g{s};
        numbers x{g, "x"};
        s.execute<set_global>(x, 3.0);
        expect(s.execute_mpi<half>(s.reduce<of_global, fold::sum>(x)).get() == 1.5);
        s.execute_mpi<double_it>(g, x, s.reduce<of_global, fold::sum>(x));
        expect(s.reduce<of_global, fold::sum>(x).get() == 9);
        expect(s.execute_mpi<value>(g, x).get() == 9);
        line m{s, ring};
        numbers u{m, "u"};
        s.execute<set>(m, u, 1.0);
        s.execute_mpi<add_first>(m, u, u);
        expect(s.reduce<sum, fold::sum>(m, u).get() == 48);
        expect(s.execute_mpi<sum_here>(u, m).get() == 2 * double(m.mine().size()) * 4);
      });
    }
}

TEST_CASE("a result in the body of repeat is that of the last pass") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    future<double> last;
    s.repeat(5, [&] {
      s.execute_mpi<add_one>(m, u);
      last = s.execute_mpi<sum_here>(u, m);
    });
    expect(last.get() == 5 * double(m.mine().size()) * 4);
  });
}

TEST_CASE(
  "what a task for MPI throws ends what comes after it, and is told with its name and place") {
  on_ranks(make_local_transports(1), 2, [](scheduler& s) {
    CHECK_THROWS_WITH(s.execute_mpi<fail_with_result>().get(), "the library has failed");
    CHECK_THROWS_WITH(s.wait(), "the library has failed");
    s.execute_mpi<fail>();
    const future<unsigned> never = s.execute_mpi<rank_of>();
    CHECK_THROWS_AS(never.get(), cancelled);
    try {
      s.wait();
      FAIL("it has failed");
    }
    catch(const std::runtime_error&) {
      const std::string task = s.failed_task(std::current_exception());
      CHECK_THAT(task, Catch::Contains("'fail'") && Catch::Contains("mpi_task_tests.cpp:"));
    }
    s.repeat(3, [&] { s.execute_mpi<fail>(); });
    CHECK_THROWS_WITH(s.wait(), "the library has failed");
    // All goes on after that.
    CHECK(s.execute_mpi<rank_of>().get() == 0);
    s.execute<do_nothing>();
  });
}

TEST_CASE("a task for MPI is refused with the colors of a mesh one by one, and launches nothing") {
  on_ranks(make_local_transports(1), 2, [](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    CHECK_THROWS_WITH(s.execute_mpi<one_color>(m),
      Catch::Contains("per_color") && Catch::Contains("mpi_task_tests.cpp:"));
    CHECK_THROWS_WITH(s.execute_mpi<one_accessor>(u), Catch::Contains("per_color"));
    launcher = &s;
    const auto refused = Catch::Contains("only the program itself launches");
    s.execute_mpi<launch_more>();
    CHECK_THROWS_WITH(s.wait(), refused);
    s.execute_mpi<launch_mpi>();
    CHECK_THROWS_WITH(s.wait(), refused);
  });
}

TEST_CASE(
  "where one thread at a time may call MPI, tasks for it are refused where nobody can wait") {
  on_ranks(of_one_thread_each(make_local_transports(1)), 2, [](scheduler& s) {
    const auto in_a_loop = Catch::Contains(
      "ask MPI_Init_thread for MPI_THREAD_MULTIPLE, or leave MPI to Rondo, or take a plain loop");
    CHECK_THROWS_WITH(s.repeat(3, [&] { static_cast<void>(s.execute_mpi<rank_of>()); }), in_a_loop);
    CHECK_THROWS_WITH(static_cast<void>(s.iterate({.max = 3},
                        [&]() -> future<bool> {
                          static_cast<void>(s.execute_mpi<rank_of>());
                          return {};
                        })),
      in_a_loop);
    CHECK_THROWS_WITH(
      s.when(make_ready(true), [&] { static_cast<void>(s.execute_mpi<rank_of>()); }), in_a_loop);
    launcher = &s;
    CHECK_THROWS_WITH(s.execute_mpi<launch_more>(), Catch::Contains("nothing else may run"));
    CHECK_THROWS_WITH(s.execute_mpi<launch_mpi>(), Catch::Contains("nothing else may run"));
    CHECK_THROWS_WITH(s.execute_mpi<fail>(), "the library has failed");
    CHECK(s.execute_mpi<rank_of>().get() == 0);
    s.execute<do_nothing>();
  });
}

TEST_CASE("ranks that are threads have no MPI") {
  on_ranks(of_one_thread_each(make_local_transports(2)), 1, [](scheduler& s) {
    const std::string what = thrown_by([&] { s.execute_mpi<use_mpi>(); });
    expect(what.find("wants to call MPI, but the transport") != what.npos);
  });
}
