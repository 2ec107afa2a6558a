#include "random_times.hpp"

#include <algorithm>
#include <stdexcept>

#include "nanoseconds.hpp"

namespace rondo::simulate {

namespace {

/// A task of Rondo's own that was not measured, because there was one rank, say.
constexpr double short_task = 1000;

/// The end of splitmix64: each bit of the result depends on all of x.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// FNV-1a, as std::hash is another one for each library.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for(const char c : text)
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

/// From 0 to below 1.
double fraction(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

double one_of(std::span<const double> all, std::uint64_t hash) {
  const auto i = static_cast<std::size_t>(fraction(hash) * static_cast<double>(all.size()));
  return all[std::min(i, all.size() - 1)];
}

double between(std::span<const double> sorted, std::uint64_t hash) {
  const double x = fraction(hash) * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(x);
  const double low = sorted[i];
  const double high = sorted[std::min(i + 1, sorted.size() - 1)];
  return low + (high - low) * (x - static_cast<double>(i));
}

} // namespace

random_times::random_times(const plan& p, const costs& c, std::uint64_t seed)
    : sites_(p.sites.size()), seed_(mix(seed + 0x9e3779b97f4a7c15U)) {
  std::vector<bool> has_tasks(p.sites.size());
  for(const role& r : p.roles)
    for(const launch& l : r.launches)
      if(l.has_task && !l.is_wait)
        has_tasks[l.site] = true;
  for(std::size_t i = 0; i != p.sites.size(); ++i) {
    const std::string key = key_of(p.sites[i].name, p.sites[i].place);
    sites_[i].hash = hash_of(key);
    if(const auto at = c.tasks.find(key); at != c.tasks.end() && !at->second.levels.empty()) {
      sites_[i].levels = at->second.levels;
      sites_[i].spread = at->second.spread;
    }
    else if(has_tasks[i] && !is_of_runtime(p.sites[i].name))
      throw std::runtime_error(
        "the measured run has no task " + key + ": measure a run of the same program that has one");
  }
}

std::int64_t random_times::of(std::uint32_t rank, std::uint32_t site, std::uint32_t number) const {
  const measured& m = sites_[site];
  if(m.levels.empty())
    return to_nanoseconds(short_task);
  const std::uint64_t of_rank = mix(seed_ ^ (m.hash + rank * 0x9e3779b97f4a7c15U));
  const double level = one_of(m.levels, of_rank);
  if(m.spread.empty())
    return to_nanoseconds(level);
  // The rank's own hash must not be seen in its tasks': it is mixed once more.
  const std::uint64_t of_task = mix(of_rank + (number + 1ULL) * 0xd1342543de82ef95U);
  return to_nanoseconds(level * between(m.spread, of_task));
}

} // namespace rondo::simulate
