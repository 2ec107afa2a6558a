// Random calls of `repeat` from one place, of which many have a body as an earlier one had, against the same done by hand.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "random_programs.hpp"

using namespace rondo;
using random_programs::dice;
using random_programs::mix;

namespace {

using cells = std::vector<std::uint64_t>;
constexpr std::size_t size = 16;
constexpr unsigned regions = 5;

void pull(const cells& from, cells& to, std::uint64_t by) {
  for(std::size_t i = 0; i != size; ++i)
    to[i] = mix(to[i] ^ by, from[size - 1 - i]);
}
void count(cells& c, std::size_t pass, std::uint64_t by) {
  for(std::uint64_t& v : c)
    v = mix(v, pass ^ by);
}
void name(cells& c, const std::string& text, bool fails) {
  c[0] += text.size();
  if(fails)
    throw std::runtime_error("on purpose");
}
void add(cells& c, std::uint64_t by) { c[1] += by; } // in any order

struct step {
  unsigned what, from, to;
};
using body = std::vector<step>;

body random_body(dice& d) {
  body all;
  for(unsigned left = 1 + d.below(6); left != 0; --left) {
    const unsigned from = d.below(regions);
    all.push_back({d.below(6), from, (from + 1 + d.below(regions - 1)) % regions});
  }
  return all;
}

struct values {
  std::uint64_t by;
  std::string text;
  bool fails;
};

class both {
public:
  explicit both(executor& ex) : there_(regions, cells(size)), flow_(ex) {
    for(std::size_t i = 0; i != regions * size; ++i)
      there_[i / size][i % size] = i;
    by_hand_ = there_;
    for(unsigned i = 0; i != regions; ++i)
      make_region(i);
  }

  void repeat(const body& b, std::uint64_t passes, const values& v) {
    flow_.repeat(passes, [&](pass_number pass) {
      for(const step& s : b)
        switch(s.what) {
        case 0:
          flow_.submit(pull, read(*region_[s.from]), write(*region_[s.to]), v.by);
          break;
        case 1:
          flow_.submit(count, write(*region_[s.to]), pass, v.by);
          break;
        case 2:
          flow_.submit(name, write(*region_[s.to]), v.text, v.fails);
          break;
        case 3:
          flow_.submit(pull, read(*region_[s.from]), write(*region_[s.to]), found_);
          break;
        case 4:
          flow_.submit(add, commute(*region_[s.to]), v.by);
          break;
        default:
          flow_.submit([by = v.by](cells& c) { c[2] ^= by; }, write(*region_[s.to]));
        }
    });
  }
  /// Returns false if it fails.
  bool repeat_by_hand(const body& b, std::uint64_t passes, const values& v) {
    for(std::uint64_t pass = 0; pass != passes; ++pass)
      for(const step& s : b) {
        cells& to = by_hand_[s.to];
        switch(s.what) {
        case 0:
          pull(by_hand_[s.from], to, v.by);
          break;
        case 1:
          count(to, pass, v.by);
          break;
        case 2:
          if(v.fails)
            return false;
          name(to, v.text, false);
          break;
        case 3:
          pull(by_hand_[s.from], to, found_by_hand_);
          break;
        case 4:
          add(to, v.by);
          break;
        default:
          to[2] ^= v.by;
        }
      }
    return true;
  }
  /// What later bodies are given.
  void find() {
    found_ = flow_.submit([](const cells& c) { return c[3]; }, read(*region_[2]));
    found_by_hand_ = by_hand_[2][3];
  }
  /// Returns false if something has failed; then what had run by that time counts.
  bool wait() {
    try {
      flow_.wait();
      return true;
    }
    catch(const std::runtime_error&) {
      by_hand_ = there_;
      return false;
    }
  }
  /// The region ends, and another one takes its place.
  void renew(unsigned which) {
    flow_.wait();
    region_[which].reset();
    make_region(which);
  }
  [[nodiscard]] bool is_right() {
    flow_.wait();
    return there_ == by_hand_;
  }
  [[nodiscard]] std::uint64_t repeats_again() const { return flow_.repeats_again(); }

private:
  void make_region(unsigned i) {
    region_[i] = std::make_unique<region<cells>>(flow_, there_[i], "cells");
  }

  std::vector<cells> there_, by_hand_;
  flow flow_;
  std::unique_ptr<region<cells>> region_[regions];
  future<std::uint64_t> found_ = make_ready(std::uint64_t{1});
  std::uint64_t found_by_hand_ = 1;
};

} // namespace

TEST_CASE("random bodies that come again do what they would by hand") {
  for(std::uint64_t seed = 0; seed != 40; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    executor ex(1 + d.below(4));
    both all(ex);
    std::vector<body> bodies;
    for(int i = 0; i != 4; ++i)
      bodies.push_back(random_body(d));
    for(unsigned turn = 0; turn != 120; ++turn) {
      const body& b = bodies[d.one_in(4) ? d.below(4) : turn / 16 % 4];
      const std::uint64_t passes = d.one_in(8) ? d.below(7) : 3;
      const values v{d.next(), std::string(d.below(40), 'x'), seed % 2 == 0 && d.one_in(64)};
      if(v.fails)
        REQUIRE(all.wait());
      all.repeat(b, passes, v);
      const bool succeeds = all.repeat_by_hand(b, passes, v);
      if(v.fails)
        REQUIRE(all.wait() == succeeds);
      if(d.one_in(5))
        REQUIRE(all.wait());
      if(d.one_in(7))
        all.find();
      if(d.one_in(50))
        all.renew(d.below(regions));
    }
    CHECK(all.is_right());
    CHECK(all.repeats_again() != 0);
  }
}
