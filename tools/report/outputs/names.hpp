#pragma once

/// \file
/// What people call the things of a timeline.

#include <cstdint>
#include <string>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// "rank 3 on node17"
std::string label_of(const detail::timeline_rank& rank);
/// "main thread", "thread 2", "worker 5"
std::string label_of(const detail::timeline_lane& lane);

/// An empty one if there is none with that index.
const detail::timeline_site& site_of(const detail::timeline_lane& lane, std::uint32_t index);

const char* word_of(task_info::kind_type kind);
const char* word_of(launch_info::how_type how);
const char* word_of(access_info::mode_type mode);
const char* word_of(detail::told_pass::what_type what);
const char* word_of(pass_info::kind_type kind);
const char* word_of(detail::told_time::what_type what);

} // namespace rondo::report
