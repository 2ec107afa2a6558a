// The number of a pass of `repeat`, as tasks over meshes get it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

/// Right for one pass after the other only, which sees to that each point tells what it was given.
void append(line::view m, numbers::accessor<rw> u, std::size_t pass) {
  for(const auto i : m.owned(0))
    u(i) = 10 * u(i) + double(pass + 1);
}
void append_with_ghosts(
  line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from, std::uint64_t pass) {
  for(const auto i : m.owned(0))
    to(i) = (from(i - 1) + from(i + 1)) / 2 * 10 + double(pass + 1);
}
void append_two(line::view m, numbers::accessor<rw> u, std::size_t outer, std::size_t inner) {
  for(const auto i : m.owned(0))
    u(i) = 100 * u(i) + double(10 * (outer + 1) + inner + 1);
}
void reset(line::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = 0;
}
double greatest(line::view m, numbers::accessor<ro> u) {
  double x = u(m.owned(0).first());
  for(const auto i : m.owned(0))
    x = x < u(i) ? u(i) : x;
  return x;
}
double number_of(line::view, numbers::accessor<ro>, std::size_t pass) { return double(pass); }
void append_for_mpi(
  mpi_task, per_color<line::view> m, per_color<numbers::accessor<rw>> u, std::size_t pass) {
  for(std::size_t c = 0; c != m.size(); ++c)
    append(m[c], u[c], pass);
}
void note(std::size_t pass, std::vector<std::size_t>* all) { all->push_back(pass); }
std::size_t next(std::size_t pass) { return pass + 1; }

double value_of(scheduler& s, line& m, numbers& u) {
  const double x = s.reduce<greatest, fold::max>(m, u).get();
  s.execute<reset>(m, u);
  return x;
}

} // namespace

TEST_CASE(
  "tasks in the body of repeat are given the number of the pass, on all ranks, in all kinds of "
  "launches") {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const unsigned workers : {1U, 3U})
      for(const std::size_t stages : {1U, 4U}) {
        CAPTURE(ranks, workers, stages);
        std::vector<std::size_t> noted;
        on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
          line m{s, {.extents = {24}, .colors = {6}, .periodic = {true}, .stages = stages}};
          numbers u{m, "u"}, v{m, "v"};
          future<double> last;
          future<std::size_t> from_first;
          s.repeat(5, [&](pass_number pass) {
            s.execute<append>(m, u, pass);
            s.execute<note>(pass, &noted);
            last = s.reduce<number_of, fold::max>(m, u, pass);
            from_first = s.execute<next>(pass);
          });
          expect(value_of(s, m, u) == 12345);
          expect(last.get() == 4);
          expect(from_first.get() == 5);
          s.repeat(2, [&](pass_number pass) {
            s.execute<append_with_ghosts>(m, v, u, pass);
            s.execute<append_with_ghosts>(m, u, v, pass);
          });
          expect(value_of(s, m, u) == 1122);
          s.repeat(4, [&](pass_number pass) { s.execute_mpi<append_for_mpi>(m, u, pass); });
          expect(value_of(s, m, u) == 1234);
        });
        CHECK(noted == std::vector<std::size_t>{0, 1, 2, 3, 4});
      }
}

TEST_CASE("over meshes, too, the number is that of the loop whose body was given it") {
  for(const unsigned ranks : {1U, 2U})
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, {.extents = {24}, .colors = {6}, .periodic = {true}}};
      numbers u{m, "u"};
      s.repeat(2, [&](pass_number outer) {
        s.repeat(3, [&](pass_number inner) { s.execute<append_two>(m, u, outer, inner); });
      });
      expect(value_of(s, m, u) == 111213212223);
      // Opened by what is launched if a value says so, and launched ahead.
      s.repeat(3, [&](pass_number outer) {
        s.execute<append>(m, u, outer);
        const future<double> k = s.reduce<number_of, fold::max>(m, u, outer);
        s.when(k.then([](double x) { return x == 1; }), [&] { s.execute<append>(m, u, outer); });
      });
      expect(value_of(s, m, u) == 1223);
      const future<std::uint64_t> passes = s.iterate({.max = 100}, [&](std::uint64_t k) {
        s.repeat(2, [&](pass_number inner) { s.execute<append_two>(m, u, std::size_t(k), inner); });
        return s.reduce<greatest, fold::max>(m, u).then([](double x) { return x > 1e9; });
      });
      expect(passes.get() == 3);
      expect(value_of(s, m, u) == 111221223132);
    });
}
