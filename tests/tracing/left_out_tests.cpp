// Launches that do nothing but wait: traces and closed loops leave them out, and what comes after them waits
// itself.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include <malloc.h>

#include "random_programs.hpp"

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/tracing/trace.hpp>

using namespace rondo;

namespace {

/// Counts how often it is run all the same.
struct only_order {
  std::atomic<long>* runs;
  bool is_nothing;
  template<class... A>
  void operator()(const A&...) const {
    ++*runs;
  }
  [[nodiscard]] bool does_nothing() const { return is_nothing; }
};

/// Cells, and for each a window through which two others are looked at. The tasks that look name the
/// window alone: what they look at is ordered by launches that do nothing. As halos are.
class looking_glasses {
public:
  looking_glasses(executor& ex, std::size_t cells, std::uint64_t seed) : flow_(ex), cells_(cells) {
    for(std::size_t i = 0; i != cells; ++i) {
      cells_[i] = static_cast<std::uint64_t>(i);
      own_.emplace_back(flow_, cells_[i], "cell");
      glasses_.emplace_back(flow_, nothing_, "glass");
    }
    random_programs::dice random(seed);
    for(std::size_t i = 0; i != 3 * cells; ++i)
      steps_.push_back({random.below(static_cast<unsigned>(cells)), !random.one_in(4)});
  }

  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  void launch_step(std::size_t i, bool is_nothing) {
    const step& s = steps_[i];
    if(s.looks)
      look(s.cell, is_nothing);
    else
      write_alone(s.cell, is_nothing);
  }
  void by_hand(std::vector<std::uint64_t>& c, std::size_t i) const {
    const step& s = steps_[i];
    if(s.looks)
      take_a_look(c, s.cell);
    else
      c[s.cell] = c[s.cell] * 5 + 1;
  }
  /// Each pass does all steps.
  void launch(bool is_nothing) {
    for(std::size_t i = 0; i != steps_.size(); ++i)
      launch_step(i, is_nothing);
  }
  /// A task that looks at a cell.
  void expect(std::size_t i, std::uint64_t value) {
    flow_.submit(
      [this, value](const std::uint64_t& c) { wrong_ += c == value ? 0 : 1; }, read(own_[i]));
  }
  void wait_for(std::size_t i) { flow_.wait(own_[i]); }
  /// Another writer, which takes its time. Nobody looks at the cell now, so it names no glass.
  void set_when_all_is_done(std::size_t i, std::uint64_t value) {
    flow_.wait();
    flow_.submit(
      [value](std::uint64_t& c) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        c = value;
      },
      write(own_[i]));
  }
  static std::vector<std::uint64_t> by_hand(const looking_glasses& like, std::uint64_t passes) {
    std::vector<std::uint64_t> c(like.cells_.size());
    for(std::size_t i = 0; i != c.size(); ++i)
      c[i] = i;
    for(std::uint64_t p = 0; p != passes; ++p)
      for(std::size_t i = 0; i != like.steps(); ++i)
        like.by_hand(c, i);
    return c;
  }

  flow& home() { return flow_; }
  [[nodiscard]] const std::vector<std::uint64_t>& cells() const { return cells_; }
  [[nodiscard]] long runs() const { return runs_.load(); }
  [[nodiscard]] long wrong() const { return wrong_.load(); }
  [[nodiscard]] long orders() const { return orders_; }

private:
  struct step {
    std::size_t cell;
    bool looks;
  };

  [[nodiscard]] std::size_t left_of(std::size_t i) const {
    return (i + cells_.size() - 1) % cells_.size();
  }
  [[nodiscard]] std::size_t right_of(std::size_t i) const { return (i + 1) % cells_.size(); }
  void take_a_look(std::vector<std::uint64_t>& c, std::size_t i) const {
    c[i] = c[i] * 3 + c[left_of(i)] + 7 * c[right_of(i)];
  }

  /// Launches that look at the cell are waited for before it is written.
  void clear(std::size_t i, bool is_nothing) {
    ++orders_;
    flow_.submit(only_order{&runs_, is_nothing}, write(own_[i]), write(glasses_[left_of(i)]),
      write(glasses_[right_of(i)]));
  }
  void write_alone(std::size_t i, bool is_nothing) {
    clear(i, is_nothing);
    flow_.submit([](std::uint64_t& c) { c = c * 5 + 1; }, write(own_[i]));
  }
  void look(std::size_t i, bool is_nothing) {
    clear(i, is_nothing);
    ++orders_;
    flow_.submit(only_order{&runs_, is_nothing}, write(glasses_[i]), read(own_[left_of(i)]),
      read(own_[right_of(i)]));
    flow_.submit([this, i](std::uint64_t&, const char&) { take_a_look(cells_, i); }, write(own_[i]),
      read(glasses_[i]));
  }

  char nothing_ = 0;
  flow flow_;
  std::vector<std::uint64_t> cells_;
  std::deque<region<std::uint64_t>> own_;
  std::deque<region<char>> glasses_;
  std::vector<step> steps_;
  std::atomic<long> runs_{0};
  std::atomic<long> wrong_{0};
  long orders_ = 0;
};

} // namespace

