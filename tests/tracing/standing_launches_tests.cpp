// Launches of a trace that stand where they are, pass after pass: they are run again, with what the next pass says.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "futures/deadlock.hpp"
#include "futures/support.hpp"
#include "random_programs.hpp"

using namespace rondo;
using random_programs::mix;

namespace {

/// Values that are made anew, from themselves and what a pass says; in lanes, unless workers share cores.
class values {
public:
  explicit values(
    std::size_t width, unsigned workers = 2, std::size_t window = 4096, bool shares_cores = false)
      : ex_(executor_options{.workers = workers, .shares_cores = shares_cores}),
        f_(ex_, {.window = window}), all_(width, 1) {
    for(std::uint64_t& v : all_)
      regions_.emplace_back(f_, v);
  }

  /// `launch(region, i, pass)` for each of them.
  template<class Launch>
  void replay(std::uint64_t first, std::uint64_t end, Launch&& launch) {
    for(std::uint64_t pass = first; pass != end; ++pass) {
      const auto guard = t_->make_guard(f_);
      for(std::size_t i = 0; i != regions_.size(); ++i)
        launch(regions_[i], i, pass);
    }
  }
  template<class Launch>
  std::vector<std::uint64_t> replay(std::uint64_t passes, Launch&& launch) {
    replay(0, passes, launch);
    f_.wait();
    return all_;
  }
  [[nodiscard]] bool has_lanes() const { return t_->text().find("lanes") != std::string::npos; }
  void drop_trace() { t_ = std::make_unique<trace>("again"); }

  rondo::flow& flow() { return f_; }
  executor& home() { return ex_; }
  region<std::uint64_t>& operator[](std::size_t i) { return regions_[i]; }
  /// After a wait.
  [[nodiscard]] std::uint64_t value(std::size_t i) const { return all_[i]; }

private:
  executor ex_;
  rondo::flow f_;
  std::vector<std::uint64_t> all_;
  std::deque<region<std::uint64_t>> regions_;
  std::unique_ptr<trace> t_ = std::make_unique<trace>("values");
};

/// What is launched for one of them: the same in all passes, another one now and then, or in each.
std::uint64_t said(std::size_t i, std::uint64_t pass) {
  switch(i % 4) {
  case 0:
    return i;
  case 1:
    return pass / 7;
  case 2:
    return pass;
  default:
    return pass % 2;
  }
}

struct counts_itself {
  std::uint64_t calls = 0;
  void operator()(std::uint64_t& x) { x += ++calls; }
};
struct counts_in_secret {
  mutable std::uint64_t calls = 0;
  void operator()(std::uint64_t& x) const { x += ++calls; }
};

} // namespace

TEST_CASE("a launch has the values of its pass, wherever the one of the pass before stood") {
  const unsigned workers = GENERATE(2U, 4U);
  const std::size_t window = GENERATE(64U, 4096U);
  const bool is_captured = GENERATE(true, false);
  const bool shares_cores = GENERATE(true, false);
  CAPTURE(workers, window, is_captured, shares_cores);
  constexpr std::size_t width = 12;
  constexpr std::uint64_t passes = 1000;
  values all(width, workers, window, shares_cores);
  const auto result = all.replay(passes, [&](auto& r, std::size_t i, std::uint64_t pass) {
    const std::uint64_t what = said(i, pass);
    if(is_captured)
      all.flow().submit([what](std::uint64_t& x) { x = mix(x, what); }, write(r));
    else
      all.flow().submit([](std::uint64_t& x, std::uint64_t given, short) { x = mix(x, given); },
        write(r), what, static_cast<short>(i));
  });
  std::vector<std::uint64_t> expected(width, 1);
  for(std::uint64_t pass = 0; pass != passes; ++pass)
    for(std::size_t i = 0; i != width; ++i)
      expected[i] = mix(expected[i], said(i, pass));
  CHECK(result == expected);
  CHECK(all.has_lanes() == !shares_cores);
}

