// Transports tell only so many channels apart: those whose field or reduction has gone are used again.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "forwarding_transport.hpp"
#include "plain_line.hpp"
#include "ranks.hpp"

using namespace rondo;
using plain_line::line;
using plain_line::numbers;
using plain_line::sum;

namespace {

/// A transport with few channels, which ends the program if more are asked for.
class narrow_transport final : public forwarding_transport {
public:
  narrow_transport(std::unique_ptr<transport> through, std::uint32_t most)
      : forwarding_transport(std::move(through)), most_(most) {}

  [[nodiscard]] const char* name() const override { return "narrow"; }
  [[nodiscard]] std::uint32_t most_channel() const override { return most_; }
  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override {
    check(channel);
    return forwarding_transport::make_sender(to, channel, from, done);
  }
  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override {
    check(channel);
    return forwarding_transport::make_receiver(from, channel, into, done);
  }

private:
  void check(std::uint32_t channel) const {
    if(channel > most_)
      throw std::logic_error("channel " + std::to_string(channel));
  }

  const std::uint32_t most_;
};

std::vector<std::unique_ptr<transport>> narrow(
  std::vector<std::unique_ptr<transport>> all, std::uint32_t most) {
  for(auto& t : all)
    t = std::make_unique<narrow_transport>(std::move(t), most);
  return all;
}

void set(line::view m, numbers::accessor<wo> u, double to) {
  for(const auto i : m.owned(0))
    u(i) = to + double(i);
}
void add_left(line::view m, numbers::accessor<ro, ro> u, numbers::accessor<wo> v) {
  for(const auto i : m.owned(0))
    v(i) = u(i - 1);
}

double sum_of_colors(line::view m) { return double(m.color()); }

using lists = field<ragged<std::int64_t>>;
/// Longer from point to point.
void fill_rows(line::view m, lists::accessor<wo> u, std::int64_t most) {
  for(const auto i : m.owned(0))
    u(i).assign(static_cast<std::size_t>((7 * i) % most), i);
}
std::int64_t wrong_rows(line::view m, lists::accessor<ro, ro> u, std::int64_t most) {
  const std::int64_t n = m.mesh().hi[0];
  std::int64_t wrong = 0;
  for(const auto i : m.owned(0))
    for(const std::int64_t p : {i - 1, i + 1}) {
      const std::int64_t q = (p + n) % n;
      wrong += static_cast<std::int64_t>(u(p).size()) != (7 * q) % most;
      wrong += !u(p).empty() && u(p).back() != q;
    }
  return wrong;
}

constexpr std::int64_t points = 24;

/// Meshes come and go, and each time the messages of another size are those of another field.
void come_and_go(scheduler& s) {
  for(int time = 0; time != 40; ++time) {
    line m{s, {.extents = {points}, .colors = {6}, .halo = 1 + time % 2, .periodic = {true}}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<set>(m, u, double(time));
    s.execute<add_left>(m, u, v);
    const future<double> all = s.reduce<sum, fold::sum>(m, v);
    s.execute<set>(m, u, -1.0);
    s.execute<add_left>(m, u, v); // on its way while the mesh goes
    if(time % 3 != 0)
      expect(all.get() == double(points * time + points * (points - 1) / 2));
  }
}

/// The same of fields with rows, whose channels grow.
void rows_come_and_go(scheduler& s) {
  for(std::int64_t time = 0; time != 25; ++time) {
    const line m{s, {.extents = {points}, .colors = {6}, .periodic = {true}}};
    const lists u{m, "u"}, v{m, "v"};
    for(const std::int64_t most : {1 + time % 7, 10 + 100 * time}) {
      s.execute<fill_rows>(m, u, most);
      s.execute<fill_rows>(m, v, most + 1);
      const auto wrong = s.reduce<wrong_rows, fold::sum>(m, u, most);
      const auto wrong_there = s.reduce<wrong_rows, fold::sum>(m, v, most + 1);
      if(time % 3 != 0)
        expect(wrong.get() == 0 && wrong_there.get() == 0);
    }
  }
}

} // namespace

TEST_CASE("a program may make any number of meshes, fields and reductions, one after the other") {
  const unsigned ranks = GENERATE(1U, 2U, 3U);
  const std::uint32_t most = GENERATE(7U, 11U, 1000U);
  const bool through_memory = GENERATE(false, true);
  CAPTURE(ranks, most, through_memory);
  on_ranks(narrow(through_memory && ranks > 1 ? make_shared_memory_transports(ranks, ranks)
                                              : make_local_transports(ranks),
             most),
    2, &come_and_go);
}

TEST_CASE("a program may make any number of ragged fields, one after the other") {
  const unsigned ranks = GENERATE(1U, 2U, 3U);
  const std::uint32_t most = GENERATE(40U, 60U, 10'000U);
  const bool through_memory = GENERATE(false, true);
  CAPTURE(ranks, most, through_memory);
  on_ranks(narrow(through_memory && ranks > 1 ? make_shared_memory_transports(ranks, ranks)
                                              : make_local_transports(ranks),
             most),
    2, &rows_come_and_go);
}

TEST_CASE("a ragged field too many takes nothing from others") {
  on_ranks(narrow(make_local_transports(2), 40), 1, [](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {6}, .periodic = {true}}};
    std::vector<std::unique_ptr<lists>> all;
    const auto make_all = [&] {
      while(all.size() != 20)
        all.push_back(std::make_unique<lists>(m, "u"));
    };
    for(int again = 0; again != 10; ++again) {
      expect(thrown_by(make_all).find("no channel is left") != std::string::npos);
      expect(all.size() == 3 || all.size() == 2);
      all.pop_back();
      const lists last{m, "there is room again"};
      s.execute<fill_rows>(m, last, std::int64_t{100});
      expect(s.reduce<wrong_rows, fold::sum>(m, last, std::int64_t{100}).get() == 0);
    }
  });
}

TEST_CASE("a field too many at a time is refused") {
  on_ranks(narrow(make_local_transports(2), 10), 1, [](scheduler& s) {
    line m{s, {.extents = {points}, .colors = {6}}};
    std::vector<std::unique_ptr<numbers>> all;
    const std::string why = thrown_by([&] {
      for(int i = 0; i != 20; ++i)
        all.push_back(std::make_unique<numbers>(m, "u"));
    });
    expect(all.size() > 4 && all.size() < 10);
    expect(why.find("no channel is left") != std::string::npos);
    expect(why.find("narrow") != std::string::npos);
    all.pop_back();
    numbers last{m, "there is room again"};
    s.execute<set>(m, last, 0.0);
    s.wait();
  });
}

TEST_CASE("ranks can't agree on used channels in the body of a loop, and say so") {
  on_ranks(narrow(make_local_transports(2), 4), 1, [](scheduler& s) {
    line m{s, {.extents = {points}, .colors = {6}}};
    {
      numbers gone{m, "gone"}; // channel 4, of 0 to 4
    }
    const std::string why = thrown_by(
      [&] { s.repeat(3, [&] { static_cast<void>(s.reduce<sum_of_colors, fold::sum>(m)); }); });
    expect(why.find("in the body of a loop") != std::string::npos);
  });
}

TEST_CASE("a transport has one scheduler at a time") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const std::string why = thrown_by([&] { scheduler second(s.home(), s.messages().messages()); });
    expect(why.find("already") != std::string::npos);
  });
  const auto all = make_local_transports(1);
  executor ex(1);
  for(int time = 0; time != 3; ++time) { // one after the other
    scheduler s(ex, *all.front());
    CHECK(s.ranks() == 1);
  }
}
