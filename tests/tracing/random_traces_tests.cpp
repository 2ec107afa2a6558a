#include "random_programs.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;
using random_programs::dice;
using random_programs::mix;

namespace {

struct cell {
  std::uint64_t hash = 0;
};

struct fold_hashes {
  cell identity(const cell&) const { return {}; }
  void operator()(cell& into, const cell& part) const { into.hash = mix(into.hash, part.hash); }
};

struct planned_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

#if defined(RONDO_SANITIZED)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

/// Takes some time, now and then, so that who doesn't wait is seen.
void dawdle(bool does) {
  if(!does)
    return;
  const auto begin = std::chrono::steady_clock::now();
  while(std::chrono::steady_clock::now() - begin < std::chrono::microseconds(20))
    rondo::pause();
}

/// One launch of a body: what it does, and to which cells. What it is given changes at each pass, or now and then.
struct step {
  enum kind_type { set, add, part, fold, look, use_three, two_commute, fold_two, use_value, kinds };
  unsigned kind;
  std::array<unsigned, 3> at;
  bool has_hints;
  std::uint64_t id = 0; ///< What it was given last; 0: nothing.
  bool is_slow = false;
};

/// Bodies of launches, each many times, inside of guards and without, with steps left out, put in
/// and broken off, and other launches in between.
class looping_program {
public:
  looping_program(executor& ex, std::uint64_t seed)
      : dice_(seed), hints_(~seed), values_of_steps_(3 * seed + 1), cells_(3 + dice_.below(6)),
        expected_(cells_.size()),
        flow_(ex, {.window = dice_.one_in(3) ? 2 + dice_.below(40) : 4096}) {
    for(auto& c : cells_)
      regions_.emplace_back(flow_, c, "cell");
    const unsigned bodies = 1 + dice_.below(3);
    for(unsigned b = 0; b != bodies; ++b) {
      bodies_.emplace_back(1 + dice_.below(dice_.one_in(6) ? 60 : 12));
      for(step& s : bodies_.back())
        s = any_step();
      // Mostly each body has its trace; sometimes two of them get in each other's way.
      if(b == 0 || !dice_.one_in(4))
        traces_.emplace_back(std::make_unique<trace>("random"));
      trace_of_.push_back(traces_.back().get());
    }
    changes_ = dice_.one_in(2) ? 0 : 2 + dice_.below(30);
    gives_anew_ = values_of_steps_.one_in(3) ? 1 : 2 + values_of_steps_.below(40);
    most_passes_ = values_of_steps_.one_in(4) ? 60 : 12;
    fails_ = dice_.one_in(8);
  }

  void run() {
    const unsigned rounds = 1 + dice_.below(4);
    for(unsigned i = 0; i != rounds; ++i) {
      const unsigned body = dice_.below(static_cast<unsigned>(bodies_.size()));
      const unsigned passes = 1 + dice_.below(most_passes_);
      const bool is_guarded = !dice_.one_in(5);
      if(dice_.one_in(6)) {
        repeat(body, dice_.one_in(4) ? 3 * passes * passes : passes);
        continue;
      }
      for(unsigned p = 0; p != passes; ++p) {
        pass(body, is_guarded);
        if(dice_.one_in(6))
          launch(any_step());
        if(dice_.one_in(10))
          look_at_one();
        if(dice_.one_in(15))
          settle();
        if(dice_.one_in(40))
          trace_of_[body]->skip();
        if(dice_.one_in(100))
          trace_of_[body]->reset();
      }
    }
    settle();
  }

  /// Passes that were replayed, so that it is seen that some are.
  [[nodiscard]] std::uint64_t replayed() const {
    std::uint64_t n = flow_.repeats().passes;
    for(const auto& t : traces_)
      n += t->statistics().replayed;
    return n;
  }

private:
  unsigned any() { return dice_.below(static_cast<unsigned>(cells_.size())); }
  step any_step() {
    step s{dice_.below(step::kinds), {any(), any(), any()}, hints_.one_in(4)};
    const auto n = static_cast<unsigned>(cells_.size());
    while(s.at[1] == s.at[0])
      s.at[1] = (s.at[1] + 1) % n;
    while(s.at[2] == s.at[0] || s.at[2] == s.at[1])
      s.at[2] = (s.at[2] + 1) % n;
    return s;
  }
  bool changes() { return changes_ != 0 && dice_.one_in(changes_); }

