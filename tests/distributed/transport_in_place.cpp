// Messages that are read where they were written, and ones that are looked for when they are asked for.

#include <array>
#include <cstring>

#include "transport_tools.hpp"

namespace transport_suite {

namespace {

/// Where the transport has memory for messages; elsewhere with memory of their own.
class message_end {
public:
  message_end(transport& t, bool sends, bool is_in_place, std::uint32_t channel, std::size_t most,
    transport::completion done)
      : own_(most) {
    if(is_in_place)
      is_ = sends ? t.make_sender_in_place(next(t), channel, most, done)
                  : t.make_receiver_in_place(previous(t), channel, most, done);
    if(is_ == nullptr)
      is_ = sends ? t.make_sender(next(t), channel, bytes(own_), done)
                  : t.make_receiver(previous(t), channel, bytes(own_), done);
    else
      has_own_ = false;
  }
  [[nodiscard]] std::byte* memory() const { return has_own_ ? own_.data() : is_->memory(); }
  [[nodiscard]] const message& is() const { return is_; }

private:
  mutable std::vector<std::byte> own_;
  bool has_own_ = true;
  message is_;
};

/// Early and late, of several lengths, with each kind of end at both sides.
void sends_in_place(transport& t, bool at_sender, bool at_receiver) {
  constexpr std::size_t most = 40'000;
  constexpr int all = 12;
  const auto out = pattern(most, t.rank());
  const auto expected = pattern(most, previous(t));
  counter sent;
  counter received;
  const message_end s(t, true, at_sender, 17, most, sent.done());
  const message_end r(t, false, at_receiver, 17, most, received.done());
  r.is()->take_shorter();
  int due = 0;
  bool is_to_be_asked = false;
  const auto wait_for_memory = [&] {
    if(is_to_be_asked && !s.is()->reclaim())
      ++due;
    poll_until(t, sent, due);
  };
  for(int n = 0; n != all; ++n) {
    const std::size_t length = n % 3 == 2 ? most : std::size_t(n) * 100;
    const bool is_late = n % 2 != 0;
    if(!is_late)
      received.start(r.is()); // and says that the one before has been read
    wait_for_memory();
    std::memcpy(s.memory(), out.data(), length);
    s.is()->set_length(length);
    is_to_be_asked = s.is()->start();
    if(!is_to_be_asked)
      ++due;
    if(is_late) {
      for(int k = 0; k != n; ++k)
        t.poll();
      received.start(r.is());
    }
    poll_until(t, received, n + 1);
    require(r.is()->length() == length, "the length that was sent");
    require(length == 0 || std::memcmp(r.memory(), expected.data(), length) == 0, "every byte");
    if(!is_late)
      r.is()->give_back();
  }
  r.is()->give_back();
  wait_for_memory();
}

} // namespace

void sends_in_place(transport& t) {
  for(const bool at_sender : {true, false})
    for(const bool at_receiver : {true, false}) {
      sends_in_place(t, at_sender, at_receiver);
      t.meet(); // before the channel's next receiver
    }
}

/// Some are asked for when they have come, some before, and some are given up before they were asked for.
void looks_when_asked(transport& t) {
  constexpr int n = 40;
  std::vector<std::array<int, 100>> out(n);
  std::vector<std::array<int, 100>> in(n);
  std::vector<message> senders;
  std::vector<message> receivers;
  counter sent;
  std::vector<counter> come(n);
  for(std::size_t i = 0; i != n; ++i) {
    out[i].fill(value(t.rank(), int(i)));
    senders.push_back(t.make_sender(next(t), std::uint32_t(i), bytes(out[i]), sent.done()));
    receivers.push_back(
      t.make_receiver(previous(t), std::uint32_t(i), bytes(in[i]), come[i].done()));
    receivers[i]->look_when_asked();
  }
  const auto ask = [&](std::size_t i, int expected) {
    if(come[i].n != expected && receivers[i]->ask())
      come[i].n.fetch_add(1);
  };
  for(std::size_t i = 0; i != n; ++i) {
    come[i].start(receivers[i]);
    if(i % 3 == 0)
      ask(i, 1);
  }
  int due = 0;
  for(std::size_t i = 0; i != n; ++i)
    if(i % 3 != 2) {
      sent.start(senders[i]);
      ++due;
    }
  poll_until(t, sent, due);
  t.meet();
  for(std::size_t i = 0; i != n; ++i) {
    if(i % 3 == 1)
      ask(i, 1);
    if(i % 3 == 2)
      require(receivers[i]->give_up(), "that it was under way");
    else
      poll_until(t, come[i], 1);
  }
  t.meet(); // what is sent now is not for those that are given up
  // They are as good as others for the next one.
  for(std::size_t i = 0; i != n; ++i) {
    const int expected = i % 3 == 2 ? 1 : 2;
    come[i].start(receivers[i]);
    sent.start(senders[i]);
    ++due;
    ask(i, expected);
    poll_until(t, come[i], expected);
    require(in[i][99] == value(previous(t), int(i)), "the value");
  }
  poll_until(t, sent, due);
}

} // namespace transport_suite
