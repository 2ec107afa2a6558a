#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/transports.hpp>

using namespace std::chrono_literals;
using Catch::Contains;
using rondo::parse_delay;

TEST_CASE("a delay is read with its units") {
  const auto d = parse_delay("latency=5us,bandwidth=1.5GB/s,jitter=0.5ms,seed=7");
  CHECK(d.latency == 5us);
  CHECK(d.bandwidth == 1.5e9);
  CHECK(d.jitter == 500us);
  CHECK(d.seed == 7);
  CHECK(parse_delay("latency=20ns").latency == 20ns);
  CHECK(parse_delay("bandwidth=2MiB/s").bandwidth == 2097152);
  CHECK(parse_delay("").latency == 0us);
}

TEST_CASE("a delay that can't be read is an error that says where and why") {
  CHECK_THROWS_WITH(parse_delay("latency=5"),
    "rondo: RONDO_DELAY: latency=5: expected one of these units behind the number: ns, us, ms, s");
  CHECK_THROWS_WITH(parse_delay("latency=fast"), Contains("latency=fast: expected a number"));
  CHECK_THROWS_WITH(parse_delay("latency=-1us"), Contains("not negative"));
  CHECK_THROWS_WITH(parse_delay("latency=1e9s"), Contains("an hour at the most"));
  CHECK_THROWS_WITH(parse_delay("latency=1us,bandwith=1GB/s"),
    Contains("bandwith=1GB/s: there is no such name") && Contains("did you mean bandwidth?"));
  CHECK_THROWS_WITH(parse_delay("bandwidth=1Gb"), Contains("GB/s"));
  CHECK_THROWS_WITH(parse_delay("bandwidth=0B/s"), Contains("more than 0"));
  CHECK_THROWS_WITH(parse_delay("seed=1.5"), Contains("a whole number"));
  CHECK_THROWS_WITH(parse_delay("latency"), Contains("name=value"));
  CHECK_THROWS_WITH(parse_delay("latency=1us,,seed=1"), Contains("an empty item"));
}

namespace {

using clock_type = std::chrono::steady_clock;

/// When each of `n` messages from rank 0 to rank 1 arrived, from the first start on, if they are
/// started at the same time.
std::vector<clock_type::duration> arrivals(
  rondo::delay_options options, std::size_t n, std::size_t size) {
  auto all = rondo::make_local_transports(2);
  auto from = rondo::make_delayed(std::move(all[0]), options);
  auto& to = *all[1];
  std::vector<std::byte> out(size);
  std::vector<std::byte> in(size);
  std::size_t arrived = 0;
  const auto count = [](void* self) { ++*static_cast<std::size_t*>(self); };
  const auto s = from->make_sender(1, 0, out, {count, &arrived});
  const auto r = to.make_receiver(0, 0, in, {count, &arrived});
  const auto begin = clock_type::now();
  for(std::size_t i = 0; i != n; ++i) {
    std::memset(out.data(), int(i), size);
    REQUIRE(s->start()); // it has a copy
    REQUIRE(from->is_sending());
  }
  std::vector<clock_type::duration> result;
  for(std::size_t i = 0; i != n; ++i) {
    if(!r->start())
      while(arrived == result.size()) {
        from->poll();
        to.poll();
      }
    else
      ++arrived;
    result.push_back(clock_type::now() - begin);
    CHECK((size == 0 || in.back() == std::byte(i)));
  }
  while(from->is_sending())
    from->poll();
  return result;
}

} // namespace

TEST_CASE("no message arrives before its latency is over") {
  CHECK(arrivals({.latency = 3ms}, 1, 8).front() >= 3ms);
}

TEST_CASE("messages share the bandwidth of their rank") {
  const auto times = arrivals({.bandwidth = 1e6}, 5, 1000);
  for(std::size_t i = 0; i != times.size(); ++i)
    CHECK(times[i] >= (long(i) + 1) * 1ms);
}

TEST_CASE("messages on one channel don't overtake each other, whatever the jitter") {
  arrivals({.jitter = 500us, .seed = 3}, 200, 1);
}

TEST_CASE("a sender may end before its message is sent") {
  auto all = rondo::make_local_transports(2);
  auto from = rondo::make_delayed(std::move(all[0]), {.latency = 1ms});
  int out = 42;
  int in = 0;
  bool arrived = false;
  const auto r = all[1]->make_receiver(0, 0, std::as_writable_bytes(std::span(&in, 1)),
    {[](void* self) { *static_cast<bool*>(self) = true; }, &arrived});
  CHECK_FALSE(r->start());
  CHECK(from->make_sender(1, 0, std::as_bytes(std::span(&out, 1)), {})->start());
  out = 0;
  from.reset(); // waits for what is held back
  while(!arrived)
    all[1]->poll();
  CHECK(in == 42);
}
