#include "cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <vector>

namespace rondo::detail::inline core {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while(true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if(end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if(first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<long long> parse_number(std::string_view text) {
  text = trim(text);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if(error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

bool has_controller(std::string_view list, std::string_view controller) {
  const auto names = split(list, ',');
  return std::find(names.begin(), names.end(), controller) != names.end();
}

void keep_smaller(std::optional<double>& smallest, std::optional<double> quota) {
  if(quota && (!smallest || *quota < *smallest))
    smallest = quota;
}

/// Calls `look` with the directory of the process' group and of each group above it.
template<class Look>
void climb(const cgroup_mount& mount, std::string group, Look look) {
  // Both are paths from the hierarchy's root; only what is below the mount's root can be seen.
  if(mount.root != "/") {
    if(group.starts_with(mount.root))
      group.erase(0, mount.root.size());
    else
      group.clear();
  }
  while(group.ends_with('/'))
    group.pop_back();
  while(true) {
    look(mount.point + group);
    if(group.empty())
      return;
    const auto parent = group.rfind('/');
    group.erase(parent == std::string::npos ? 0 : parent);
  }
}

} // namespace

std::optional<double> parse_cgroup_quota(std::string_view quota_us, std::string_view period_us) {
  const auto quota = parse_number(quota_us);
  const auto period = parse_number(period_us);
  if(!quota || !period || *quota <= 0 || *period <= 0)
    return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> parse_cgroup_quota(std::string_view cpu_max) {
  const auto fields = split(trim(cpu_max), ' ');
  // "max" is not a number, so it falls out as unbounded. The period may be left out.
  return parse_cgroup_quota(fields[0], fields.size() > 1 ? fields[1] : "100000");
}

std::optional<std::string> parse_cgroup_path(
  std::string_view proc_cgroup, std::string_view controller) {
  for(const auto line : split(proc_cgroup, '\n')) {
    // "4:cpu,cpuacct:/user.slice", "0::/user.slice"; the path may itself contain colons.
    const auto first = line.find(':');
    if(first == std::string_view::npos)
      continue;
    const auto second = line.find(':', first + 1);
    if(second == std::string_view::npos)
      continue;
    const auto names = line.substr(first + 1, second - first - 1);
    if(controller.empty() ? names.empty() : has_controller(names, controller))
      return std::string(trim(line.substr(second + 1)));
  }
  return std::nullopt;
}

std::optional<cgroup_mount> parse_cgroup_mount(
  std::string_view mountinfo, std::string_view controller) {
  for(const auto line : split(mountinfo, '\n')) {
    // id parent dev root point options [tags] - type source superoptions; see proc(5).
    const auto dash = line.find(" - ");
    if(dash == std::string_view::npos)
      continue;
    const auto before = split(line.substr(0, dash), ' ');
    const auto after = split(line.substr(dash + 3), ' ');
    if(before.size() < 5 || after.size() < 3)
      continue;
    const bool matches = controller.empty()
                           ? after[0] == "cgroup2"
                           : after[0] == "cgroup" && has_controller(after[2], controller);
    if(matches)
      return cgroup_mount{std::string(before[3]), std::string(before[4])};
  }
  return std::nullopt;
}

std::optional<double> cgroup_quota(const file_reader& read) {
  std::optional<double> smallest;
  const auto groups = read("/proc/self/cgroup");
  const auto mounts = read("/proc/self/mountinfo");
  if(!groups || !mounts)
    return smallest;

  // On mixed systems both versions are mounted, and the cpu controller is in one of them.
  const auto group_v2 = parse_cgroup_path(*groups, "");
  const auto mount_v2 = parse_cgroup_mount(*mounts, "");
  if(group_v2 && mount_v2)
    climb(*mount_v2, *group_v2, [&](const std::string& directory) {
      if(const auto text = read(directory + "/cpu.max"))
        keep_smaller(smallest, parse_cgroup_quota(*text));
    });

  const auto group_v1 = parse_cgroup_path(*groups, "cpu");
  const auto mount_v1 = parse_cgroup_mount(*mounts, "cpu");
  if(group_v1 && mount_v1)
    climb(*mount_v1, *group_v1, [&](const std::string& directory) {
      const auto quota = read(directory + "/cpu.cfs_quota_us");
      const auto period = read(directory + "/cpu.cfs_period_us");
      if(quota && period)
        keep_smaller(smallest, parse_cgroup_quota(*quota, *period));
    });
  return smallest;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path);
  if(!in)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

} // namespace rondo::detail::inline core
