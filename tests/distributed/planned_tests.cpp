// Programs that are only planned: RONDO_PLAN.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <rondo/core/planned.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/rondo.hpp>

#include "planned/run.hpp"
#include "planned/transport.hpp"
#include "planned/wish.hpp"
#include "random/sides.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace random_programs;
using rondo::detail::plan_wish;

namespace {

struct traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

traffic sent_by(scheduler& s) {
  s.wait();
  const auto sent = s.messages().sent();
  return {sent.messages, sent.bytes};
}

/// Nothing in it depends on values, which a planned program doesn't have.
void leave_nothing_to_values(std::vector<block>& all) {
  for(block& b : all) {
    if(b.kind == block_kind::when || b.kind == block_kind::either)
      b.kind = block_kind::launches;
    if(b.kind == block_kind::balance) // costs are not known either
      b.kind = block_kind::wait;
    b.balanced = 0;
    b.stops_at_one_in = ~0U;
    // Rows are as long as tasks make them: in a planned program they have no values.
    for(op& o : b.body)
      if(is_of_rows(o.what))
        o.what = deed::update_hashes;
    leave_nothing_to_values(b.inner);
  }
}

/// What f does with a rank that there is not.
template<class F>
void plan_rank(unsigned rank, unsigned ranks, flow_options options, const F& f) {
  detail::is_only_planned = true;
  {
    const auto t = detail::make_planned_transport(rank, ranks, 1);
    executor ex({.workers = 1});
    scheduler s(ex, *t, options);
    ex.run([&] {
      f(s);
      s.wait();
    });
  }
  detail::is_only_planned = false;
}

void run_seed(std::uint64_t seed) {
  plan p = make_plan(seed);
  for(random_programs::stage& s : p.stages)
    leave_nothing_to_values(s.blocks);
  const auto ranks =
    static_cast<unsigned>(std::min<std::uint64_t>(1 + mix(seed, 98) % 5, p.fewest_colors));
  const flow_options options{.window = p.window, .find_repeats = p.finds_repeats};
  std::vector<traffic> sent(ranks);
  on_ranks(
    make_local_transports(ranks), 1,
    [&](scheduler& s) {
      run_together(p, s);
      sent[s.rank()] = sent_by(s);
    },
    options);
  for(unsigned r = 0; r != ranks; ++r)
    plan_rank(r, ranks, options, [&](scheduler& s) {
      run_together(p, s);
      const traffic planned = sent_by(s);
      INFO("seed " << seed << ", rank " << r << " of " << ranks);
      CHECK(planned.messages == sent[r].messages);
      CHECK(planned.bytes == sent[r].bytes);
    });
}

using grid = structured<2>;
using numbers = field<double>;

void touch(grid::view m, numbers::accessor<rw, ro> u) {
  const auto i = m.owned(0).begin();
  u(*i, *m.owned(1).begin()) = 1;
  throw std::runtime_error("it has run");
}
double largest(grid::view, numbers::accessor<ro, na>) { throw std::runtime_error("it has run"); }
int once(double) { throw std::runtime_error("it has run"); }

std::string file_for(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::string("rondo-planned-") + name)).string();
}

} // namespace

TEST_CASE("a planned program sends the messages that it would send") {
#if defined(RONDO_SANITIZED)
  constexpr std::uint64_t seeds = 5;
#else
  constexpr std::uint64_t seeds = 40;
#endif
  for(std::uint64_t seed = 0; seed != seeds; ++seed)
    run_seed(seed);
}

TEST_CASE("tasks of a planned program do not run, and give zeros") {
  plan_rank(3, 100'000, {}, [](scheduler& s) {
    CHECK(s.ranks() == 100'000);
    CHECK(s.rank() == 3);
    grid m{s, {.extents = {1'000'000, 1'000'000}, .halo = 1}};
    numbers u{m, "u"};
    s.execute<touch>(m, u);
    const future<double> r = s.reduce<largest, fold::max>(m, u);
    const future<int> n = s.execute<once>(r);
    CHECK(r.get() == 0);
    CHECK(n.get() == 0);
  });
}

TEST_CASE("a planned loop has all passes that it may have") {
  plan_rank(0, 2, {}, [](scheduler& s) {
    grid m{s, {.extents = {64, 64}}};
    numbers u{m, "u"};
    const auto passes = s.iterate({.max = 17}, [&](std::uint64_t) {
      return s.reduce<largest, fold::max>(m, u).then([](double d) { return d < 1; });
    });
    CHECK(passes.get() == 17);
  });
}

TEST_CASE("a plan is a timeline of all ranks") {
  const std::string file = file_for("ranks");
  const plan_wish wish = plan_wish::from("ranks=5,workers=3,to=" + file);
  unsigned called = 0;
  const int code = detail::plan_program(
    [&](scheduler& s) {
      ++called;
      grid m{s, {.extents = {64, 64}, .halo = 1}};
      numbers u{m, "u"};
      s.execute<touch>(m, u);
      s.execute<touch>(m, u);
    },
    {}, wish);
  CHECK(code == 0);
  CHECK(called == 5);
  const detail::timeline t = detail::read_timeline(file);
  REQUIRE(t.ranks.size() == 5);
  CHECK(t.ranks_of_run == 5);
  for(const detail::timeline_rank& r : t.ranks)
    CHECK(r.workers == 3);
  detail::timeline one;
  detail::timeline_stream stream(file);
  unsigned blocks = 0;
  while(stream.next(one))
    ++blocks;
  CHECK(blocks == 6); // with that of the run
  std::filesystem::remove(file);
}

TEST_CASE("some of the ranks can be planned") {
  const std::string file = file_for("some");
  std::vector<unsigned> planned;
  detail::plan_program([&](scheduler& s) { planned.push_back(s.rank()); }, {},
    plan_wish::from("ranks=1000,first=998,last=1000,to=" + file));
  CHECK(planned == std::vector<unsigned>{998, 999});
  std::filesystem::remove(file);
}

TEST_CASE("a planned program that fails says so") {
  const std::string file = file_for("fails");
  const int code = detail::plan_program(
    [](scheduler&) { throw std::runtime_error("no"); }, {}, plan_wish::from("ranks=2,to=" + file));
  CHECK(code != 0);
  CHECK_FALSE(detail::is_only_planned);
  CHECK(detail::plan_program(
          [](scheduler&) {}, {}, plan_wish::from("ranks=2,to=/no/such/folder/x")) != 0);
  std::filesystem::remove(file);
}

TEST_CASE("RONDO_PLAN: what can't be read is refused") {
  const plan_wish w = plan_wish::from("ranks=65536,workers=4,first=10,last=20,to=plan.rondo");
  CHECK(w.ranks == 65536);
  CHECK(w.workers == 4);
  CHECK(w.first == 10);
  CHECK(w.last == 20);
  CHECK(w.file == "plan.rondo");
  CHECK(plan_wish::from("ranks=7,to=x").last == 7);
  for(const char* const wrong :
    {"ranks=4", "to=x", "ranks=0,to=x", "ranks=four,to=x", "ranks=4,to=", "ranks=4,to=x,color=3",
      "ranks=4,first=4,to=x", "ranks=4,last=5,to=x", "ranks=4,workers=0,to=x"})
    CHECK_THROWS_WITH(plan_wish::from(wrong),
      Catch::Contains("RONDO_PLAN") && Catch::Contains("expected ranks=N,to=FILE"));
}
