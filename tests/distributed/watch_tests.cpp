#include <algorithm>
#include <atomic>
#include <barrier>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "watch/ring.hpp"

using namespace rondo;
using detail::endpoint;
using detail::meeting_place;
using detail::watch_ring;

namespace {

/// Ranks that are threads come together here.
class place {
public:
  explicit place(unsigned ranks)
      : ranks_(ranks), barrier_(ranks), endpoints_(ranks), votes_(ranks) {}

  /// Calls `f(rank, meeting_place)` on a thread for each rank.
  void each(const std::function<void(unsigned, const meeting_place&)>& f) {
    std::vector<std::jthread> threads;
    for(unsigned rank = 0; rank != ranks_; ++rank)
      threads.emplace_back([this, rank, &f] {
        const auto pass_back = [&](const endpoint& own) {
          endpoints_[rank] = own;
          if(rank == hidden)
            endpoints_[rank].count = 0;
          meet();
          const endpoint next = endpoints_[(rank + 1) % ranks_];
          meet();
          return next;
        };
        const auto all = [&](bool here) {
          votes_[rank] = here ? 1 : 0;
          meet();
          const bool everywhere = std::count(votes_.begin(), votes_.end(), 1) == ranks_;
          meet();
          return everywhere;
        };
        f(rank, {pass_back, all});
      });
  }
  void meet() { barrier_.arrive_and_wait(); }

  static constexpr unsigned nobody = 99;
  unsigned hidden = nobody; ///< Nobody is told how to reach that rank.

private:
  const unsigned ranks_;
  std::barrier<> barrier_;
  std::vector<endpoint> endpoints_;
  std::vector<char> votes_;
};

/// What has become of a rank.
struct fate {
  static constexpr int none = -1;
  std::atomic<int> dead{none};
  std::atomic<int> exit_code{none};

  watch_ring::consequences noted() {
    return {[](void* self, unsigned rank) { static_cast<fate*>(self)->dead = int(rank); },
      [](void* self, int code) {
        static_cast<fate*>(self)->exit_code = code;
        static_cast<fate*>(self)->exit_code.notify_all();
      },
      this};
  }
};

/// Connects as a ring does, and is then gone without a word.
void live_and_die(const meeting_place& m) {
  detail::listener own;
  const endpoint next = m.pass_back(own.where());
  detail::open_socket before;
  detail::open_socket after;
  bool is_connected = false;
  const auto addresses = detail::likely_addresses(next);
  for(std::size_t i = 0;; ++i) {
    constexpr std::chrono::milliseconds time{2000};
    if(!is_connected && i < addresses.size())
      after = detail::connect_to(next, addresses[i], time);
    m.all(true);
    if(auto s = own.accept(); s.is_open())
      before = std::move(s);
    m.all(true);
    is_connected = is_connected || detail::is_answered(after, next.token, time);
    if(m.all(is_connected || i + 1 >= addresses.size()))
      break;
  }
  m.all(is_connected);
}

} // namespace

TEST_CASE("watch: ranks that end as they should are not missed") {
  for(const unsigned ranks : {2U, 3U, 5U}) {
    place p(ranks);
    std::vector<fate> fates(ranks);
    std::atomic<unsigned> closed{0};
    p.each([&](unsigned rank, const meeting_place& m) {
      auto ring = std::make_unique<watch_ring>(rank, ranks, m, fates[rank].noted());
      closed += ring->is_closed() ? 1 : 0;
      // One after the other, and the others go on without it.
      for(unsigned turn = 0; turn != ranks; ++turn) {
        if(turn == rank)
          ring.reset();
        p.meet();
      }
    });
    CHECK(closed == ranks);
    for(const fate& f : fates) {
      CHECK(f.dead == fate::none);
      CHECK(f.exit_code == fate::none);
    }
  }
}

TEST_CASE("watch: both neighbours of a dead rank say so, and all ranks end") {
  constexpr unsigned ranks = 5;
  constexpr unsigned dead = 2;
  place p(ranks);
  std::vector<fate> fates(ranks);
  p.each([&](unsigned rank, const meeting_place& m) {
    if(rank == dead) {
      live_and_die(m);
      return;
    }
    const watch_ring ring(rank, ranks, m, fates[rank].noted());
    fates[rank].exit_code.wait(fate::none);
  });
  // One of them may have heard of it by the other ones before it was sure.
  CHECK((fates[1].dead == int(dead) || fates[3].dead == int(dead)));
  for(const unsigned other : {0U, 4U})
    CHECK(fates[other].dead == fate::none);
  for(unsigned rank = 0; rank != ranks; ++rank)
    CHECK(fates[rank].exit_code == (rank == dead ? fate::none : 1));
}

TEST_CASE("watch: one rank ends all, with its code") {
  for(const unsigned ranks : {2U, 4U}) {
    place p(ranks);
    std::vector<fate> fates(ranks);
    p.each([&](unsigned rank, const meeting_place& m) {
      watch_ring ring(rank, ranks, m, fates[rank].noted());
      if(rank == 1) {
        ring.abort(7);
        ring.abort(8); // the first one counts
      }
      fates[rank].exit_code.wait(fate::none);
    });
    for(const fate& f : fates) {
      CHECK(f.dead == fate::none);
      CHECK(f.exit_code == 7);
    }
  }
}

TEST_CASE("watch: if one rank can't be reached, all know that nobody watches") {
  constexpr unsigned ranks = 3;
  place p(ranks);
  p.hidden = 1;
  std::vector<fate> fates(ranks);
  std::atomic<unsigned> open{0};
  p.each([&](unsigned rank, const meeting_place& m) {
    watch_ring ring(rank, ranks, m, fates[rank].noted());
    open += ring.is_closed() ? 0 : 1;
    ring.abort(1); // does nothing
  });
  CHECK(open == ranks);
  for(const fate& f : fates)
    CHECK(f.exit_code == fate::none);
}

TEST_CASE("watch: who does not know the token is not let in") {
  detail::listener l;
  REQUIRE(l.where().count != 0);
  endpoint guess = l.where();
  guess.token ^= 1U;
  constexpr std::chrono::milliseconds time{2000};
  const auto address = detail::likely_addresses(guess).front();
  const auto stranger = detail::connect_to(guess, address, time);
  CHECK(stranger.is_open());
  CHECK_FALSE(l.accept().is_open());
  CHECK_FALSE(detail::is_answered(stranger, guess.token, std::chrono::milliseconds(1)));
  const auto friendly = detail::connect_to(l.where(), address, time);
  CHECK(l.accept().is_open());
  CHECK(detail::is_answered(friendly, l.where().token, time));
}
