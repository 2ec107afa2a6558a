// How long messages take: of timelines made by hand.

#include <cstdint>

#include <catch2/catch.hpp>

#include "costs/costs.hpp"
#include "report/made_runs.hpp"

using namespace rondo::simulate;
using made::run;

namespace {
/// From rank 0 to 1, in microseconds.
class messages {
public:
  messages& add(std::uint64_t bytes, double takes) {
    now_ += 1000;
    run_.message({0, 0}, now_, {1, 0}, now_ + takes, bytes);
    return *this;
  }
  message_times within_node() { return costs_of(run_.made()).within_node; }
  run& of() { return run_; }

private:
  run run_{2};
  double now_ = 0;
};
} // namespace

TEST_CASE("of each size the fastest message counts") {
  const message_times m = messages().add(100, 7).add(100, 5).add(300, 9).add(100, 6).within_node();
  CHECK(m.count == 4);
  CHECK(m.per_byte == Approx(20)); // 4 us for 200 bytes
  CHECK(m.latency == Approx(3'000));
}

TEST_CASE("of many messages, the very fastest ones do not count") {
  messages all;
  for(unsigned i = 0; i != 19; ++i)
    all.add(8, 19 - i);
  CHECK(all.within_node().latency == Approx(1'000));
  for(unsigned i = 19; i != 40; ++i)
    all.add(8, i + 1);
  CHECK(all.within_node().latency == Approx(2'000));
}

TEST_CASE("sizes of which there are many messages count more") {
  const message_times m = messages().add(0, 1).add(1, 3).add(1, 4).add(2, 2).within_node();
  CHECK(m.per_byte == Approx(500));
  CHECK(m.latency == Approx(1'750));
}

TEST_CASE("messages of one size say nothing of bytes") {
  const message_times m = messages().add(64, 3).add(64, 2).within_node();
  CHECK(m.per_byte == 0);
  CHECK(m.latency == Approx(2'000));
}

TEST_CASE("neither latency nor time per byte is negative") {
  const message_times less = messages().add(100, 5).add(100, 5).add(200, 2).within_node();
  CHECK(less.per_byte == 0);
  CHECK(less.latency == Approx(4'000));
  // Clocks make it look as if the first one had come before it was sent.
  const message_times more = messages().add(100, -3).add(200, 10).within_node();
  CHECK(more.latency == 0);
  CHECK(more.per_byte == Approx(40));
}

TEST_CASE("messages between hosts are others") {
  messages all;
  all.add(8, 2).of().message({0, 0}, 5000, {1, 0}, 5004, 8);
  CHECK(all.within_node().count == 2);
  all.of().made().ranks[1].host = "other";
  const costs c = costs_of(all.of().made());
  CHECK(c.within_node.count == 0);
  CHECK(c.between_nodes.count == 2);
  CHECK(c.between_nodes.latency == Approx(2'000));
}

TEST_CASE("messages that nobody has seen come or go do not count") {
  messages all;
  all.add(8, 2).add(8, 1);
  auto& ranks = all.of().made().ranks;
  ranks[0].lanes[0].messages.erase(ranks[0].lanes[0].messages.begin() + 1);
  CHECK(all.within_node().count == 1);
  CHECK(all.within_node().latency == Approx(2'000));
  ranks.pop_back();
  CHECK(all.within_node().count == 0);
}