  void pass(unsigned body, bool is_guarded) {
    struct give_up {};
    try {
      std::optional<trace::guard> guard;
      if(is_guarded)
        guard.emplace(*trace_of_[body], flow_);
      for(step& s : bodies_[body]) {
        if(changes())
          launch(any_step());
        if(changes())
          continue;
        if(changes() && dice_.one_in(4))
          break;
        if(changes() && dice_.one_in(8))
          throw give_up();
        launch(s);
      }
      if(changes())
        look_at_one();
    }
    catch(const give_up&) { // the guard has ended; all goes on
    }
  }

  /// What a launch does when it is run one after the other: now, or in each pass of a closed loop.
  template<class Update>
  void alone(Update update) {
    if(is_closing_)
      closed_.emplace_back(update);
    else
      update();
  }

  /// The body without what hands values over.
  void repeat(unsigned body, unsigned passes) {
    closed_.clear();
    is_closing_ = true;
    flow_.repeat(passes, [&] {
      for(step& s : bodies_[body])
        if(s.kind != step::look && s.kind != step::use_value)
          launch(s);
    });
    is_closing_ = false;
    for(unsigned p = 0; p != passes; ++p)
      for(const auto& update : closed_)
        update();
  }

  /// Some launches have hints. What they are is no part of the program.
  template<class F, class... A>
  auto submit(F f, const A&... args) {
    if(!has_hints_)
      return flow_.submit(f, args...);
    const auto p = static_cast<priority>(hints_.below(3));
    const int worker = hints_.one_in(2) ? -1 : static_cast<int>(hints_.below(4));
    return flow_.submit(hinted({.priority = p, .worker = worker}, f), args...);
  }

  void launch(step&& s) { launch(s); }
  void launch(step& s) {
    if(s.id == 0 || values_of_steps_.one_in(gives_anew_)) {
      s.id = ++launches_;
      s.is_slow = dice_.one_in(12);
    }
    const std::uint64_t id = s.id;
    auto& r = regions_;
    auto& e = expected_;
    const auto [a, b, c] = s.at;
    const bool slow = s.is_slow;
    has_hints_ = s.has_hints;
    switch(s.kind) {
    case step::set:
      submit(
        [id, slow](cell& x) {
          dawdle(slow);
          x.hash = mix(id, x.hash);
        },
        write(r[a]));
      alone([&e, id, at = s.at] { e[at[0]].hash = mix(id, e[at[0]].hash); });
      break;
    case step::add:
      submit(
        [id, slow](cell& x) {
          dawdle(slow);
          x.hash += mix(id, 7);
        },
        commute(r[a]));
      alone([&e, id, at = s.at] { e[at[0]].hash += mix(id, 7); });
      break;
    case step::part: // several change it at the same time
      submit(
        [id, slow](cell& x) {
          dawdle(slow);
          std::atomic_ref(x.hash).fetch_add(mix(id, 9), std::memory_order_relaxed);
        },
        write_part(r[a]));
      alone([&e, id, at = s.at] { e[at[0]].hash += mix(id, 9); });
      break;
    case step::fold:
      submit([id](cell& x) { x.hash = mix(x.hash, id); }, reduce(r[a], fold_hashes{}));
      alone([&e, id, at = s.at] { e[at[0]].hash = mix(e[at[0]].hash, mix(0, id)); });
      break;
    case step::look:
      values_.emplace_back(submit([](const cell& x) { return x.hash; }, read(r[a])), e[a].hash);
      break;
    case step::use_three:
      submit([id](const cell& x, cell& y,
               const cell& z) { y.hash = mix(mix(id, x.hash), y.hash ^ z.hash); },
        read(r[a]), write(r[b]), read(r[c]));
      alone([&e, id, at = s.at] {
        e[at[1]].hash = mix(mix(id, e[at[0]].hash), e[at[1]].hash ^ e[at[2]].hash);
      });
      break;
    case step::two_commute:
      submit(
        [id](cell& x, cell& y, const cell& z) {
          x.hash += mix(id, z.hash);
          y.hash += mix(id, ~z.hash);
        },
        commute(r[a]), commute(r[b]), read(r[c]));
      alone([&e, id, at = s.at] {
        e[at[0]].hash += mix(id, e[at[2]].hash);
        e[at[1]].hash += mix(id, ~e[at[2]].hash);
      });
      break;
    case step::fold_two:
      submit(
        [id](cell& x, const cell& y, cell& z) {
          x.hash = mix(x.hash, y.hash);
          z.hash = mix(z.hash, id);
        },
        reduce(r[a], fold_hashes{}), read(r[b]), reduce(r[c], fold_hashes{}));
      alone([&e, id, at = s.at] {
        e[at[0]].hash = mix(e[at[0]].hash, mix(0, e[at[1]].hash));
        e[at[2]].hash = mix(e[at[2]].hash, mix(0, id));
      });
      break;
    default:
      if(values_.empty())
        break;
      const auto& [value, known] = values_[dice_.below(static_cast<unsigned>(values_.size()))];
      submit(
        [id](cell& x, std::uint64_t v) { x.hash = mix(mix(id, x.hash), v); }, write(r[a]), value);
      e[a].hash = mix(mix(id, e[a].hash), known);
      break;
    }
  }

