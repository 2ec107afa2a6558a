#include "options_for_rank.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <rondo/core/cpus.hpp>
#include <rondo/core/machine.hpp>

#include "deal.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// How many ranks there are on this node, as their launcher says; 0 if it does not.
unsigned started_here() {
  for(const char* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
    if(const char* const text = std::getenv(name)) {
      const std::string_view s = text;
      unsigned n = 0;
      if(std::from_chars(s.data(), s.data() + s.size(), n).ec == std::errc() && n != 0)
        return n;
    }
  return 0;
}

/// A core by the number that all ranks know, and by the hardware thread of it that this one may use.
struct known_core {
  unsigned number;
  unsigned thread;
};

/// The cores of the machine that this process may use just now, near ones next to each other. Asks hwloc.
std::vector<known_core> near_cores(const std::vector<unsigned>& allowed) {
  std::vector<unsigned> threads;
  for(const core_info& c : this_machine().cores)
    threads.push_back(c.os_index);
  const std::vector<unsigned> numbers = cores_of(threads);
  std::vector<known_core> known;
  for(std::size_t i = 0; i != threads.size(); ++i)
    if(std::ranges::binary_search(allowed, numbers[i]))
      known.push_back({numbers[i], threads[i]});
  return known;
}

/// What a rank tells the others: these numbers, and then its cores.
struct told {
  std::uint32_t started = 0; ///< Ranks on this node.
  std::uint32_t workers = 0;
  std::uint32_t limit = 0;
  std::uint32_t limited_by[2] = {0, 0};
};

std::vector<std::byte> pack(std::uint32_t started, const rank_cores& r) {
  const told head{started, r.workers, r.limit,
    {static_cast<std::uint32_t>(r.limited_by), static_cast<std::uint32_t>(r.limited_by >> 32U)}};
  std::vector<std::byte> bytes(sizeof head + r.cores.size() * sizeof(unsigned));
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, r.cores.data(), r.cores.size() * sizeof(unsigned));
  return bytes;
}

/// Returns `started`.
unsigned unpack(std::span<const std::byte> bytes, rank_cores& r) {
  told head;
  std::memcpy(&head, bytes.data(), sizeof head);
  r.workers = head.workers;
  r.limit = head.limit;
  r.limited_by = std::uint64_t{head.limited_by[1]} << 32U | head.limited_by[0];
  r.cores.resize((bytes.size() - sizeof head) / sizeof(unsigned));
  std::memcpy(r.cores.data(), bytes.data() + sizeof head, r.cores.size() * sizeof(unsigned));
  return head.started;
}

} // namespace

executor_options options_for_rank(transport& t) {
  executor_options o = executor::default_options();
  unsigned started = started_here();
  if(t.ranks() == 1 && started <= 1)
    return o;

  rank_cores mine{.cores = cores_here(), .workers = o.workers};
  std::vector<known_core> known;
  if(o.bind) {
    known = near_cores(mine.cores);
    if(!known.empty()) {
      mine.cores.clear();
      std::ranges::transform(known, std::back_inserter(mine.cores), &known_core::number);
    }
  }
  if(const auto limit = limit_here()) {
    mine.limited_by = limit->group;
    mine.limit = static_cast<unsigned>(std::clamp(std::ceil(limit->cpus), 1.0, 1e6));
  }

  const transport::words_of_node all = t.tell_node(pack(started, mine));
  if(all.said.size() == 1 && started <= 1)
    return o;
  std::vector<rank_cores> ranks(all.said.size());
  for(std::size_t i = 0; i != ranks.size(); ++i)
    started = std::max(started, unpack(all.said[i], ranks[i]));
  const bool are_too_many = leave_for_others(ranks, started, cores_of_machine());

  const dealt_cores dealt = deal_cores(ranks)[all.here];
  const auto cores = static_cast<unsigned>(dealt.cores.size());
  if(o.workers == 0)
    o.workers = std::min(cores, executor::most_workers);
  o.shares_cores = o.workers > cores || dealt.are_shared || are_too_many;
  if(!known.empty())
    for(const unsigned number : dealt.cores)
      o.cores.push_back(std::ranges::find(known, number, &known_core::number)->thread);
  return o;
}

} // namespace rondo::detail::inline distributed
