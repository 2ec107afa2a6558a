// Ragged fields in loops of all kinds, in traces, and where it is not known yet what runs.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ragged_points.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace ragged_rows;

namespace {

using grid = structured<2>;

const structured_options<2> torus{
  .extents = {15, 12}, .colors = {5, 3}, .halo = 2, .periodic = {true, false}, .diagonals = true};
const auto shape = around<2>::of(torus);

/// A program over three fields says what it does to somebody who launches it or does it by hand.
class fields_together {
public:
  explicit fields_together(scheduler& s) : s_(s), m_(s, torus) {
    for(const char* name : {"u", "v", "w"})
      all_.emplace_back(m_, name);
  }
  void fill(std::size_t f, hash id) { s_.execute<task::fill<2>>(m_, all_[f], shape, id); }
  void look(std::size_t to, std::size_t from, hash id) {
    s_.execute<task::look<2, whole_halo>>(
      m_, all_[to], all_[from], shape, std::int64_t{2}, hash(id));
  }
  void look_near(std::size_t to, std::size_t from, hash id) {
    s_.execute<task::look<2, 1>>(m_, all_[to], all_[from], shape, std::int64_t{1}, hash(id));
  }
  void relax(std::size_t f, hash id) {
    s_.execute<task::relax<2>>(m_, all_[f], shape, std::int64_t{2}, hash(id));
  }
  void swap(std::size_t a, std::size_t b) { std::swap(all_[a], all_[b]); }
  template<class F>
  void repeat(std::uint64_t n, const F& body) {
    s_.repeat(n, [&] { body(); });
  }
  template<class F>
  void traced(std::uint64_t n, const F& body) {
    trace t;
    for(std::uint64_t i = 0; i != n; ++i) {
      const auto g = t.make_guard();
      body();
    }
  }
  /// Until the rows of a field have a hash that is a multiple of `m`.
  template<class F>
  void until(std::size_t f, hash m, std::uint64_t most, const F& body) {
    passes_.push_back(s_.iterate({.max = most}, [&](std::uint64_t i) {
      body(i);
      return bits(f).then([m](hash h) { return h % m == 0; });
    }));
  }
  template<class F>
  void until_traced(std::size_t f, hash m, std::uint64_t most, const F& body) {
    trace t;
    passes_.push_back(s_.iterate(t, {.max = most}, [&] {
      body();
      return bits(f).then([m](hash h) { return h % m == 0; });
    }));
  }
  template<class F>
  void when(std::size_t f, hash m, const F& body) {
    s_.when(bits(f).then([m](hash h) { return h % m == 0; }), [&] { body(); });
  }
  template<class F, class G>
  void either(std::size_t f, hash m, const F& body, const G& other) {
    s_.either(
      bits(f).then([m](hash h) { return h % m == 0; }), [&] { body(); }, [&] { other(); });
  }
  void note() {
    for(std::size_t f = 0; f != all_.size(); ++f)
      noted_.push_back(bits(f));
  }
  std::vector<hash> noted() {
    std::vector<hash> all;
    for(auto& n : noted_)
      all.push_back(n.get());
    for(auto& p : passes_)
      all.push_back(p.get());
    return all;
  }

private:
  future<hash> bits(std::size_t f) {
    return s_.reduce<task::bits<2>, fold::sum>(m_, all_[f], shape);
  }

