#include "transport_suite.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sched.h>

#include "transport_tools.hpp"

using namespace transport_suite;

namespace {

#if defined(RONDO_SANITIZED)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

void keeps_order(transport& t) {
  constexpr int n = 100;
  std::array<int, n> out{};
  std::array<int, n> in{};
  std::vector<message> senders;
  std::vector<message> receivers;
  counter c;
  for(int i = 0; i != n; ++i) {
    out[std::size_t(i)] = value(t.rank(), i);
    senders.push_back(t.make_sender(next(t), 3, bytes(out[std::size_t(i)]), c.done()));
    receivers.push_back(t.make_receiver(previous(t), 3, bytes(in[std::size_t(i)]), c.done()));
  }
  for(int i = 0; i != n; ++i) { // in all mixtures of early and late
    if(i % 3 != 0)
      c.start(receivers[std::size_t(i)]);
    c.start(senders[std::size_t(i)]);
    if(i % 3 == 0)
      c.start(receivers[std::size_t(i)]);
    if(i % 7 == 0)
      t.poll();
  }
  poll_until(t, c, 2 * n);
  for(int i = 0; i != n; ++i)
    require(in[std::size_t(i)] == value(previous(t), i), "the order");
}

void holds_early_messages(transport& t) {
  constexpr int n = 50;
  std::vector<std::array<int, 10>> out(n);
  std::vector<std::array<int, 10>> in(n);
  std::vector<message> senders;
  counter c;
  for(int i = 0; i != n; ++i) {
    out[std::size_t(i)].fill(value(t.rank(), i));
    senders.push_back(
      t.make_sender(next(t), std::uint32_t(i), bytes(out[std::size_t(i)]), c.done()));
    c.start(senders.back());
  }
  t.meet();
  std::vector<message> receivers;
  for(int i = n - 1; i >= 0; --i) { // channels know nothing of each other
    receivers.push_back(
      t.make_receiver(previous(t), std::uint32_t(i), bytes(in[std::size_t(i)]), c.done()));
    c.start(receivers.back());
  }
  poll_until(t, c, 2 * n);
  for(int i = 0; i != n; ++i)
    require(in[std::size_t(i)][9] == value(previous(t), i), "the value");
}

void sends_to_itself(transport& t) {
  int out = 0;
  int in = 0;
  counter c;
  const message s = t.make_sender(t.rank(), 8, bytes(out), c.done());
  const message r = t.make_receiver(t.rank(), 8, bytes(in), c.done());
  for(int i = 0; i != 1000; ++i) {
    out = i;
    c.start(i % 2 == 0 ? s : r);
    c.start(i % 2 == 0 ? r : s);
    poll_until(t, c, 2 * (i + 1));
    require(in == i, "the value");
  }
}

void sends_between_all_pairs(transport& t) {
  std::vector<int> out(t.ranks());
  std::vector<int> in(t.ranks());
  std::vector<message> all;
  counter c;
  for(unsigned i = 0; i != t.ranks(); ++i) {
    out[i] = value(t.rank(), int(i));
    all.push_back(t.make_sender(i, 5, bytes(out[i]), c.done()));
    all.push_back(t.make_receiver(i, 5, bytes(in[i]), c.done()));
  }
  for(const message& m : all)
    c.start(m);
  poll_until(t, c, int(all.size()));
  for(unsigned i = 0; i != t.ranks(); ++i)
    require(in[i] == value(i, int(t.rank())), "the value");
}

void sends_nothing_at_all(transport& t) {
  counter c;
  const message s = t.make_sender(next(t), 0, {}, c.done());
  const message r = t.make_receiver(previous(t), 0, {}, c.done());
  for(int i = 0; i != 100; ++i) {
    c.start(s);
    c.start(r);
    poll_until(t, c, 2 * (i + 1));
  }
}

void sends_all_sizes(transport& t) {
  // Around the limits at which libraries change their ways.
  for(const std::size_t size :
    {1UL, 7UL, 8UL, 63UL, 1000UL, 4096UL, 4097UL, 8191UL, 32768UL, 65537UL, 300000UL, 1UL << 20U}) {
    const auto out = pattern(size, t.rank());
    std::vector<std::uint32_t> in(out.size());
    counter c;
    // Of the last word, one to four bytes.
    const message s =
      t.make_sender(next(t), 2, std::as_bytes(std::span(out)).first(size), c.done());
    const message r = t.make_receiver(previous(t), 2, bytes(in).first(size), c.done());
    c.start(r);
    c.start(s);
    poll_until(t, c, 2);
    const auto expected = pattern(size, previous(t));
    require(std::memcmp(in.data(), expected.data(), size) == 0, "every byte");
  }
}

void sends_huge_messages(transport& t) {
  if(t.rank() > 1)
    return;
  const std::size_t size = std::size_t{is_sanitized ? 8 : 64} << 20U;
  const unsigned peer = t.ranks() == 1 ? 0 : 1 - t.rank();
  auto data = pattern(size, 0);
  counter c;
  if(t.rank() == 0) {
    const message s = t.make_sender(peer, 1, bytes(data), c.done());
    c.start(s);
    if(peer != 0)
      return poll_until(t, c, 1);
    std::vector<std::uint32_t> in(data.size());
    const message r = t.make_receiver(0, 1, bytes(in), c.done());
    c.start(r);
    poll_until(t, c, 2);
    require(in == data, "every byte");
    return;
  }
  std::vector<std::uint32_t> in(data.size());
  const message r = t.make_receiver(peer, 1, bytes(in), c.done());
  c.start(r);
  poll_until(t, c, 1);
  require(in == data, "every byte");
}

void has_thousands_under_way(transport& t) {
  constexpr int n = 4000;
  constexpr int channels = 40;
  std::vector<int> out(n);
  std::vector<int> in(n);
  std::vector<message> senders;
  std::vector<message> receivers;
  counter c;
  for(int i = 0; i != n; ++i) {
    const auto at = std::size_t(i);
    const auto channel = std::uint32_t(i % channels);
    out[at] = value(t.rank(), i);
    senders.push_back(t.make_sender(next(t), channel, bytes(out[at]), c.done()));
    receivers.push_back(t.make_receiver(previous(t), channel, bytes(in[at]), c.done()));
  }
  for(int i = 0; i != n; ++i)
    c.start(senders[std::size_t(i)]);
  for(int i = channels; i-- != 0;)
    for(int k = i; k < n; k += channels)
      c.start(receivers[std::size_t(k)]);
  poll_until(t, c, 2 * n);
  for(int i = 0; i != n; ++i)
    require(in[std::size_t(i)] == value(previous(t), i), "the value");
}

void serves_many_threads(transport& t) {
  constexpr int threads = 4;
  const int rounds = (is_sanitized ? 100 : 1000) / int(t.ranks());
  std::atomic<int> at_work{threads};
  std::atomic<int> wrong{0};
  const auto starter = [&](int i) {
    int out = 0;
    int in = 0;
    counter sent;
    counter received;
    const message s = t.make_sender(next(t), std::uint32_t(i), bytes(out), sent.done());
    const message r = t.make_receiver(previous(t), std::uint32_t(i), bytes(in), received.done());
    for(int k = 0; k != rounds; ++k) {
      out = value(t.rank(), k + i);
      received.start(r);
      sent.start(s);
      while(received.n != k + 1 || sent.n != k + 1)
        sched_yield(); // the others poll
      if(in != value(previous(t), k + i))
        ++wrong;
    }
    --at_work;
  };
  const auto poller = [&] {
    while(at_work != 0)
      if(!t.poll())
        sched_yield();
  };
  std::vector<std::jthread> all;
  for(int i = 0; i != threads; ++i)
    all.emplace_back(starter, i);
  all.emplace_back(poller);
  poller();
  all.clear();
  require(wrong == 0, "the values");
}

void restarts_often(transport& t) {
  // More ranks than cores take turns, and sanitizers take their time.
  const int rounds = is_sanitized ? 5'000 / int(t.ranks()) : t.ranks() > 2 ? 5'000 : 100'000;
  int out = 0;
  int in = 0;
  counter c;
  const message s = t.make_sender(next(t), 77, bytes(out), c.done());
  const message r = t.make_receiver(previous(t), 77, bytes(in), c.done());
  for(int i = 0; i != rounds; ++i) {
    out = value(t.rank(), i);
    c.start(r);
    c.start(s);
    poll_until(t, c, 2 * (i + 1));
    require(in == value(previous(t), i), "the value");
  }
}

void starts_messages_when_done(transport& t) {
  struct chain {
    transport& t;
    int left = 1000;
    int in = 0;
    int out = 0;
    message r = nullptr;
    message s = nullptr;
    int sum = 0;
    int sent = 0;

    void receive() {
      while(left != 0 && r->start())
        take();
    }
    void take() {
      sum += in;
      --left;
    }
    void is_received() {
      take();
      receive();
    }
  } c{t};
  c.r = t.make_receiver(previous(t), 9, bytes(c.in),
    {[](void* self) { static_cast<chain*>(self)->is_received(); }, &c});
  c.s = t.make_sender(
    next(t), 9, bytes(c.out), {[](void* self) { ++static_cast<chain*>(self)->sent; }, &c});
  c.receive();
  for(int i = 0; i != 1000; ++i) {
    c.out = i;
    if(c.s->start())
      ++c.sent;
    poll_until(t, [&] { return c.sent == i + 1; });
  }
  poll_until(t, [&] { return c.left == 0; });
  require(c.sum == 999 * 500, "the sum");
}

void gives_up(transport& t) {
  constexpr int n = 20;
  std::vector<int> unwanted(n, -1);
  counter never;
  {
    std::vector<message> receivers;
    for(int i = 0; i != n; ++i) {
      receivers.push_back(
        t.make_receiver(previous(t), 6, bytes(unwanted[std::size_t(i)]), never.done()));
      require(!receivers.back()->give_up(), "give_up() of what was not started is false");
      require(!receivers.back()->start(), "nothing comes");
    }
    t.poll();
    for(int i = 0; i < n; i += 2) {
      require(receivers[std::size_t(i)]->give_up(), "give_up() of what is under way is true");
      require(!receivers[std::size_t(i)]->give_up(), "give_up() is true once");
    }
    require(!receivers[0]->start(), "nothing comes the second time either");
  } // the others are given up here
  t.meet();
  int out = value(t.rank(), 1);
  int in = 0;
  counter c;
  const message s = t.make_sender(next(t), 6, bytes(out), c.done());
  const message r = t.make_receiver(previous(t), 6, bytes(in), c.done());
  c.start(s);
  c.start(r);
  poll_until(t, c, 2);
  require(in == value(previous(t), 1), "what comes later is received by the next");
  require(!r->give_up(), "give_up() of what is over is false");
  require(never.n == 0, "done is not called for what was given up");
  for(const int x : unwanted)
    require(x == -1, "memory is left alone");
}

void refuses_nonsense(transport& t) {
  counter c;
  try {
    t.make_sender(t.ranks(), 0, {}, c.done());
    require(false, "an exception");
  }
  catch(const std::invalid_argument&) {
  }
  try {
    t.make_receiver(t.ranks(), 0, {}, c.done());
    require(false, "an exception");
  }
  catch(const std::invalid_argument&) {
  }
}

void meets(transport& t) {
  require(t.rank() < t.ranks(), "rank() < ranks()");
  for(int i = 0; i != 100; ++i)
    t.meet();
}

/// What was sent before a meeting arrives, though its rank does nothing but meet.
void delivers_while_meeting(transport& t) {
  for(int i = 0; i != 20; ++i) {
    int out = value(t.rank(), i);
    int in = 0;
    counter c;
    const message s = t.make_sender(next(t), 4, bytes(out), c.done());
    const message r = t.make_receiver(previous(t), 4, bytes(in), c.done());
    c.start(r);
    c.start(s);
    if(t.rank() % 2 == 1)
      poll_until(t, c, 2);
    t.meet();
    poll_until(t, c, 2);
    require(in == value(previous(t), i), "the value");
  }
}

/// A message goes round, from rank 0, which is in no hurry. A rank that has polled in vain for it calls
/// `wait()`.
template<class Wait>
void goes_round(transport& t, std::uint32_t channel, const Wait& wait) {
  constexpr int rounds = 20;
  int out = 0;
  int in = 0;
  counter sent;
  counter received;
  const message s = t.make_sender(next(t), channel, bytes(out), sent.done());
  const message r = t.make_receiver(previous(t), channel, bytes(in), received.done());
  for(int i = 0; i != rounds; ++i) {
    received.start(r);
    const auto send = [&] {
      out = i;
      sent.start(s);
    };
    std::jthread other;
    if(t.rank() == 0)
      other = std::jthread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        send();
      });
    while(received.n != i + 1)
      if(!t.poll())
        wait();
    require(in == i, "the value");
    if(t.rank() != 0)
      send();
    other = {};
    poll_until(t, sent, i + 1);
  }
}

