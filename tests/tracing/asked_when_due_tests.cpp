// A launch that may be ready is asked whether it is when its turn has come and it is to run, and at no other time: it may do a part of its
// work when it is asked, as messages do that are sent and received by one launch.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/tracing/later.hpp>

#include "numbered_mail.hpp"
#include "take_long.hpp"

using namespace rondo;

namespace {

/// In each pass a launch prepares something, one swaps it for a message, which may be a while, and one uses that.
struct swapping {
  numbered_mail* mail;
  std::atomic<long> prepared{0};
  std::atomic<long> used{0};
  std::atomic<bool> has_begun{false}; ///< It finds out by itself, until it is used.
  std::atomic<long> asked_early{0};

  bool is_due() {
    // All are atomic for those who ask too early.
    const bool due = prepared.load() == used.load() + 1 && !has_begun.load();
    asked_early += due ? 0 : 1;
    return due;
  }
};

struct swap_mail {
  using may_be_ready = void;
  void operator()(completion done, swapping& s) const {
    s.is_due();
    s.has_begun = true;
    s.mail->ask(done);
  }
  bool is_ready(swapping& s) const { return s.is_due() && s.mail->is_there(); }
  void now(swapping& /*s*/) const {}
};

class program {
public:
  /// Messages take longer than anybody waits for them before a long launch, or come at once.
  program(flow& f, bool is_late)
      : f_(f), mail_(f.home(), is_late ? 300'000 : 0), swapping_{&mail_} {
    for(long& b : busy_)
      regions_.emplace_back(f, b, "busy");
  }

  /// Long launches lie between the short ones, so that crews part with some of these before they run one.
  void pass() {
    launch_long(0);
    f_.submit(named("prepare", [](swapping& s) { ++s.prepared; }), write(swap_));
    f_.submit(ends_later("swap", swap_mail()), write(swap_));
    launch_long(1);
    f_.submit(named("use",
                [](swapping& s) {
                  s.mail->take();
                  s.has_begun = false;
                  ++s.used;
                }),
      write(swap_));
    launch_long(2);
  }
  future<bool> has_ended(long after) {
    return f_.submit([after](swapping& s) { return s.used.load() >= after; }, write(swap_));
  }

  void check(long passes) {
    f_.wait();
    CHECK(swapping_.prepared == passes);
    CHECK(swapping_.used == passes);
    CHECK(swapping_.asked_early == 0);
  }

private:
  void launch_long(std::size_t which) {
    f_.submit(named("long",
                [](long& b) {
                  take_long();
                  ++b;
                }),
      write(regions_[which]));
  }

  flow& f_;
  numbered_mail mail_;
  swapping swapping_;
  std::array<long, 3> busy_{};
  region<swapping> swap_{f_, swapping_, "swap"};
  std::deque<region<long>> regions_;
};

} // namespace

TEST_CASE("a launch that may be ready is asked when it is due") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const std::string way = GENERATE("untraced", "found", "traced", "repeated", "repeated 3 times");
  const bool is_late = GENERATE(false, true);
  CAPTURE(workers, way, is_late);
  executor ex(workers);
  flow f(ex, {.find_repeats = way == "found"});
  program p(f, is_late);
  constexpr long passes = 60;
  if(way == "repeated")
    f.repeat(passes, [&] { p.pass(); });
  else if(way == "repeated 3 times")
    for(int i = 0; i != 3; ++i)
      f.repeat(passes / 3, [&] { p.pass(); });
  else {
    trace t;
    for(long i = 0; i != passes; ++i)
      if(way == "traced") {
        const auto g = t.make_guard();
        p.pass();
      }
      else
        p.pass();
  }
  p.check(passes);
}

TEST_CASE("a launch that may be ready is not asked in passes in vain") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const bool is_loop = GENERATE(false, true);
  const bool is_late = GENERATE(false, true);
  CAPTURE(workers, is_loop, is_late);
  executor ex(workers);
  flow f(ex);
  program p(f, is_late);
  long ran = 0;
  for(int i = 0; i != 4; ++i) {
    ran += 12;
    f.iterate(
      [&](std::uint64_t) {
        if(is_loop)
          f.repeat(3, [&] { p.pass(); });
        else
          p.pass();
        return p.has_ended(ran);
      },
      {.max = 40});
  }
  p.check(ran);
}
