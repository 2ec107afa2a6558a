#include "otf2_definitions.hpp"

#include "names.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace rondo::report {

namespace {

OTF2_RegionRole role_of(std::string_view category) {
  if(category == "task" || category == "fork" || category == "node")
    return OTF2_REGION_ROLE_TASK;
  if(category == "waited")
    return OTF2_REGION_ROLE_TASK_WAIT;
  return category == "slept" ? OTF2_REGION_ROLE_ARTIFICIAL : OTF2_REGION_ROLE_CODE;
}

} // namespace

otf2_definitions::otf2_definitions(const detail::timeline& t) : t_(t) {
  for(const auto& rank : t.ranks)
    if(!rank.lanes.empty())
      places_.emplace(rank.rank, places_.size());
}

OTF2_RegionRef otf2_definitions::region(const detail::timeline_lane& lane, const slice& s) {
  if(&lane != lane_) {
    lane_ = &lane;
    of_lane_.clear();
  }
  const auto [at, is_new] = of_lane_.try_emplace(
    {s.site, s.time == nullptr ? -1 : static_cast<int>(s.time->what)}, OTF2_UNDEFINED_REGION);
  if(is_new)
    at->second =
      regions_
        .try_emplace({name_of(lane, s), site_of(lane, s.site).place, category_of(lane, s)},
          static_cast<OTF2_RegionRef>(regions_.size()))
        .first->second;
  return at->second;
}

OTF2_ErrorCode otf2_definitions::write(
  OTF2_GlobalDefWriter* out, const time_span& span, const std::vector<std::uint64_t>& events) {
  out_ = out;
  constexpr std::uint64_t ticks_per_second = 1'000'000'000;
  note(OTF2_GlobalDefWriter_WriteClockProperties(out, ticks_per_second, 0,
    static_cast<std::uint64_t>(span.length()) + 1, OTF2_UNDEFINED_TIMESTAMP));
  write_tree(events);
  write_regions();
  write_communicator();
  return first_error_;
}

void otf2_definitions::write_tree(const std::vector<std::uint64_t>& events) {
  note(OTF2_GlobalDefWriter_WriteSystemTreeNode(
    out_, 0, string("the machine"), string("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
  OTF2_LocationGroupRef group = 0;
  OTF2_LocationRef location = 0;
  for(const auto& rank : t_.ranks) {
    const auto [host, is_new] =
      hosts.try_emplace(rank.host, static_cast<OTF2_SystemTreeNodeRef>(hosts.size() + 1));
    if(is_new)
      note(OTF2_GlobalDefWriter_WriteSystemTreeNode(
        out_, host->second, string(rank.host), string("node"), 0));
    note(OTF2_GlobalDefWriter_WriteLocationGroup(out_, group,
      string("rank " + std::to_string(rank.rank)), OTF2_LOCATION_GROUP_TYPE_PROCESS, host->second,
      OTF2_UNDEFINED_LOCATION_GROUP));
    for(const auto& lane : rank.lanes) {
      note(OTF2_GlobalDefWriter_WriteLocation(out_, location, string(label_of(lane)),
        OTF2_LOCATION_TYPE_CPU_THREAD, events.at(location), group));
      ++location;
    }
    ++group;
  }
}

void otf2_definitions::write_regions() {
  const OTF2_StringRef nothing = string("");
  std::vector<const decltype(regions_)::key_type*> in_order(regions_.size());
  for(const auto& [what, number] : regions_)
    in_order.at(number) = &what;
  for(OTF2_RegionRef number = 0; number != in_order.size(); ++number) {
    const auto& [name, place, category] = *in_order[number];
    const auto colon = place.rfind(':');
    const OTF2_StringRef file = place.empty() ? nothing : string(place.substr(0, colon));
    const auto line =
      colon == std::string::npos
        ? 0
        : static_cast<std::uint32_t>(std::strtoul(place.c_str() + colon + 1, nullptr, 10));
    const OTF2_StringRef name_of_it = string(name);
    note(OTF2_GlobalDefWriter_WriteRegion(out_, number, name_of_it, name_of_it, string(category),
      role_of(category), OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, file, line, line));
  }
}

void otf2_definitions::write_communicator() {
  // The first location of each rank sends and receives. A rank without lanes does not.
  std::vector<std::uint64_t> locations, ranks;
  std::uint64_t location = 0;
  for(const auto& rank : t_.ranks) {
    if(!rank.lanes.empty()) {
      ranks.push_back(ranks.size());
      locations.push_back(location);
    }
    location += rank.lanes.size();
  }
  const auto n = static_cast<std::uint32_t>(ranks.size());
  note(OTF2_GlobalDefWriter_WriteGroup(out_, 0, string("all ranks"), OTF2_GROUP_TYPE_COMM_LOCATIONS,
    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, locations.data()));
  note(OTF2_GlobalDefWriter_WriteGroup(out_, 1, string(""), OTF2_GROUP_TYPE_COMM_GROUP,
    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, ranks.data()));
  note(OTF2_GlobalDefWriter_WriteComm(
    out_, communicator, string("all ranks"), 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

OTF2_StringRef otf2_definitions::string(const std::string& text) {
  const auto [at, is_new] =
    strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
  if(is_new)
    note(OTF2_GlobalDefWriter_WriteString(out_, at->second, text.c_str()));
  return at->second;
}

} // namespace rondo::report
