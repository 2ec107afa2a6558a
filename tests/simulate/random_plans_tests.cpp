// Random plans, played also by a simulation that looks through everything each time something has happened.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "play/random_times.hpp"
#include "play/simulation.hpp"

using namespace rondo::simulate;

namespace {

constexpr std::int64_t latency = 10;

struct slow_launch {
  launch what;
  std::uint32_t number = 0;
  std::uint32_t action = 0;
  enum { launched, running, ran, ended } state = launched;
  std::int64_t end = 0;
};

struct slow_outcome {
  std::int64_t end = 0;
  std::uint32_t stuck = 0;
};

/// Launching takes no time, and nobody waits.
slow_outcome slow_simulation(const plan& p, const random_times& times) {
  std::vector<std::vector<slow_launch>> all(p.ranks.size());
  std::vector<std::vector<std::vector<std::int64_t>>> arrivals(p.ranks.size());
  for(std::size_t r = 0; r != all.size(); ++r) {
    const role& of = p.roles[p.ranks[r].role];
    const auto append = [&](std::uint32_t from, std::uint32_t to) {
      for(std::uint32_t i = from; i != to; ++i)
        all[r].push_back({of.launches[i], std::uint32_t(all[r].size())});
    };
    append(0, of.loop_begin);
    for(std::uint32_t i = 0; i != of.repetitions; ++i)
      append(of.loop_begin, of.loop_end);
    append(of.loop_end, std::uint32_t(of.launches.size()));
    arrivals[r].resize(p.ranks[r].in.size());
  }
  std::int64_t last = 0;
  for(std::int64_t now = 0;; ++now) {
    std::uint32_t not_done = 0;
    for(std::uint32_t r = 0; r != all.size(); ++r) {
      const role& of = p.roles[p.ranks[r].role];
      const auto act = [&](slow_launch& l, bool is_leading) {
        const auto actions = of.actions_of(l.what);
        for(; l.action != actions.size(); ++l.action) {
          const action& a = actions[l.action];
          if(a.is_sent) {
            if(is_leading)
              return;
            const stream& s = p.ranks[r].out[a.stream];
            const auto& in = p.ranks[s.peer].in;
            const auto at = std::ranges::find(in, stream{r, s.channel});
            arrivals[s.peer][std::size_t(at - in.begin())].push_back(now + latency);
          }
          else {
            auto& arrived = arrivals[r][a.stream];
            if(arrived.empty() || arrived.front() > now)
              return;
            arrived.erase(arrived.begin());
          }
        }
      };
      for(bool has_changed = true; has_changed;) {
        has_changed = false;
        std::uint32_t running = 0;
        slow_launch* next = nullptr;
        for(slow_launch& l : all[r]) {
          const auto actions = of.actions_of(l.what);
          if(l.state == slow_launch::running && l.end <= now)
            l.state = slow_launch::ran, has_changed = true;
          if(l.state == slow_launch::launched) {
            const auto has_ended = [&](std::uint32_t d) {
              return d > l.number || all[r][l.number - d].state == slow_launch::ended;
            };
            if(!std::ranges::all_of(of.before_of(l.what), has_ended))
              continue;
            if(!l.what.has_task)
              l.state = slow_launch::ran, has_changed = true;
            else {
              act(l, true);
              const bool is_held = l.action != actions.size() && !actions[l.action].is_sent &&
                                   std::ranges::none_of(actions.first(l.action), &action::is_sent);
              if(!is_held && (next == nullptr || (next->what.actions == 0 && l.what.actions != 0)))
                next = &l;
            }
          }
          if(l.state == slow_launch::ran) {
            act(l, false);
            if(l.action == actions.size()) {
              l.state = slow_launch::ended;
              last = now;
              has_changed = true;
            }
          }
          running += l.state == slow_launch::running;
        }
        if(!has_changed && next != nullptr && running < p.workers) {
          next->state = slow_launch::running;
          next->end = now + times.of(r, next->what.site, next->number);
          has_changed = true;
        }
      }
      not_done += std::ranges::any_of(
        all[r], [](const slow_launch& l) { return l.state != slow_launch::ended; });
    }
    if(not_done == 0 || now > 200'000)
      return {last, not_done};
  }
}

/// All ranks send to the next one and to the one before, before it takes.
plan random_plan(std::mt19937& random) {
  const auto up_to = [&](std::uint32_t n) { return std::uint32_t(random() % (n + 1)); };
  plan p;
  p.sites = {{"a", ""}, {"b", ""}, {"halo: x", ""}};
  p.workers = 1 + up_to(2);
  role r;
  const std::uint32_t launches = 3 + up_to(12);
  r.loop_begin = up_to(launches - 1);
  r.loop_end = r.loop_begin + up_to(launches - 1 - r.loop_begin);
  r.repetitions = 1 + up_to(2);
  // Launches of one stream come one after the other: each launch waits for itself in the repetition before.
  const auto in_order = [&](launch& l) {
    if(r.loop_end != r.loop_begin) {
      r.before.push_back(r.loop_end - r.loop_begin);
      ++l.befores;
    }
  };
  for(std::uint32_t i = 0; i != launches; ++i) {
    launch l;
    l.site = up_to(1);
    l.has_task = up_to(5) != 0;
    l.first_before = std::uint32_t(r.before.size());
    l.befores = up_to(3);
    for(std::uint32_t k = 0; k != l.befores; ++k)
      r.before.push_back(1 + up_to(2 * launches));
    l.first_action = std::uint32_t(r.actions.size());
    if(up_to(4) == 0 && i + 1 != launches) {
      // One sends, before it takes, on streams of its own.
      in_order(l);
      const std::uint32_t stream = 2 * i;
      r.actions.insert(r.actions.end(),
        {{true, stream, 0}, {true, stream + 1, 0}, {false, stream, 0}, {false, stream + 1, 0}});
      if(up_to(1) == 0) { // another one takes half of it
        l.actions = 3;
        r.launches.push_back(l);
        l = {};
        l.site = up_to(1);
        l.first_before = std::uint32_t(r.before.size());
        in_order(l);
        l.first_action = std::uint32_t(r.actions.size()) - 1;
        l.actions = 1;
        ++i;
      }
      else
        l.actions = 4;
    }
    r.launches.push_back(l);
  }
  p.roles = {r};
  const std::uint32_t ranks = 2 + up_to(3);
  for(std::uint32_t k = 0; k != ranks; ++k) {
    rank x;
    for(std::uint32_t i = 0; i != 2 * launches + 2; ++i) {
      const std::uint32_t after = (k + 1) % ranks;
      const std::uint32_t before = (k + ranks - 1) % ranks;
      x.out.push_back({i % 2 == 0 ? after : before, i});
      x.in.push_back({i % 2 == 0 ? before : after, i});
    }
    p.ranks.push_back(x);
  }
  return p;
}

} // namespace

TEST_CASE("random plans end when a slow simulation says") {
  std::mt19937 random(1);
  for(int i = 0; i != 150; ++i) {
    CAPTURE(i);
    const plan p = random_plan(random);
    costs c;
    c.tasks[key_of("a", "")] = {{300, 700}, {0.5, 1, 1.7}, 1};
    c.tasks[key_of("b", "")] = {{100, 250}, {0.3, 1, 2.7}, 1};
    network n;
    n.within_node.latency = latency;
    const auto seed = std::uint64_t(i);
    const outcome o = simulate(p, c, n, {{}, 0, true, seed}); // the slow one sees messages at once
    const slow_outcome expected = slow_simulation(p, random_times(p, c, seed));
    // A message may be sent before the loop and taken within.
    CHECK(o.stuck == expected.stuck);
    CHECK(std::int64_t(o.what.seconds * 1e9 + 0.5) == expected.end);
  }
}