  scheduler& s_;
  grid m_;
  std::vector<lists> all_;
  std::vector<future<hash>> noted_;
  std::vector<future<std::uint64_t>> passes_;
};

class fields_by_hand {
public:
  fields_by_hand() : all_(3, by_hand<2>(shape)) {}
  void fill(std::size_t f, hash id) { all_[f].fill(id); }
  void look(std::size_t to, std::size_t from, hash id) { all_[to].look(all_[from], 2, id); }
  void look_near(std::size_t to, std::size_t from, hash id) { all_[to].look(all_[from], 1, id); }
  void relax(std::size_t f, hash id) { all_[f].look(all_[f], 2, id); }
  void swap(std::size_t a, std::size_t b) { std::swap(all_[a], all_[b]); }
  template<class F>
  void repeat(std::uint64_t n, const F& body) {
    for(std::uint64_t i = 0; i != n; ++i)
      body();
  }
  template<class F>
  void traced(std::uint64_t n, const F& body) {
    repeat(n, body);
  }
  template<class F>
  void until(std::size_t f, hash m, std::uint64_t most, const F& body) {
    std::uint64_t n = 0;
    do
      body(n++);
    while(n != most && all_[f].bits() % m != 0);
    passes_.push_back(n);
  }
  template<class F>
  void until_traced(std::size_t f, hash m, std::uint64_t most, const F& body) {
    until(f, m, most, [&](std::uint64_t) { body(); });
  }
  template<class F>
  void when(std::size_t f, hash m, const F& body) {
    either(f, m, body, [] {});
  }
  template<class F, class G>
  void either(std::size_t f, hash m, const F& body, const G& other) {
    if(all_[f].bits() % m == 0)
      body();
    else
      other();
  }
  void note() {
    for(const auto& f : all_)
      noted_.push_back(f.bits());
  }
  std::vector<hash> noted() {
    std::vector<hash> all = noted_;
    all.insert(all.end(), passes_.begin(), passes_.end());
    return all;
  }

private:
  std::vector<by_hand<2>> all_;
  std::vector<hash> noted_;
  std::vector<std::uint64_t> passes_;
};

template<class Side>
void begin(Side& side) {
  side.fill(0, 0);
  side.fill(1, 3);
  side.fill(2, 1);
}
template<class Side>
void short_pass(Side& side) {
  side.look(1, 0, 5);
  side.look_near(0, 1, 3);
  side.relax(2, 0);
  side.look_near(2, 0, 7);
}
/// Channels of short ones are too small.
template<class Side>
void long_pass(Side& side) {
  side.look(1, 0, 12);
  side.relax(0, 14);
  side.look_near(2, 1, 10);
}

template<class Program>
void compare(const Program& program) {
  fields_by_hand alone;
  begin(alone);
  program(alone);
  const std::vector<hash> expected = alone.noted();
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const bool share_memory : {false, true})
      on_ranks(
        share_memory ? make_shared_memory_transports(ranks, 2) : make_local_transports(ranks), 2,
        [&](scheduler& s) {
          fields_together side(s);
          begin(side);
          program(side);
          expect(side.noted() == expected);
        });
}

} // namespace

TEST_CASE("ragged fields are swapped in a loop") {
  compare([](auto& side) {
    for(int i = 0; i != 8; ++i) {
      side.look(1, 0, 4);
      side.swap(0, 1);
      side.look_near(2, 1, 2);
      side.swap(2, 0);
      if(i % 3 == 0)
        side.relax(1, 6);
      side.note();
    }
  });
}

TEST_CASE("rows grow in traces and in loops that are repeated, also in each other") {
  compare([](auto& side) {
    side.traced(4, [&] { short_pass(side); });
    side.note();
    side.repeat(5, [&] { short_pass(side); });
    side.note();
    side.traced(5, [&] { long_pass(side); });
    side.note();
    side.repeat(3, [&] {
      short_pass(side);
      side.repeat(3, [&] { long_pass(side); });
      side.look(0, 2, 4);
    });
    side.note();
    side.repeat(2, [&] {
      side.repeat(2, [&] { side.repeat(2, [&] { short_pass(side); }); });
      side.note();
    });
  });
}

TEST_CASE("passes that are launched in vain leave rows and channels as they were") {
  compare([](auto& side) {
    for(const hash m : {2U, 5U, 3U}) {
      side.until(0, m, 12, [&](std::uint64_t) { short_pass(side); });
      side.note();
      // Longer than ever in passes of which some do not run; the first that look so far, too.
      side.until(1, m, 6, [&](std::uint64_t i) {
        long_pass(side);
        if(i % 2 == 1)
          side.look(2, 1, 6);
      });
      side.note();
      side.until_traced(2, m, 10, [&] {
        short_pass(side);
        side.repeat(2, [&] { side.look_near(1, 2, 2); });
      });
      side.note();
    }
  });
}

TEST_CASE("rows change in bodies that run or not") {
  compare([](auto& side) {
    for(const hash m : {2U, 1U, 3U, 1'000'003U}) {
      side.when(0, m, [&] { long_pass(side); });
      side.note();
      side.either(
        1, m, [&] { short_pass(side); }, [&] { long_pass(side); });
      side.note();
      side.repeat(3, [&] {
        side.when(2, m, [&] { side.look(0, 1, 4); });
        short_pass(side);
      });
      side.note();
    }
  });
}
