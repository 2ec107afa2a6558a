#include "check_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rank_state.hpp"

namespace rondo::simulate {

namespace {

void require(bool is_true, const std::string& what) {
  if(!is_true)
    throw std::runtime_error("the plan is broken: " + what);
}

/// So many streams a rank with the role needs.
struct streams_used {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

void check(const launch& l, const role& r, std::size_t sites, const std::string& what) {
  require(l.is_wait || l.site < sites, what + " has no site");
  require(std::uint64_t{l.first_before} + l.befores <= r.before.size(),
    what + " waits for more launches than are listed");
  require(l.befores < in_flight::ended, what + " waits for too many launches");
  require(std::uint64_t{l.first_action} + l.actions <= r.actions.size(),
    what + " has more messages than are listed");
  require(!l.is_wait || l.actions == 0, what + " is a wait, and has messages");
  for(const std::uint32_t d : r.before_of(l))
    require(d != 0, what + " waits for itself");
}

streams_used check(const role& r, std::size_t sites, const std::string& what) {
  require(r.launches.size() < std::uint64_t{1} << 31, what + " has too many launches");
  require(r.loop_begin <= r.loop_end && r.loop_end <= r.launches.size(),
    "the loop of " + what + " is not within its launches");
  for(std::size_t i = 0; i != r.launches.size(); ++i)
    check(r.launches[i], r, sites, "launch " + std::to_string(i) + " of " + what);
  streams_used s;
  for(const action& a : r.actions) {
    std::uint64_t& most = a.is_sent ? s.out : s.in;
    most = std::max(most, std::uint64_t{a.stream} + 1);
  }
  return s;
}

} // namespace

void check(const plan& p) {
  require(p.ranks.size() < std::uint64_t{1} << 31, "it has too many ranks");
  std::vector<streams_used> used;
  for(std::size_t i = 0; i != p.roles.size(); ++i)
    used.push_back(check(p.roles[i], p.sites.size(), "role " + std::to_string(i)));
  for(std::size_t i = 0; i != p.ranks.size(); ++i) {
    const rank& r = p.ranks[i];
    const std::string what = "rank " + std::to_string(i);
    require(r.role < p.roles.size(), what + " has no role");
    require(used[r.role].out <= r.out.size() && used[r.role].in <= r.in.size(),
      what + " has fewer streams of messages than its role needs");
    const auto is_rank = [&](const stream& s) { return s.peer < p.ranks.size(); };
    require(std::ranges::all_of(r.out, is_rank) && std::ranges::all_of(r.in, is_rank),
      what + " has messages for a rank that there is not");
  }
}

} // namespace rondo::simulate
