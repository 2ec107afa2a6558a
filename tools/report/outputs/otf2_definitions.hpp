#pragma once

/// \file
/// What events of OTF2 refer to: strings, regions, ranks, lanes.

#include "slices.hpp"
#include "times.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <otf2/otf2.h>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

class otf2_definitions {
public:
  static constexpr OTF2_CommRef communicator = 0; ///< Of all ranks that there are.

  explicit otf2_definitions(const detail::timeline& t);

  OTF2_RegionRef region(const detail::timeline_lane& lane, const slice& s);
  /// Where it is among the ranks that there are, which is what messages name.
  [[nodiscard]] std::uint32_t place_of_rank(std::uint32_t rank) const { return places_.at(rank); }

  /// To be called when all regions are known. `events`: how many there are in each location.
  OTF2_ErrorCode write(
    OTF2_GlobalDefWriter* out, const time_span& span, const std::vector<std::uint64_t>& events);

private:
  void write_tree(const std::vector<std::uint64_t>& events);
  void write_regions();
  void write_communicator();
  OTF2_StringRef string(const std::string& text);
  void note(OTF2_ErrorCode code) {
    if(first_error_ == OTF2_SUCCESS)
      first_error_ = code;
  }

  const detail::timeline& t_;
  std::map<std::uint32_t, std::uint32_t> places_;
  /// By name, place and category.
  std::map<std::tuple<std::string, std::string, std::string>, OTF2_RegionRef> regions_;
  /// The same by the index of a site and the category, of the lane that was asked for last: there are few of them, and many slices.
  const detail::timeline_lane* lane_ = nullptr;
  std::map<std::pair<std::uint32_t, int>, OTF2_RegionRef> of_lane_;

  OTF2_GlobalDefWriter* out_ = nullptr;
  std::map<std::string, OTF2_StringRef> strings_;
  OTF2_ErrorCode first_error_ = OTF2_SUCCESS;
};

} // namespace rondo::report