/// Where there is a descriptor to sleep on.
void wakes_sleepers(transport& t) {
  if(t.wake_descriptor() == -1)
    return;
  goes_round(t, 11, [&t] {
    if(t.is_sending() || !t.arm())
      return;
    pollfd sleeps{t.wake_descriptor(), POLLIN, 0};
    require(::poll(&sleeps, 1, 20'000) == 1, "who sleeps is woken");
  });
}

/// Where who rests is woken, however long it may rest.
void wakes_those_who_rest(transport& t) {
  goes_round(t, 12, [&t] {
    constexpr auto for_ever = std::chrono::seconds(60);
    if(!t.wakes()) {
      sched_yield();
      return;
    }
    const auto begin = std::chrono::steady_clock::now();
    t.rest(for_ever);
    require(std::chrono::steady_clock::now() - begin < for_ever / 2, "who rests is woken");
  });
}

/// What comes behind it on another channel has been received before anybody wants it; or a part of it
/// has.
void holds_long_early_messages(transport& t) {
  constexpr std::size_t size = 1'000'001;
  const auto out = pattern(size, t.rank());
  const auto expected = pattern(size, previous(t));
  int small_out = 0;
  int small_in = 0;
  counter c;
  const message s = t.make_sender(next(t), 14, std::as_bytes(std::span(out)).first(size), c.done());
  const message small_s = t.make_sender(next(t), 15, bytes(small_out), c.done());
  counter small;
  const message small_r = t.make_receiver(previous(t), 15, bytes(small_in), small.done());
  for(int i = 0; i != 6; ++i) {
    std::vector<std::uint32_t> in(out.size());
    const message r = t.make_receiver(previous(t), 14, bytes(in).first(size), c.done());
    const int before = c.n;
    c.start(s);
    small_out = i;
    c.start(small_s);
    small.start(small_r);
    if(i % 2 == 0) {
      for(int k = 0; k != 3 * i; ++k)
        t.poll();
      c.start(r);
    }
    else {
      poll_until(t, small, i + 1);
      c.start(r);
    }
    poll_until(t, c, before + 3);
    poll_until(t, small, i + 1);
    require(small_in == i && std::memcmp(in.data(), expected.data(), size) == 0, "every byte");
  }
}

/// Long ones and short ones in turn, some early, some late.
void tells_lengths(transport& t) {
  constexpr std::size_t most = 100'000;
  const auto out = pattern(most, t.rank());
  const auto expected = pattern(most, previous(t));
  std::vector<std::uint32_t> in(out.size());
  counter sent;
  counter received;
  const message s =
    t.make_sender(next(t), 16, std::as_bytes(std::span(out)).first(most), sent.done());
  const message r = t.make_receiver(previous(t), 16, bytes(in).first(most), received.done());
  r->take_shorter();
  int n = 0;
  for(const std::size_t length : {most, std::size_t{0}, std::size_t{1}, std::size_t{48},
        std::size_t{49}, most - 1, most / 2, std::size_t{7}, most}) {
    std::fill(in.begin(), in.end(), 0U);
    s->set_length(length);
    if(n % 2 == 0)
      received.start(r);
    sent.start(s);
    if(n % 2 != 0) {
      for(int k = 0; k != n; ++k)
        t.poll();
      received.start(r);
    }
    ++n;
    poll_until(t, received, n);
    poll_until(t, sent, n);
    require(r->length() == length, "the length that was sent");
    require(std::memcmp(in.data(), expected.data(), length) == 0, "every byte");
    const auto all = std::as_bytes(std::span(in)).subspan(length, most - length);
    for(const std::byte b : all)
      require(b == std::byte{0}, "nothing behind them");
  }
}

constexpr transport_case cases[] = {
  {"ranks meet", meets},
  {"what is started first arrives in what is started first", keeps_order},
  {"a message waits for the one that receives it", holds_early_messages},
  {"a rank sends to itself", sends_to_itself},
  {"every rank sends to every rank", sends_between_all_pairs},
  {"messages may be empty", sends_nothing_at_all},
  {"messages of all sizes arrive byte by byte", sends_all_sizes},
  {"messages may be huge", sends_huge_messages},
  {"thousands of messages are under way", has_thousands_under_way},
  {"many threads start messages while others poll", serves_many_threads},
  {"a message is started again and again", restarts_often},
  {"done starts messages", starts_messages_when_done},
  {"receivers that are given up leave nothing behind", gives_up},
  {"ranks that don't exist are refused", refuses_nonsense},
  {"messages travel while ranks meet", delivers_while_meeting},
  {"who sleeps is woken by a message", wakes_sleepers},
  {"who rests is woken by a message", wakes_those_who_rest},
  {"long messages may be early", holds_long_early_messages},
  {"messages are as long as they were sent", tells_lengths},
  {"messages are read where they were written", sends_in_place},
  {"messages are looked for when they are asked for", looks_when_asked},
};

} // namespace

std::span<const transport_case> transport_cases() { return cases; }