TEST_CASE("what comes after launches that are left out comes after what those come after") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{20}));
  CAPTURE(workers, seed);
  executor ex(workers);
  looking_glasses all(ex, 3 + seed % 7, seed);
  const std::uint64_t passes = 1 + seed * seed % 50;
  all.home().repeat(passes, [&] { all.launch(true); });
  all.home().wait();
  CHECK(all.cells() == looking_glasses::by_hand(all, passes));
  CHECK(all.runs() == 0);
}

TEST_CASE("what is launched before and after such a loop is in its place") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{10}));
  CAPTURE(workers, seed);
  executor ex(workers);
  looking_glasses all(ex, 3 + seed % 7, seed);
  for(int i = 0; i != 3; ++i) {
    all.launch(true); // these are run like any others
    all.home().repeat(2 + seed, [&] { all.launch(true); });
  }
  all.launch(true);
  all.home().wait();
  CHECK(all.cells() == looking_glasses::by_hand(all, 4 + 3 * (2 + seed)));
}

TEST_CASE("a closed loop that leaves launches out begins after what these would have waited for") {
  const unsigned workers = GENERATE(1, 2);
  executor ex(workers);
  flow f(ex);
  std::uint64_t written = 0;
  std::uint64_t glass = 0;
  region rw(f, written);
  region rg(f, glass);
  std::atomic<long> runs{0};
  std::atomic<bool> has_written{false};
  std::atomic<long> early{0};
  f.submit(
    [&](std::uint64_t&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      has_written = true;
    },
    write(rw));
  f.repeat(3, [&] {
    f.submit(only_order{&runs, true}, read(rw), write(rg));
    // Names the glass alone: it waits for the writer through the one before.
    f.submit([&](const std::uint64_t&) { early += has_written ? 0 : 1; }, read(rg));
  });
  f.wait();
  CHECK(early == 0);
  CHECK(runs == 0);
}

TEST_CASE("they are run where they say that there is something to do") {
  executor ex(2);
  looking_glasses all(ex, 5, 1);
  all.home().repeat(100, [&] { all.launch(false); });
  all.home().wait();
  CHECK(all.cells() == looking_glasses::by_hand(all, 100));
  CHECK(all.runs() == 100 * all.orders());
}

TEST_CASE("a loop of nothing else runs as well") {
  executor ex(1);
  flow f(ex);
  long a = 0;
  region ra(f, a);
  std::atomic<long> runs{0};
  f.repeat(10, [&] { f.submit(only_order{&runs, true}, write(ra)); });
  f.wait();
  CHECK(runs == 10);
}

TEST_CASE("a trace leaves them out from the second pass on") {
  const unsigned workers = GENERATE(1U, 2U);
  executor ex(workers);
  looking_glasses all(ex, 5, 1);
  trace t;
  for(int pass = 0; pass != 100; ++pass) {
    const auto guard = t.make_guard();
    all.launch(true);
  }
  all.home().wait();
  CHECK(all.cells() == looking_glasses::by_hand(all, 100));
  CHECK(all.runs() == all.orders() / 100);
  CHECK(t.statistics().replayed == 99);
}

TEST_CASE("a launch that does nothing is not the same as one that does something") {
  executor ex(1);
  looking_glasses all(ex, 5, 1);
  trace t;
  long expected = 0;
  for(int pass = 0; pass != 40; ++pass) {
    const bool is_nothing = pass < 20;
    const long before = all.orders();
    const auto guard = t.make_guard();
    all.launch(is_nothing);
    expected += pass == 0 || !is_nothing ? all.orders() - before : 0;
  }
  all.home().wait();
  CHECK(all.cells() == looking_glasses::by_hand(all, 40));
  CHECK(all.runs() == expected);
}

namespace {
/// Passes that are mostly the same, and other launches between them.
void play(looking_glasses& all, random_programs::dice& random, trace* t) {
  std::vector<std::uint64_t> by_hand = all.cells();
  const auto step = [&](std::size_t i) {
    all.launch_step(i, !random.one_in(400));
    all.by_hand(by_hand, i);
  };
  const auto something_else = [&] {
    const std::size_t cell = random.below(static_cast<unsigned>(by_hand.size()));
    switch(random.below(4)) {
    case 0:
      step(random.below(static_cast<unsigned>(all.steps())));
      break;
    case 1:
      all.expect(cell, by_hand[cell]);
      break;
    case 2:
      all.set_when_all_is_done(cell, by_hand[cell] = random.next());
      break;
    default:
      all.wait_for(cell);
      REQUIRE(all.cells()[cell] == by_hand[cell]);
    }
  };
  for(int pass = 0; pass != 80; ++pass) {
    if(random.one_in(4))
      something_else();
    std::optional<trace::guard> guard;
    if(t != nullptr)
      guard.emplace(*t, all.home());
    const bool departs = random.one_in(12);
    for(std::size_t i = 0; i != all.steps(); ++i) {
      if(departs && random.one_in(8)) {
        something_else();
        if(random.one_in(2))
          continue;
      }
      step(i);
    }
  }
  all.home().wait();
  CHECK(all.cells() == by_hand);
  CHECK(all.wrong() == 0);
}
} // namespace

