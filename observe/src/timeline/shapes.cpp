#include "shapes.hpp"

#include <exception>

#include <rondo/observe/timeline/event.hpp>

namespace rondo::detail::inline observe {

namespace {
std::uint64_t hash_of(const site_key& key, const launch_info& info, bool with_accesses) {
  std::uint64_t h = reinterpret_cast<std::uintptr_t>(key.name);
  const auto mix = [&h](std::uint64_t part) { h = (h ^ (h >> 29U)) * 0x9e3779b97f4a7c15U + part; };
  mix(key.line);
  mix(key.step);
  mix(with_accesses ? 1 : 0);
  for(std::size_t i = 0; with_accesses && i != info.accesses; ++i) {
    const access_info a = info.access(i);
    mix(std::uint64_t{a.region.field} << 32U | a.region.part);
    mix(static_cast<std::uint64_t>(a.mode));
  }
  return h;
}
} // namespace

bool shape_table::is(std::uint32_t number, const site_key& key, const launch_info& info) const {
  const shape& s = shapes_[number];
  if(entries_[number].key != key || s.what.how != info.how || s.what.has_task != info.has_task ||
     s.what.futures != info.futures || s.what.has_result != info.has_result)
    return false;
  if(!s.what.knows_accesses)
    return true;
  if(s.what.accesses.size() != info.accesses)
    return false;
  for(std::size_t i = 0; i != info.accesses; ++i) {
    const access_info a = info.access(i);
    if(s.what.accesses[i].region != a.region || s.what.accesses[i].mode != a.mode)
      return false;
  }
  return true;
}

std::uint32_t shape_table::number_of(const launch_info& info, site_table& sites) noexcept {
  const site_key key = site_key::of(info.name, info.where, info.id.flow, info.id.step);
  if(!shapes_.empty()) {
    const std::uint32_t expected = entries_[last_].next;
    if(shapes_[expected].what.knows_accesses && is(expected, key, info)) [[likely]]
      return last_ = expected;
  }
  try {
    const std::uint32_t before = last_;
    last_ = find(key, info, sites);
    entries_[before].next = last_;
    return last_;
  }
  catch(const std::exception&) { // no memory
    return timeline_event::most_index;
  }
}

std::uint32_t shape_table::find(const site_key& key, const launch_info& info, site_table& sites) {
  for(const bool with_accesses : {true, false}) {
    const std::uint64_t hash = hash_of(key, info, with_accesses);
    const auto [first, last] = by_hash_.equal_range(hash);
    for(auto at = first; at != last; ++at)
      if(shapes_[at->second].what.knows_accesses == with_accesses && is(at->second, key, info))
        return at->second;
    if(with_accesses && shapes_.size() >= most)
      continue; // there are few names, so these have room
    const std::uint32_t number = add(key, info, sites, with_accesses);
    by_hash_.emplace(hash, number);
    return number;
  }
  return timeline_event::most_index;
}

std::uint32_t shape_table::add(
  const site_key& key, const launch_info& info, site_table& sites, bool has_accesses) {
  shape s;
  s.what.knows_accesses = has_accesses;
  s.what.site = sites.number_of(key, info.where);
  s.what.how = info.how;
  s.what.has_task = info.has_task;
  s.what.futures = info.futures;
  s.what.has_result = info.has_result;
  s.step = info.id.step;
  if(has_accesses) {
    s.what.details = info.details();
    for(std::size_t i = 0; i != info.accesses; ++i) {
      const access_info a = info.access(i);
      s.what.accesses.push_back({a.region, a.mode});
    }
  }
  entries_.resize(shapes_.size()); // one more is there if there was no memory for its shape
  entries_.push_back({key});
  shapes_.push_back(std::move(s));
  return static_cast<std::uint32_t>(shapes_.size() - 1);
}

} // namespace rondo::detail::inline observe
