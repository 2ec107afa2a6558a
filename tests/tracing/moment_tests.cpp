// A worker that is alone waits a moment for a message, where nothing else can run: docs/protocols/poller.md

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/later.hpp>

using namespace rondo;

namespace {

/// A message is there when somebody has looked for it so many times, or at once if nobody looks for it in particular.
class letter final : public poller {
public:
  letter(executor& ex, unsigned looks) : ex_(ex), most_(looks) { ex.attach(*this); }
  ~letter() override { ex_.detach(*this); }

  void ask(completion done) {
    asked_ = done;
    left_ = most_;
    want(ex_);
  }
  void poll() noexcept override {
    if(asked_.has_value() && (left_ == 0 || --left_ == 0))
      bring();
  }
  void poll_patiently() noexcept override {
    ++patient_looks;
    if(ran_at_first_patient_look == nothing)
      ran_at_first_patient_look = ran;
    poll();
  }

  static constexpr std::size_t nothing = ~std::size_t{0};
  std::size_t ran = 0; ///< Other launches.
  std::size_t ran_at_first_patient_look = nothing;
  std::size_t patient_looks = 0;

private:
  void bring() {
    stop_wanting(ex_);
    const completion done = *std::exchange(asked_, std::nullopt);
    done();
  }

  executor& ex_;
  unsigned most_;
  unsigned left_ = 0;
  std::optional<completion> asked_;
};

} // namespace

TEST_CASE("a chain of messages that come soon goes on without a launch that waits by itself") {
  const unsigned looks = GENERATE(1U, 3U, 20U);
  CAPTURE(looks);
  executor ex({.workers = 1, .shares_cores = false});
  letter post(ex, looks);
  flow f(ex, {.find_repeats = false});
  std::uint64_t value = 1;
  region chain(f, value, "chain");
  constexpr unsigned links = 500;
  for(unsigned i = 0; i != links; ++i) {
    f.submit(ends_later("receive", [&post](completion done, std::uint64_t&) { post.ask(done); }),
      write(chain));
    f.submit(named("link", [i](std::uint64_t& v) { v = v * 3 + i; }), write(chain));
  }
  f.wait();
  std::uint64_t expected = 1;
  for(unsigned i = 0; i != links; ++i)
    expected = expected * 3 + i;
  CHECK(value == expected);
  CHECK(post.patient_looks != 0);
}

TEST_CASE("what can run meanwhile is run before a worker waits for a message") {
  executor ex({.workers = 1, .shares_cores = false});
  letter post(ex, 1'000'000'000); // never comes by looks
  flow f(ex, {.find_repeats = false});
  constexpr std::size_t others = 6;
  int value = 0;
  region chain(f, value, "chain");
  std::array<int, others> works{};
  std::deque<region<int>> regions;
  for(int& w : works)
    regions.emplace_back(f, w, "work");
  std::optional<completion> asked;
  f.submit(ends_later("receive",
             [&](completion done, int&) {
               asked = done;
               poller::want(ex);
             }),
    write(chain));
  f.submit(named("link", [](int& v) { ++v; }), write(chain));
  for(region<int>& r : regions)
    f.submit(named("work",
               [&post](int& w) {
                 ++w;
                 ++post.ran;
               }),
      write(r));
  // The last one sends what is waited for.
  f.submit(named("send",
             [&](const int&) {
               poller::stop_wanting(ex);
               (*asked)();
             }),
    read(regions.back()));
  f.wait();
  CHECK(value == 1);
  CHECK(post.ran == others);
  CHECK((
    post.ran_at_first_patient_look == letter::nothing || post.ran_at_first_patient_look == others));
}

TEST_CASE("a launch that fails at once or later is not waited for any longer") {
  const bool is_told = GENERATE(false, true);
  CAPTURE(is_told);
  executor ex({.workers = 1, .shares_cores = false});
  letter post(ex, 2);
  flow f(ex, {.find_repeats = false});
  int value = 0;
  region chain(f, value, "chain");
  f.submit(ends_later("receive",
             [&](completion done, int&) {
               if(!is_told)
                 throw std::runtime_error("not there");
               post.ask(done);
             }),
    write(chain));
  f.submit(named("link",
             [](int& v) {
               ++v;
               throw std::runtime_error("not there");
             }),
    write(chain));
  CHECK_THROWS_AS(f.wait(), std::runtime_error);
  CHECK(value == (is_told ? 1 : 0));
}

TEST_CASE("other work of the executor has its turn between launches that wait for each other") {
  executor ex({.workers = 1, .shares_cores = false});
  letter post(ex, 2);
  flow f(ex, {.find_repeats = false});
  int value = 0;
  region chain(f, value, "chain");
  int others = 0;
  for(int i = 0; i != 200; ++i) {
    f.submit(
      ends_later("receive", [&post](completion done, int&) { post.ask(done); }), write(chain));
    f.submit(named("link",
               [&](int& v) {
                 ++v;
                 ex.submit([&others] { ++others; });
               }),
      write(chain));
  }
  f.wait();
  ex.wait();
  CHECK(value == 200);
  CHECK(others == 200);
}