TEST_CASE("whatever comes between passes, and in them, is in its place") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{30}));
  const bool is_guarded = GENERATE(true, false);
  CAPTURE(workers, seed, is_guarded);
  executor ex(workers);
  // With many cells too much comes between for the template to be gone on with in such a pass.
  looking_glasses all(ex, seed % 4 == 0 ? 50 : 3 + seed % 7, seed);
  random_programs::dice random(seed + 1000);
  trace t;
  play(all, random, is_guarded ? &t : nullptr);
}

namespace {

// Of recordings without a flow that has launched them.
constexpr detail::access_mode modes[] = {detail::access_mode::write, detail::access_mode::read};
constexpr detail::launch_kind writes = {
  .modes = &modes[0], .accesses = 1, .is_plain = true, .ends_by_itself = true};
constexpr detail::launch_kind reads = {
  .modes = &modes[1], .accesses = 1, .is_plain = true, .ends_by_itself = true};

} // namespace

TEST_CASE("a template has an edge past what was left out") {
  static constexpr detail::launch_kind both = {
    .modes = &modes[0], .accesses = 2, .is_plain = true, .ends_by_itself = true};
  executor ex(1);
  flow f(ex);
  char x = 0;
  char y = 0;
  region rx(f, x), ry(f, y);
  detail::region_base* const only_x[] = {&rx};
  detail::region_base* const only_y[] = {&ry};
  detail::region_base* const y_from_x[] = {&ry, &rx};
  detail::recording pass;
  pass.add({&writes, only_x, {}, "write x"});
  pass.add({&both, y_from_x, {}, "nothing", true});
  pass.add({&reads, only_y, {}, "read y"});
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  REQUIRE(made->size() == 2);
  const detail::template_node& write_x = (*made)[0];
  const detail::template_node& read_y = (*made)[1];
  // In its pass, for the nothing in between; and nobody writes what it reads.
  REQUIRE(read_y.edge_count >= 1);
  CHECK(&read_y.edges[0].from() == write_x.done);
  CHECK(read_y.edges[0].is_in_pass());
  // The nothing of the pass before would have waited for the reader of y, and the writer of x for it.
  REQUIRE(write_x.edge_count >= 1);
  CHECK_FALSE(write_x.edges[0].is_in_pass());
}

TEST_CASE("what was in vain for a place is not tried again", "[trace][left_out]") {
  // Many readers, a nothing that waits for them, and many that come after that: each of these would wait for all readers.
  executor ex(1);
  flow f(ex);
  char x = 0;
  region rx(f, x);
  detail::region_base* const only_x[] = {&rx};
  const auto here = std::source_location::current();
  const auto elsewhere = std::source_location::current();
  const auto many = [&](std::size_t readers, const std::source_location& where) {
    detail::recording pass;
    for(std::size_t i = 0; i != 2 * readers; ++i) {
      if(i == readers)
        pass.add({&writes, only_x, where, "nothing", true});
      pass.add({&reads, only_x, where, "read"});
    }
    return pass;
  };
  detail::tried_shapes tried;
  const auto leaves_out = [&](std::size_t readers, const std::source_location& where) {
    return detail::trace_template::compile(many(readers, where), true, &tried)->leaves_out();
  };
  CHECK_FALSE(leaves_out(200, here));
  CHECK(tried.was_in_vain({here, 401, 1}));
  CHECK(tried.was_in_vain({here, 401 * 5 / 4, 1}));
  CHECK_FALSE(tried.was_in_vain({here, 801, 1}));
  CHECK_FALSE(tried.was_in_vain({here, 401, 2}));
  CHECK_FALSE(tried.was_in_vain({elsewhere, 401, 1}));
  CHECK_FALSE(leaves_out(200, here));
  CHECK(leaves_out(2, here));
  CHECK_FALSE(tried.was_in_vain({here, 5, 1}));
}

// Where sanitizers have their own memory there is nothing to be asked.
#if defined(__GLIBC__) && !defined(RONDO_SANITIZED)
TEST_CASE("a repeat in a loop that leaves launches out takes as much memory as it has regions",
  "[trace][left_out]") {
  executor ex(1);
  looking_glasses all(ex, 200, 5);
  constexpr int passes = 40;
  const std::size_t before = mallinfo2().uordblks;
  for(int p = 0; p != passes; ++p) {
    all.launch(true);
    all.home().repeat(3, [&] { all.launch(true); });
    all.launch_step(0, true);
  }
  all.home().wait();
  // If each region waited for all launches of the loop that was found, it would be 50 MB.
  CHECK(mallinfo2().uordblks < before + (std::size_t{16} << 20U));
  CHECK(all.home().repeats().found != 0);
  std::vector<std::uint64_t> right = looking_glasses::by_hand(all, 0);
  for(int p = 0; p != passes; ++p) {
    for(int sweep = 0; sweep != 4; ++sweep)
      for(std::size_t i = 0; i != all.steps(); ++i)
        all.by_hand(right, i);
    all.by_hand(right, 0);
  }
  CHECK(all.cells() == right);
}
#endif
