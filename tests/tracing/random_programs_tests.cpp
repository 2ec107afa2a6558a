#include "random_programs.hpp"
#include "take_long.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;
using random_programs::dice;
using random_programs::mix;

namespace {

struct cell {
  std::uint64_t hash = 0;
};

/// Order matters: folds in another order than that of the program give another hash.
struct fold_hashes {
  cell identity(const cell&) const { return {}; }
  void operator()(cell& into, const cell& part) const { into.hash = mix(into.hash, part.hash); }
};

struct planned_failure : std::runtime_error {
  explicit planned_failure(std::uint64_t id) : std::runtime_error("launch " + std::to_string(id)) {}
};

/// What one launch does to the cells, for both ways to run it.
std::uint64_t gather(std::uint64_t id, std::initializer_list<std::uint64_t> seen) {
  std::uint64_t h = mix(id, 1);
  for(const auto s : seen)
    h = mix(h, s);
  return h;
}

/// Launches of their own, in a task.
std::uint64_t nested(executor& ex, std::uint64_t seed) {
  dice d(seed);
  std::array<cell, 3> cells, expected;
  flow f(ex, {.window = 1 + d.below(20)});
  {
    std::deque<region<cell>> r;
    for(auto& c : cells)
      r.emplace_back(f, c);
    const unsigned n = d.below(12);
    for(unsigned i = 0; i != n; ++i) {
      const unsigned a = d.below(3);
      const unsigned b = (a + 1 + d.below(2)) % 3;
      f.submit(
        [i](const cell& x, cell& y) {
          y.hash = gather(i, {x.hash, y.hash});
        },
        read(r[a]), write(r[b]));
      expected[b].hash = gather(i, {expected[a].hash, expected[b].hash});
    }
    f.wait();
  }
  for(unsigned i = 0; i != 3; ++i)
    if(cells[i].hash != expected[i].hash)
      throw std::logic_error("a nested flow has gone wrong");
  return mix(cells[0].hash, mix(cells[1].hash, cells[2].hash));
}

/// A message that is awaited all along: what workers know of long launches counts only beside such.
class awaited_message final : public poller {
public:
  explicit awaited_message(executor& ex) : ex_(ex) {
    ex_.attach(*this);
    want(ex_);
  }
  ~awaited_message() override {
    stop_wanting(ex_);
    ex_.detach(*this);
  }
  awaited_message(const awaited_message&) = delete;
  awaited_message& operator=(const awaited_message&) = delete;
  void poll() noexcept override {}

private:
  executor& ex_;
};

enum class lengths { all_short, some_long };

class program {
public:
  program(executor& ex, std::uint64_t seed, lengths how_long)
      : ex_(ex), are_some_long_(how_long == lengths::some_long), dice_(seed), hints_(~seed),
        cells_(1 + dice_.below(8)), expected_(cells_.size()),
        flow_(ex, {.window = dice_.one_in(2) ? 2 + dice_.below(30) : 4096}) {
    for(auto& c : cells_)
      regions_.emplace_back(flow_, c, "cell");
  }

  void run() {
    const unsigned launches = dice_.below(dice_.one_in(8) ? 400 : 60);
    // In few programs launches fail; then all after the first one count for nothing.
    const bool fails = dice_.one_in(6);
    for(unsigned i = 0; i != launches; ++i) {
      launch(i);
      if(fails && dice_.one_in(20))
        fail(i);
      if(dice_.one_in(25) && !failed_)
        look_at_one();
      if(dice_.one_in(60) && !failed_)
        settle();
    }
    if(failed_) {
      try {
        flow_.wait();
        FAIL("a failure was lost");
      }
      catch(const planned_failure& e) {
        if(std::string(e.what()) != planned_failure(*failed_).what())
          FAIL("expected the failure of " << *failed_ << ", got that of " << e.what());
      }
      // The flow begins anew.
      for(auto& c : cells_)
        c = {};
      for(auto& c : expected_)
        c = {};
      failed_.reset();
      values_.clear();
      launch(0);
    }
    settle();
  }

private:
  unsigned any() { return dice_.below(static_cast<unsigned>(cells_.size())); }
  /// A cell that differs from the others; less than `cells_.size()` are asked for.
  unsigned other(std::initializer_list<unsigned> taken) {
    for(unsigned i = any();; i = (i + 1) % cells_.size()) {
      bool is_free = true;
      for(const unsigned t : taken)
        is_free = is_free && t != i;
      if(is_free)
        return i;
    }
  }

  /// Some launches have hints. What they are is no part of the program.
  template<class F, class... A>
  auto submit(F f, const A&... args) {
    if(!are_some_long_)
      return submit_with_hints(f, args...);
    return submit_with_hints(
      [f, is_long = hints_.one_in(4)](auto&... values) {
        if(is_long)
          take_long();
        return f(values...);
      },
      args...);
  }
  template<class F, class... A>
  auto submit_with_hints(F f, const A&... args) {
    if(!hints_.one_in(3))
      return flow_.submit(f, args...);
    const auto p = static_cast<priority>(hints_.below(3));
    const int worker = hints_.one_in(2) ? -1 : static_cast<int>(hints_.below(4));
    return flow_.submit(hinted({.priority = p, .worker = worker}, f), args...);
  }

