#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

// CPU quotas of Linux control groups, versions 1 and 2.
//
// A quota is set on a group and holds for all groups below it, so that the one that counts is the
// smallest on the way from the process' own group to the root. In a container the upper part of
// that way may be out of sight; what can't be read doesn't bound.

namespace rondo::detail::inline core {

/// Version 2, `cpu.max`: "200000 100000" is two CPUs, "max 100000" is no bound.
std::optional<double> parse_cgroup_quota(std::string_view cpu_max);

/// Version 1, `cpu.cfs_quota_us` and `cpu.cfs_period_us`: a quota of -1 is no bound.
std::optional<double> parse_cgroup_quota(std::string_view quota_us, std::string_view period_us);

/// The process' group in the hierarchy of `controller` from /proc/self/cgroup; "" asks for
/// version 2's.
std::optional<std::string> parse_cgroup_path(
  std::string_view proc_cgroup, std::string_view controller);

struct cgroup_mount {
  std::string root;  ///< the group that is seen at `point`
  std::string point; ///< directory
};

/// Where that hierarchy is mounted, from /proc/self/mountinfo.
std::optional<cgroup_mount> parse_cgroup_mount(
  std::string_view mountinfo, std::string_view controller);

/// The content of a file, or nothing when it can't be read.
using file_reader = std::function<std::optional<std::string>(const std::string& path)>;

struct cgroup_bound {
  double cpus;
  std::string directory; ///< Of the group that has the quota, as this process sees it.
};

/// The smallest quota in CPUs that holds for this process; nothing when unbounded.
std::optional<cgroup_bound> find_cgroup_bound(const file_reader& read);

/// Only its CPUs.
std::optional<double> cgroup_quota(const file_reader& read);

/// Reads real files.
std::optional<std::string> read_file(const std::string& path);

} // namespace rondo::detail::inline core
