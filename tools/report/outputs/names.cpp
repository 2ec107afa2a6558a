#include "names.hpp"

namespace rondo::report {

std::string label_of(const detail::timeline_rank& rank) {
  return "rank " + std::to_string(rank.rank) + (rank.host.empty() ? "" : " on " + rank.host);
}

std::string label_of(const detail::timeline_lane& lane) {
  if(lane.is_of_worker)
    return "worker " + std::to_string(lane.worker);
  return lane.worker == 0 ? "main thread" : "thread " + std::to_string(lane.worker);
}

const detail::timeline_site& site_of(const detail::timeline_lane& lane, std::uint32_t index) {
  static const detail::timeline_site none;
  return index < lane.sites.size() ? lane.sites[index] : none;
}

const char* word_of(task_info::kind_type kind) {
  switch(kind) {
  case task_info::kind_type::task:
    return "task";
  case task_info::kind_type::fork:
    return "fork";
  case task_info::kind_type::node:
    return "node";
  }
  return "?";
}

const char* word_of(launch_info::how_type how) {
  switch(how) {
  case launch_info::how_type::analysed:
    return "analysed";
  case launch_info::how_type::replayed:
    return "replayed";
  case launch_info::how_type::found:
    return "found";
  case launch_info::how_type::repeated:
    return "repeated";
  }
  return "?";
}

const char* word_of(access_info::mode_type mode) {
  switch(mode) {
  case access_info::mode_type::none:
    return "none";
  case access_info::mode_type::read:
    return "read";
  case access_info::mode_type::write:
    return "write";
  case access_info::mode_type::commute:
    return "commute";
  case access_info::mode_type::reduce:
    return "reduce";
  case access_info::mode_type::write_part:
    return "write_part";
  }
  return "?";
}

const char* word_of(detail::told_pass::what_type what) {
  switch(what) {
  case detail::told_pass::what_type::begun:
    return "begun";
  case detail::told_pass::what_type::ended:
    return "ended";
  case detail::told_pass::what_type::in_vain:
    return "in vain";
  }
  return "?";
}

const char* word_of(pass_info::kind_type kind) {
  switch(kind) {
  case pass_info::kind_type::iterate:
    return "iterate";
  case pass_info::kind_type::repeat:
    return "repeat";
  case pass_info::kind_type::guard:
    return "guard";
  }
  return "?";
}

const char* word_of(detail::told_time::what_type what) {
  using enum detail::told_time::what_type;
  switch(what) {
  case waited_value:
    return "waited for a value";
  case waited_launches:
    return "waited for launches";
  case waited_region:
    return "waited for a region";
  case waited_window:
    return "waited for room in the window";
  case slept:
    return "slept";
  case phase:
    return "phase";
  }
  return "?";
}

} // namespace rondo::report