TEST_CASE("a function or a value that a launch changes is the program's again in the next pass") {
  values all(8);
  const auto result = all.replay(100, [&](auto& r, std::size_t i, std::uint64_t) {
    if(i % 4 == 0)
      all.flow().submit(counts_itself{}, write(r));
    else if(i % 4 == 1)
      all.flow().submit(counts_in_secret{}, write(r));
    else if(i % 4 == 2)
      all.flow().submit(
        [](std::uint64_t& x, std::uint64_t&& one) { x += one++; }, write(r), std::uint64_t{1});
    else
      all.flow().submit([](std::uint64_t& x) { ++x; }, write(r));
  });
  CHECK(result == std::vector<std::uint64_t>(8, 101));
  CHECK(all.has_lanes());
}

TEST_CASE("launches of one type with other names in other passes go by those of their pass") {
  std::atomic<int> wrong{0};
  values all(8);
  all.replay(500, [&](auto& r, std::size_t i, std::uint64_t pass) {
    const char* const name = (pass / 3 + i) % 2 == 0 ? "first" : "second";
    const auto check = [&wrong, name](std::uint64_t& x) {
      ++x;
      if(std::strcmp(detail::current_task()->name(), name) != 0)
        ++wrong;
    };
    all.flow().submit(named(name, check), write(r));
  });
  CHECK(wrong == 0);
}

TEST_CASE("after a launch that fails, those that stand are skipped, and run in later passes") {
  constexpr std::uint64_t passes = 300;
  values all(8);
  const auto fails_in = [&](std::uint64_t which) {
    return [&all, which](auto& r, std::size_t i, std::uint64_t pass) {
      const bool fails = pass == which && i == 5;
      all.flow().submit(
        [fails](std::uint64_t& x) {
          if(fails)
            throw std::runtime_error("fails");
          ++x;
        },
        write(r));
    };
  };
  CHECK_THROWS_WITH(all.replay(passes, fails_in(200)), "fails");
  const auto result = all.replay(passes, fails_in(passes));
  // Other values may have been ahead, or behind.
  CHECK(result[5] == 1 + 200 + passes);
  for(const std::uint64_t v : result) {
    CHECK(v >= 1 + passes + 200);
    CHECK(v <= 1 + 2 * passes);
  }
}

TEST_CASE("launches that wait, and leave their stacks, stand as well") {
  const unsigned workers = GENERATE(2U, 4U);
  const bool shares_cores = GENERATE(true, false);
  constexpr std::uint64_t passes = 400;
  values all(6, workers, 128, shares_cores);
  executor& ex = all.home();
  const auto result = all.replay(passes, [&](auto& r, std::size_t i, std::uint64_t) {
    all.flow().submit(
      [&ex](std::uint64_t& x, const std::uint64_t& other) {
        x = mix(x, 3 * other);
        if(x % 8 == 0)
          async(ex, [] {}).get();
      },
      write(r), read(all[(i + 1) % 6]));
  });
  std::vector<std::uint64_t> expected(6, 1);
  for(std::uint64_t pass = 0; pass != passes; ++pass)
    for(std::size_t i = 0; i != 6; ++i)
      expected[i] = mix(expected[i], 3 * expected[(i + 1) % 6]);
  CHECK(result == expected);
}