  void look_at_one() {
    const unsigned a = any();
    flow_.wait(regions_[a]);
    if(cells_[a].hash != expected_[a].hash)
      FAIL("cell " << a << " is wrong before the end");
  }

  void settle() {
    if(fails_ && dice_.one_in(2)) {
      // What comes after it is not to be seen.
      flow_.submit([](cell&) { throw planned_failure("planned"); }, write(regions_[any()]));
      const auto before = expected_;
      values_.clear();
      for(unsigned i = dice_.below(10); i != 0; --i)
        launch(any_step());
      try {
        flow_.wait();
        FAIL("a failure was lost");
      }
      catch(const planned_failure&) {
      }
      values_.clear();
      // Which launches were skipped is known for those that come after the failure; so begin anew.
      for(auto& c : cells_)
        c = {};
      for(auto& c : expected_)
        c = {};
      return;
    }
    flow_.wait();
    for(std::size_t i = 0; i != cells_.size(); ++i)
      if(cells_[i].hash != expected_[i].hash)
        FAIL("cell " << i << " is wrong");
    for(const auto& [value, known] : values_)
      if(!value.ready() || value.get() != known)
        FAIL("a launch has returned something else");
    values_.clear();
  }

  dice dice_, hints_, values_of_steps_;
  std::vector<cell> cells_, expected_;
  flow flow_;
  std::deque<region<cell>> regions_;
  std::vector<std::vector<step>> bodies_;
  std::vector<std::unique_ptr<trace>> traces_;
  std::vector<trace*> trace_of_;
  std::vector<std::pair<future<std::uint64_t>, std::uint64_t>> values_;
  std::vector<std::function<void()>> closed_;
  bool is_closing_ = false;
  bool has_hints_ = false; ///< The launch that is being made.
  std::uint64_t launches_ = 0;
  unsigned changes_ = 0;     ///< One step in so many is another one; 0: none.
  unsigned gives_anew_ = 1;  ///< One launch of a step in so many is given something new.
  unsigned most_passes_ = 0; ///< Of a body, in a row.
  bool fails_ = false;
};

std::uint64_t run_seeds(
  unsigned workers, bool background, std::uint64_t first, std::uint64_t count) {
  if(const char* const one = std::getenv("RONDO_SEED")) {
    first = std::strtoull(one, nullptr, 10);
    count = 1;
  }
  executor ex(
    executor_options{.workers = workers, .background = background, .shares_cores = false});
  std::uint64_t replayed = 0;
  for(std::uint64_t seed = first; seed != first + count; ++seed) {
    CAPTURE(seed, workers, background);
    looping_program p(ex, seed);
    p.run();
    replayed += p.replayed();
  }
  return replayed;
}

// Sanitizers take ten times as long.
constexpr std::uint64_t share = is_sanitized ? 200 : 1250;

/// Traces that are switched off say so; here many are. Sanitizers must be heard, though.
class without_warnings {
public:
  without_warnings() : kept_(::dup(STDERR_FILENO)) {
    const int nowhere = ::open(is_sanitized ? "/dev/stderr" : "/dev/null", O_WRONLY);
    if(nowhere >= 0) {
      ::dup2(nowhere, STDERR_FILENO);
      ::close(nowhere);
    }
  }
  ~without_warnings() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }
  without_warnings(const without_warnings&) = delete;
  without_warnings& operator=(const without_warnings&) = delete;

private:
  int kept_;
};

} // namespace

TEST_CASE("random programs with traces have the results of their sequential execution") {
  unsigned round = 0;
  std::uint64_t replayed = 0;
  const without_warnings quiet;
  for(const unsigned workers : {1U, 2U, 3U, 8U})
    for(const bool background : {false, true})
      replayed += run_seeds(workers, background, share * round++, share);
  if(std::getenv("RONDO_SEED") == nullptr)
    CHECK(replayed > share);
}
