#pragma once

/// \file
/// Runs that could have been: launches with random accesses, whose tasks begin as soon as all that they wait for is there and a worker is free.
/// So it is known what is to be found out about them.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "report/made_runs.hpp"

namespace made {

/// The words of docs/protocols/observing.md, and nothing cleverer.
inline bool must_wait(const std::vector<use>& later, const std::vector<use>& earlier) {
  for(const auto& [region, how] : later)
    for(const auto& [other_region, other] : earlier)
      if(region == other_region && (how != other || how == mode::write))
        return true;
  return false;
}

inline std::vector<use> any_uses(std::mt19937& random) {
  static constexpr mode modes[] = {
    mode::read, mode::read, mode::write, mode::commute, mode::reduce, mode::write_part};
  std::vector<use> all;
  for(auto count = random() % 4; count-- != 0;)
    all.emplace_back(1 + random() % 5, modes[random() % std::size(modes)]);
  return all;
}

struct simulated_task {
  unsigned rank;
  std::uint64_t number;
  double ready;
  double begin;
  double end;
};

/// Ranks but the first one get messages from the one before.
class simulation {
public:
  simulation(unsigned seed, unsigned ranks, unsigned workers, unsigned launches)
      : made(ranks, workers), random_(seed) {
    for(unsigned r = 0; r != ranks; ++r)
      simulate(r, workers, launches);
    double last = 0;
    for(const simulated_task& t : all)
      last = std::max(last, t.end);
    made.end(last + 13);
  }

  run made;
  std::vector<simulated_task> all;

private:
  struct earlier {
    std::vector<use> uses;
    double end;
  };

  double up_to(unsigned most) { return static_cast<double>(random_() % (most + 1)); }

  void simulate(unsigned rank, unsigned workers, unsigned launches) {
    std::vector<double> free(workers);
    std::vector<earlier> before;
    std::uint64_t number = 0;
    double now = 3;
    for(unsigned n = 0; n != launches; ++n) {
      now += up_to(20);
      const std::vector<use> uses = any_uses(random_);
      simulated_task t{rank, number, now, 0, 0};
      for(const earlier& e : before)
        if(must_wait(uses, e.uses))
          t.ready = std::max(t.ready, e.end);
      if(random_() % 8 == 0) { // left out: it has the number of the next one
        made.launch(now, number, "left out", uses, {.rank = rank, .has_task = false});
        before.push_back({uses, t.ready});
        continue;
      }
      const std::string name = random_() % 2 == 0 ? "even" : "odd";
      made.launch(now, number, name, uses, {.rank = rank});
      if(rank != 0 && random_() % 4 == 0)
        t.ready = std::max(t.ready, message_to(rank, number));
      const auto worker = std::ranges::min_element(free);
      t.begin = std::max(t.ready, *worker) + up_to(4);
      t.end = t.begin + 1 + up_to(50);
      *worker = t.end;
      made.task(t.begin, t.end, number, name,
        {.rank = rank, .worker = static_cast<unsigned>(worker - free.begin())});
      before.push_back({uses, t.end});
      all.push_back(t);
      number += 1 + random_() % 2;
      const double busy = *std::ranges::max_element(free);
      if(random_() % 10 == 0 && busy > now) {
        made.wait(now, busy + 2, "made.cpp:7", rank);
        now = busy + 2;
      }
    }
  }

  /// When it arrives.
  double message_to(unsigned rank, std::uint64_t number) {
    std::vector<const simulated_task*> senders;
    for(const simulated_task& t : all)
      if(t.rank == rank - 1)
        senders.push_back(&t);
    const simulated_task& from = *senders[random_() % senders.size()];
    const double posted = from.begin + up_to(static_cast<unsigned>(from.end - from.begin));
    const double arrived = posted + 1 + up_to(100);
    made.message({from.rank, from.number}, posted, {rank, number}, arrived);
    return arrived;
  }

  std::mt19937 random_;
};

} // namespace made