TEST_CASE("launches in passes of iterate stand, and those in vain do not run") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const bool shares_cores = GENERATE(true, false);
  const std::uint64_t lag = GENERATE(0U, 3U);
  const bool is_nested = GENERATE(true, false);
  CAPTURE(workers, shares_cores, lag, is_nested);
  constexpr std::size_t width = 10;
  values all(width, workers, 4096, shares_cores);
  flow& f = all.flow();
  std::vector<std::uint64_t> expected(width, 1);
  const auto loop = [&](std::uint64_t last) {
    return f.iterate(
      [&, last](std::uint64_t pass) {
        for(std::size_t i = 0; i != width; ++i) {
          const std::uint64_t what = i == 3 ? pass / 40 : i;
          f.submit([what](std::uint64_t& x, const std::uint64_t& y) { x = mix(x, y + what); },
            write(all[i]), read(all[(i + 1) % width]));
        }
        return f.submit([pass, last](const std::uint64_t&) { return pass == last; }, read(all[0]));
      },
      {.max = 10'000, .lag = lag});
  };
  const auto by_hand = [&](std::uint64_t last) {
    for(std::uint64_t pass = 0; pass != last + lag + 1; ++pass)
      for(std::size_t i = 0; i != width; ++i)
        expected[i] = mix(expected[i], expected[(i + 1) % width] + (i == 3 ? pass / 40 : i));
  };
  if(is_nested) {
    f.iterate(
      [&](std::uint64_t outer) {
        loop(100);
        return f.submit([outer](const std::uint64_t&) { return outer == 4; }, read(all[1]));
      },
      {.max = 100});
    for(int outer = 0; outer != 5; ++outer)
      by_hand(100);
  }
  else
    for(const std::uint64_t last : {500U, 300U, 0U, 200U}) {
      loop(last);
      by_hand(last);
    }
  f.wait();
  for(std::size_t i = 0; i != width; ++i)
    CHECK(all.value(i) == expected[i]);
}

TEST_CASE("launches whose accesses are data stand, if they neither fold nor lock") {
  const bool commutes = GENERATE(false, true);
  const bool shares_cores = GENERATE(false, true);
  constexpr std::size_t width = 8;
  values all(width, 2, 4096, shares_cores);
  flow& f = all.flow();
  const auto result = all.replay(600, [&](auto& r, std::size_t i, std::uint64_t pass) {
    std::vector<region_access> list{read(all[(i + 1) % width])};
    list.push_back(commutes ? region_access(commute(all[(i + 3) % width]))
                            : region_access(read(all[(i + 3) % width])));
    const std::uint64_t what = pass / 50;
    f.submit(
      [what](std::uint64_t& x, std::size_t at) { x = mix(x, what + at); }, write(r), list, i);
  });
  std::vector<std::uint64_t> expected(width, 1);
  for(std::uint64_t pass = 0; pass != 600; ++pass)
    for(std::size_t i = 0; i != width; ++i)
      expected[i] = mix(expected[i], pass / 50 + i);
  CHECK(result == expected);
}

TEST_CASE("a chain of launches that stand has the order of the program") {
  const unsigned workers = GENERATE(2U, 3U);
  values all(1, workers);
  flow& f = all.flow();
  std::uint64_t expected = 1;
  for(std::uint64_t pass = 0; pass != 3000; ++pass)
    for(std::uint64_t i = 0; i != 8; ++i) {
      const std::uint64_t what = i == 5 ? pass / 100 : i;
      f.submit([what](std::uint64_t& x) { x = mix(x, what); }, write(all[0]));
      expected = mix(expected, what);
    }
  f.wait();
  CHECK(all.value(0) == expected);
  CHECK(f.repeats().passes > 0);
}

TEST_CASE("what stood may be gone before the batch that it was launched in is full") {
  if(!is_alone())
    return;
  values all(4);
  const auto add = [&](auto& r, std::size_t, std::uint64_t) {
    all.flow().submit([](std::uint64_t& x) { ++x; }, write(r));
  };
  all.replay(0, 101, add); // 404 launches: the last batch has 20 of them
  all.drop_trace();
  all.flow().wait();
  promise<std::uint64_t> p(all.home());
  const future<std::uint64_t> never = p.get_future();
  all.flow().submit([](std::uint64_t& x, std::uint64_t from) { x = from; }, write(all[0]), never);
  // All launches of that batch are looked at for one that waits.
  CHECK(report_of([&] { all.flow().wait(); }).find("the oldest is ") != std::string::npos);
  p.set_value(3);
}