  void launch(std::uint64_t id) {
    auto& r = regions_;
    auto& e = expected_;
    const unsigned a = any();
    switch(dice_.below(cells_.size() >= 4 ? 10 : 5)) {
    case 0:
      submit([id](cell& x) { x.hash = gather(id, {x.hash}); }, write(r[a]));
      e[a].hash = gather(id, {e[a].hash});
      break;
    case 1:
      submit([id](cell& x) { x.hash += mix(id, 7); }, commute(r[a]));
      e[a].hash += mix(id, 7);
      break;
    case 2:
      submit([id](cell& x) { x.hash = mix(x.hash, id); }, reduce(r[a], fold_hashes{}));
      e[a].hash = mix(e[a].hash, mix(0, id));
      break;
    case 3: {
      values_.emplace_back(submit([](const cell& x) { return x.hash; }, read(r[a])), e[a].hash);
      break;
    }
    case 4:
      // Parts that several change at the same time, and in any order.
      submit(
        [id](cell& x) { std::atomic_ref(x.hash).fetch_add(mix(id, 9), std::memory_order_relaxed); },
        write_part(r[a]));
      e[a].hash += mix(id, 9);
      break;
    case 5: {
      const unsigned b = other({a});
      const unsigned c = other({a, b});
      submit(
        [id](const cell& x, cell& y, const cell& z) {
          y.hash = gather(id, {x.hash, y.hash, z.hash});
        },
        read(r[a]), write(r[b]), read(r[c]));
      e[b].hash = gather(id, {e[a].hash, e[b].hash, e[c].hash});
      break;
    }
    case 6: {
      const unsigned b = other({a});
      const unsigned c = other({a, b});
      submit(
        [id](cell& x, cell& y, const cell& z) {
          x.hash += mix(id, z.hash);
          y.hash += mix(id, ~z.hash);
        },
        commute(r[a]), commute(r[b]), read(r[c]));
      e[a].hash += mix(id, e[c].hash);
      e[b].hash += mix(id, ~e[c].hash);
      break;
    }
    case 7: {
      const unsigned b = other({a});
      const unsigned c = other({a, b});
      submit(
        [id](cell& x, const cell& y, cell& z) {
          x.hash = mix(x.hash, y.hash);
          z.hash = mix(z.hash, id);
        },
        reduce(r[a], fold_hashes{}), read(r[b]), reduce(r[c], fold_hashes{}));
      e[a].hash = mix(e[a].hash, mix(0, e[b].hash));
      e[c].hash = mix(e[c].hash, mix(0, id));
      break;
    }
    case 8: {
      if(values_.empty())
        break;
      const auto& [value, expected] = values_[dice_.below(static_cast<unsigned>(values_.size()))];
      submit(
        [id](cell& x, std::uint64_t v) {
          x.hash = gather(id, {x.hash, v});
        },
        write(r[a]), value);
      e[a].hash = gather(id, {e[a].hash, expected});
      break;
    }
    default: {
      const std::uint64_t seed = dice_.next();
      if(!dice_.one_in(4))
        break;
      submit([this, seed](cell& x) { x.hash = mix(x.hash, nested(ex_, seed)); }, write(r[a]));
      if(!failed_)
        e[a].hash = mix(e[a].hash, nested(ex_, seed));
      break;
    }
    }
  }

  void fail(std::uint64_t id) {
    flow_.submit([id](const cell&) { throw planned_failure(id); }, read(regions_[any()]));
    if(!failed_)
      failed_ = id;
  }

  void look_at_one() {
    const unsigned a = any();
    flow_.wait(regions_[a]);
    if(cells_[a].hash != expected_[a].hash)
      FAIL("cell " << a << " is wrong before the end");
  }

  void settle() {
    flow_.wait();
    for(std::size_t i = 0; i != cells_.size(); ++i)
      if(cells_[i].hash != expected_[i].hash)
        FAIL("cell " << i << " is wrong");
    for(const auto& [value, expected] : values_)
      if(!value.ready() || value.get() != expected)
        FAIL("a launch has returned something else");
    values_.clear();
  }

  executor& ex_;
  const bool are_some_long_;
  dice dice_, hints_;
  std::vector<cell> cells_, expected_;
  flow flow_;
  std::deque<region<cell>> regions_;
  std::vector<std::pair<future<std::uint64_t>, std::uint64_t>> values_;
  std::optional<std::uint64_t> failed_;
};

void run_seeds(unsigned workers, bool background, std::uint64_t first, std::uint64_t count) {
  if(const char* const one = std::getenv("RONDO_SEED")) {
    first = std::strtoull(one, nullptr, 10);
    count = 1;
  }
  executor ex(executor_options{.workers = workers, .background = background});
  for(std::uint64_t seed = first; seed != first + count; ++seed) {
    CAPTURE(seed, workers, background);
    program(ex, seed, lengths::all_short).run();
  }
}

// Sanitizers take ten times as long.
#if defined(RONDO_SANITIZED)
constexpr std::uint64_t share = 200;
#else
constexpr std::uint64_t share = 1250;
#endif

} // namespace

TEST_CASE("random programs have the results of their sequential execution") {
  unsigned round = 0;
  for(const unsigned workers : {1U, 2U, 3U, 8U})
    for(const bool background : {false, true})
      run_seeds(workers, background, share * round++, share);
}

TEST_CASE("random programs in which some launches take long, beside messages") {
  for(const unsigned workers : {1U, 2U, 3U}) {
    executor ex(workers);
    const awaited_message message(ex);
    for(std::uint64_t seed = 0; seed != share / 3; ++seed) {
      CAPTURE(seed, workers);
      program(ex, seed, lengths::some_long).run();
    }
  }
}
