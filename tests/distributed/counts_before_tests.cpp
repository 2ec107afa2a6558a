// How many rows the ranks before have: the messages by which that is found, for many ranks.

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "output/counts_before.hpp"

using namespace rondo;

namespace {

struct rank_of_sum {
  std::vector<reduction_step> steps;
  std::size_t next = 0;
  std::uint64_t before = 0;
  std::uint64_t so_far = 0;
};

/// What ranks know at the end, if each of them has `own` to begin with. Messages between two ranks come in the order in which they are sent.
std::vector<rank_of_sum> run(const std::vector<std::uint64_t>& own) {
  const auto ranks = static_cast<unsigned>(own.size());
  std::vector<rank_of_sum> all(ranks);
  for(unsigned r = 0; r != ranks; ++r) {
    all[r].steps = detail::steps_of_counts(r, ranks);
    all[r].so_far = own[r];
  }
  std::map<std::pair<unsigned, unsigned>, std::deque<std::uint64_t>> on_the_way;
  for(bool goes_on = true; goes_on;) {
    goes_on = false;
    for(unsigned r = 0; r != ranks; ++r) {
      rank_of_sum& me = all[r];
      if(me.next == me.steps.size())
        continue;
      const reduction_step& s = me.steps[me.next];
      CHECK(s.send != s.receive);
      if(s.send)
        on_the_way[{r, s.peer}].push_back(me.so_far);
      else {
        auto& from = on_the_way[{s.peer, r}];
        if(from.empty())
          continue;
        if(r == 0)
          me.so_far = from.front();
        else {
          me.before += from.front();
          me.so_far += from.front();
        }
        from.pop_front();
      }
      ++me.next;
      goes_on = true;
    }
  }
  for(const auto& [way, messages] : on_the_way)
    CHECK(messages.empty());
  return all;
}

} // namespace

TEST_CASE("each rank learns what those before it have, and the first one what all have") {
  for(unsigned ranks = 1; ranks != 70; ++ranks) {
    CAPTURE(ranks);
    std::vector<std::uint64_t> own;
    for(unsigned r = 0; r != ranks; ++r)
      own.push_back(std::uint64_t{1} << r % 60);
    const std::vector<rank_of_sum> all = run(own);
    std::uint64_t before = 0;
    for(unsigned r = 0; r != ranks; ++r) {
      CHECK(all[r].next == all[r].steps.size()); // nobody waits for ever
      CHECK(all[r].before == before);
      before += own[r];
      CHECK(all[r].steps.size() <= 16);
    }
    CHECK(all[0].so_far == before);
  }
}
