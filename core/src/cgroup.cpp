#include "cgroup.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

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

void keep_smaller(std::optional<cgroup_bound>& smallest, std::optional<double> quota,
  const std::string& directory) {
  if(quota && (!smallest || *quota < smallest->cpus))
    smallest = {*quota, directory};
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

namespace {

/// Where the process' group is to be looked for: at the usual place if it is there, which spares the list of all
/// mounts, and otherwise where that list says.
class hierarchy {
public:
  /// `marker` is a small file that every group has.
  hierarchy(std::string controller, std::string group, std::vector<std::string> usual_points,
    std::string_view marker)
      : controller_(std::move(controller)), group_(std::move(group)),
        usual_points_(std::move(usual_points)), marker_(marker) {}

  template<class Look>
  void climb_up(const file_reader& read, std::optional<std::string>& mounts, Look look) const {
    if(const auto mount = find(read, mounts))
      climb(*mount, group_, look);
  }

private:
  [[nodiscard]] std::optional<cgroup_mount> find(
    const file_reader& read, std::optional<std::string>& mounts) const {
    const std::string below = (group_ == "/" ? "" : group_) + "/" + std::string(marker_);
    for(const std::string& point : usual_points_)
      if(read(point + below))
        return cgroup_mount{"/", point};
    if(!mounts)
      mounts = read("/proc/self/mountinfo").value_or("");
    return parse_cgroup_mount(*mounts, controller_);
  }

  std::string controller_;
  std::string group_;
  std::vector<std::string> usual_points_;
  std::string_view marker_;
};

} // namespace

std::optional<cgroup_bound> find_cgroup_bound(const file_reader& read) {
  std::optional<cgroup_bound> smallest;
  const auto groups = read("/proc/self/cgroup");
  if(!groups)
    return smallest;

  // On mixed systems both versions are mounted, and the cpu controller is in one of them.
  std::optional<std::string> mounts;
  if(auto group = parse_cgroup_path(*groups, ""))
    hierarchy(
      "", *std::move(group), {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}, "cgroup.controllers")
      .climb_up(read, mounts, [&](const std::string& directory) {
        if(const auto text = read(directory + "/cpu.max"))
          keep_smaller(smallest, parse_cgroup_quota(*text), directory);
      });

  if(auto group = parse_cgroup_path(*groups, "cpu"))
    hierarchy("cpu", *std::move(group), {"/sys/fs/cgroup/cpu"}, "cpu.shares")
      .climb_up(read, mounts, [&](const std::string& directory) {
        const auto quota = read(directory + "/cpu.cfs_quota_us");
        const auto period = read(directory + "/cpu.cfs_period_us");
        if(quota && period)
          keep_smaller(smallest, parse_cgroup_quota(*quota, *period), directory);
      });
  return smallest;
}

std::optional<double> cgroup_quota(const file_reader& read) {
  const auto bound = find_cgroup_bound(read);
  return bound ? std::optional(bound->cpus) : std::nullopt;
}

/// With the kernel's own calls: a stream takes longer to make than these files take to read, and the first
/// one of a process much longer.
std::optional<std::string> read_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if(file < 0)
    return std::nullopt;
  std::optional<std::string> text(std::in_place);
  std::array<char, 4096> part;
  ssize_t count = 0;
  while((count = read(file, part.data(), part.size())) > 0 || (count < 0 && errno == EINTR))
    if(count > 0)
      text->append(part.data(), static_cast<std::size_t>(count));
  close(file);
  if(count < 0)
    text.reset();
  return text;
}

} // namespace rondo::detail::inline core
