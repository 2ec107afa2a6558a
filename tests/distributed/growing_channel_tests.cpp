// Channels that grow by themselves: messages of any lengths arrive in order, on all transports, whichever end is ahead.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/growing_channel.hpp>
#include <rondo/rondo.hpp>
#include <rondo/tracing/later.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;
using detail::growing_channel_numbers;
using detail::growing_in;
using detail::growing_out;

namespace {

/// From nothing to a megabyte, with sanitizers a quarter of it; most are short.
std::size_t length_of(std::uint64_t seed, std::uint64_t n) {
  const std::uint64_t h = meshes::mix(seed, n);
  constexpr std::size_t longest = meshes::scaled(1 << 20, 1 << 18);
  constexpr std::size_t most[] = {1, 16, 1000, 1000, 20'000, 20'000, longest};
  return meshes::mix(h, 1) % (most[h % std::size(most)] + 1);
}
std::byte byte_of(std::uint64_t start, std::size_t k) {
  return static_cast<std::byte>((start >> (k % 8 * 8)) + k / 8);
}

class sender final : growing_out::user {
public:
  sender(scheduler& s, const detail::growing_channel_options& o, std::uint64_t seed)
      : channel_(o), seed_(seed), order_(s.launches(), *this, "messages out") {}
  void launch(flow& f, const std::source_location& where = std::source_location::current()) {
    f.submit(ends_later(
               "send", [](rondo::completion done, sender& all) { all.begin(done); }, where),
      write(order_, where));
  }

private:
  void begin(rondo::completion done) {
    waiting_ = done;
    channel_.begin(length_of(seed_, sent_), *this);
  }
  void has_room(std::byte* memory) override {
    const std::uint64_t start = meshes::mix(seed_, 1000 + sent_);
    for(std::size_t k = 0, n = length_of(seed_, sent_); k != n; ++k)
      memory[k] = byte_of(start, k);
    ++sent_;
    const rondo::completion done = std::exchange(waiting_, {}).value();
    channel_.send();
    done();
  }

  growing_out channel_;
  std::uint64_t seed_;
  std::uint64_t sent_ = 0;
  region<sender> order_;
  std::optional<rondo::completion> waiting_;
};

class receiver final : growing_in::user {
public:
  receiver(scheduler& s, const detail::growing_channel_options& o, std::uint64_t seed)
      : channel_(o), seed_(seed), order_(s.launches(), *this, "messages in") {}
  void launch(flow& f, const std::source_location& where = std::source_location::current()) {
    f.submit(ends_later(
               "receive", [](rondo::completion done, receiver& all) { all.begin(done); }, where),
      write(order_, where));
  }
  /// After all that was launched.
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t received() const { return received_; }

private:
  void begin(rondo::completion done) {
    waiting_ = done;
    channel_.begin(*this);
  }
  void has_come(std::span<const std::byte> message) override {
    const std::uint64_t start = meshes::mix(seed_, 1000 + received_);
    bool is_right = message.size() == length_of(seed_, received_);
    for(std::size_t k = 0; is_right && k != message.size(); ++k)
      is_right = message[k] == byte_of(start, k);
    wrong_ += is_right ? 0 : 1;
    ++received_;
    const rondo::completion done = std::exchange(waiting_, {}).value();
    channel_.end();
    done();
  }

  growing_in channel_;
  std::uint64_t seed_;
  std::uint64_t received_ = 0;
  std::uint64_t wrong_ = 0;
  region<receiver> order_;
  std::optional<rondo::completion> waiting_;
};

/// Two ranks send each other so many messages, several times with the same numbers of channels.
void exchange(scheduler& s, std::uint64_t seed, std::uint64_t messages) {
  for(std::uint64_t again = 0; again != 3; ++again) {
    growing_channel_numbers numbers(s);
    const detail::growing_channel_options o{
      s.messages(), numbers, 1 - s.rank(), 1 + meshes::mix(seed, again) % 5000};
    {
      const std::uint64_t here = meshes::mix(seed, 10 * again + s.rank());
      const std::uint64_t there = meshes::mix(seed, 10 * again + 1 - s.rank());
      sender out(s, o, here);
      receiver in(s, o, there);
      for(std::uint64_t n = 0; n != messages; ++n) {
        // One end may be ahead of the other one.
        const bool sends_first = meshes::mix(seed + s.rank(), n) % 2 == 0;
        if(sends_first)
          out.launch(s.launches());
        in.launch(s.launches());
        if(!sends_first)
          out.launch(s.launches());
        if(meshes::mix(seed, n) % 64 == s.rank())
          s.wait();
      }
      s.wait();
      expect(in.wrong() == 0);
      expect(in.received() == messages);
    }
  }
}

std::vector<std::unique_ptr<transport>> late(std::uint64_t seed) {
  auto all = make_local_transports(2);
  for(auto& t : all)
    t = make_delayed(std::move(t), {.latency = std::chrono::microseconds(10),
                                     .jitter = std::chrono::microseconds(100),
                                     .seed = seed++});
  return all;
}

} // namespace

TEST_CASE("messages of hashed lengths arrive in order while their channels grow") {
  const std::uint64_t seeds = std::max<std::uint64_t>(meshes::seeds_of(2), 1);
  for(std::uint64_t seed = 0; seed != seeds; ++seed)
    for(const unsigned workers : {1U, 2U}) {
      const auto program = [seed](scheduler& s) { exchange(s, seed, 120); };
      on_ranks(make_local_transports(2), workers, program);
      on_ranks(make_shared_memory_transports(2, 2), workers, program);
      on_ranks(make_shared_memory_transports(2, 1), workers, program);
      on_ranks(late(seed), workers, program);
    }
}

TEST_CASE("a channel that has been replaced as often as can be says so") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const growing_channel_numbers numbers(s);
    std::vector<std::uint32_t> all;
    for(std::size_t n = 0; n != growing_channel_numbers::most; ++n)
      all.push_back(numbers.of(n));
    std::ranges::sort(all);
    expect(std::ranges::adjacent_find(all) == all.end());
    expect(thrown_by([&] { static_cast<void>(numbers.of(growing_channel_numbers::most)); }) ==
           "rondo: a message between two ranks is too long; use more ranks");
  });
}
