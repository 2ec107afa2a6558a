// A channel by itself: what is sent arrives in order, whichever end is ahead, and is counted.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/transports.hpp>

using namespace rondo;
using detail::channel_in;
using detail::channel_out;
using detail::message_poller;

namespace {

struct user final : detail::channel_user {
  void channel_is_ready(std::byte* there) override { memory = there; }
  std::byte* memory = nullptr;
};

/// Two ranks in one thread.
class pair_of_ranks {
public:
  explicit pair_of_ranks(bool through_memory, std::size_t bytes = sizeof(std::uint64_t))
      : all_(through_memory ? make_shared_memory_transports(2, 2) : make_local_transports(2)) {
    out_.emplace(from_, 1, 0, bytes);
    in_.emplace(to_, 0, 0, bytes);
  }

  /// Returns false if both messages are under way.
  bool try_send(std::uint64_t value) {
    if(!out_->is_ready())
      return false;
    std::memcpy(out_->memory(), &value, sizeof value);
    out_->send();
    return true;
  }
  std::optional<std::uint64_t> try_receive() {
    if(!in_->is_ready())
      return std::nullopt;
    return take(in_->memory());
  }
  /// Called when it is there.
  std::uint64_t receive() {
    user u;
    std::byte* there = in_->begin(u);
    for(; there == nullptr; there = u.memory)
      poll();
    return take(there);
  }
  void poll() {
    from_.poll();
    to_.poll();
  }
  [[nodiscard]] message_poller::traffic sent() const { return from_.sent(); }
  void end_sending() { out_.reset(); }
  void begin_sending(std::size_t bytes) { out_.emplace(from_, 1, 0, bytes); }

private:
  std::uint64_t take(const std::byte* there) {
    std::uint64_t value = 0;
    std::memcpy(&value, there, sizeof value);
    in_->end();
    return value;
  }

  std::vector<std::unique_ptr<transport>> all_;
  executor on_one_{1};
  executor on_other_{1};
  message_poller from_{on_one_, *all_[0]};
  message_poller to_{on_other_, *all_[1]};
  std::optional<channel_out> out_;
  std::optional<channel_in> in_;
};

} // namespace

TEST_CASE("messages of a channel arrive in order, whether they are waited for or come early") {
  const bool through_memory = GENERATE(false, true);
  // So many are sent at most before one is read. With two, no receive is ever waited for.
  const std::uint64_t ahead = GENERATE(1, 2, 3);
  const bool waits = GENERATE(false, true);
  // The longer ones are packed in memory of both ranks, where there is any. Elsewhere the longest ones have one buffer at each end.
  const std::size_t bytes = GENERATE(sizeof(std::uint64_t), 1000, 3000);
  CAPTURE(through_memory, ahead, waits, bytes);
  pair_of_ranks ranks(through_memory, bytes);
  constexpr std::uint64_t all = 100;
  std::uint64_t sent = 0;
  for(std::uint64_t read = 0; read != all;) {
    for(unsigned tries = 0; sent != all && sent - read != ahead && tries != 10; ++tries) {
      if(ranks.try_send(sent))
        ++sent;
      ranks.poll();
    }
    if(waits)
      REQUIRE(ranks.receive() == read++);
    else if(const auto value = ranks.try_receive())
      REQUIRE(*value == read++);
  }
  CHECK_FALSE(ranks.try_receive());
  CHECK(ranks.sent().messages == all);
  CHECK(ranks.sent().bytes == all * bytes);
  ranks.end_sending();
  CHECK(ranks.sent().messages == all); // what ends that are gone have sent counts, too
}

TEST_CASE("messages of a channel are as long as they were sent, up to its capacity") {
  const bool through_memory = GENERATE(false, true);
  const auto all = through_memory ? make_shared_memory_transports(2, 2) : make_local_transports(2);
  executor on_one(1);
  executor on_other(1);
  message_poller from(on_one, *all[0]);
  message_poller to(on_other, *all[1]);
  constexpr std::size_t capacity = 5000;
  channel_in in(to, 0, 0, capacity, channel_in::lengths::up_to_capacity);
  std::size_t bytes = 0;
  {
    channel_out out(from, 1, 0, capacity);
    CHECK(out.capacity() == capacity);
    std::size_t lengths[100];
    std::size_t sent = 0;
    for(std::size_t read = 0; read != 100;) {
      for(; sent != 100 && sent - read != 2 && out.is_ready(); ++sent) {
        lengths[sent] = sent * 7919 % (capacity + 1);
        std::memset(out.memory(), static_cast<int>(sent), lengths[sent]);
        out.send(lengths[sent]);
        bytes += lengths[sent];
      }
      from.poll();
      to.poll();
      if(!in.is_ready())
        continue;
      REQUIRE(in.length() == lengths[read]);
      for(std::size_t i = 0; i != in.length(); ++i)
        REQUIRE(in.memory()[i] == static_cast<std::byte>(read));
      in.end();
      ++read;
    }
    CHECK(from.sent().bytes == bytes);
  }
  CHECK(from.sent().messages == 100);
  CHECK(from.sent().bytes == bytes);
}

TEST_CASE("a channel through memory of both ranks has two buffers: what is packed in one is "
          "unpacked there") {
  constexpr std::size_t bytes = 1000;
  const auto all = make_shared_memory_transports(2, 2);
  executor on_one(1);
  executor on_other(1);
  message_poller from(on_one, *all[0]);
  message_poller to(on_other, *all[1]);
  channel_out out(from, 1, 0, bytes);
  channel_in in(to, 0, 0, bytes);
  const auto receive = [&] {
    to.poll();
    REQUIRE(in.is_ready());
    return in.memory();
  };
  const auto fill_and_send = [&](int value) {
    REQUIRE(out.is_ready());
    std::byte* const there = out.memory();
    std::memset(there, value, bytes);
    out.send();
    return there;
  };
  std::byte* const first = fill_and_send(1);
  std::byte* const second = fill_and_send(2);
  CHECK(first != second);
  // It is read where it is, and not written to before.
  CHECK_FALSE(out.is_ready());
  CHECK(std::to_integer<int>(receive()[0]) == 1);
  from.poll();
  CHECK_FALSE(out.is_ready());
  in.end();
  from.poll();
  CHECK(fill_and_send(3) == first);
  CHECK(std::to_integer<int>(receive()[bytes - 1]) == 2);
  in.end();
  CHECK(std::to_integer<int>(receive()[bytes - 1]) == 3);
  in.end();
}

TEST_CASE("what an end that is gone has sent is whole, whatever was sent since") {
  constexpr std::size_t bytes = 1000;
  pair_of_ranks ranks(true, bytes);
  REQUIRE(ranks.try_send(1));
  REQUIRE(ranks.try_send(2));
  for(std::uint64_t sent = 3; sent != 21; sent += 2) {
    ranks.end_sending();
    ranks.begin_sending(bytes);
    REQUIRE(ranks.try_send(sent));
    REQUIRE(ranks.try_send(sent + 1));
  }
  for(std::uint64_t read = 1; read != 21; ++read)
    REQUIRE(ranks.receive() == read);
}
