#include "cgroup.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace rondo::detail;

namespace {

file_reader fake(std::map<std::string, std::string> files) {
  return [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if(found == files.end())
      return std::nullopt;
    return found->second;
  };
}

const std::string v2_mount =
  "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string v1_mount =
  "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n";

} // namespace

TEST_CASE("cpu.max is quota over period") {
  CHECK(parse_cgroup_quota("200000 100000\n") == 2.0);
  CHECK(parse_cgroup_quota("150000 100000") == 1.5);
  CHECK(parse_cgroup_quota("50000") == 0.5);
  CHECK(parse_cgroup_quota("max 100000\n") == std::nullopt);
}

TEST_CASE("what is not a quota does not bound") {
  for(const auto* text : {"", "\n", "lots", "0 100000", "-1 100000", "1000 0", "1000 x", "1 2x"})
    CHECK(parse_cgroup_quota(text) == std::nullopt);
}

TEST_CASE("the older pair of files says -1 for unbounded") {
  CHECK(parse_cgroup_quota("400000\n", "100000\n") == 4.0);
  CHECK(parse_cgroup_quota("-1\n", "100000\n") == std::nullopt);
}

TEST_CASE("a process' group is found by controller") {
  const std::string groups = "4:memory:/m\n3:cpu,cpuacct:/batch/job:7\n1:name=systemd:/\n0::/new\n";
  CHECK(parse_cgroup_path(groups, "cpu") == "/batch/job:7");
  CHECK(parse_cgroup_path(groups, "cpuacct") == "/batch/job:7");
  CHECK(parse_cgroup_path(groups, "") == "/new");
  CHECK(parse_cgroup_path(groups, "cpuset") == std::nullopt);
  CHECK(parse_cgroup_path("", "cpu") == std::nullopt);
}

TEST_CASE("a hierarchy's mount is found by type and controller") {
  const auto v2 = parse_cgroup_mount(v1_mount + v2_mount, "");
  REQUIRE(v2);
  CHECK(v2->point == "/sys/fs/cgroup");
  const auto v1 = parse_cgroup_mount(v2_mount + v1_mount, "cpu");
  REQUIRE(v1);
  CHECK(v1->point == "/sys/fs/cgroup/cpu,cpuacct");
  CHECK(v1->root == "/");
  CHECK(!parse_cgroup_mount(v2_mount + v1_mount, "cpuset"));
  CHECK(!parse_cgroup_mount("nonsense - \n", ""));
}

TEST_CASE("the tightest quota from the group to the root counts") {
  std::map<std::string, std::string> files{{"/proc/self/cgroup", "0::/user/batch/job\n"},
    {"/proc/self/mountinfo", v2_mount}, {"/sys/fs/cgroup/user/batch/job/cpu.max", "max 100000\n"},
    {"/sys/fs/cgroup/user/batch/cpu.max", "300000 100000\n"},
    {"/sys/fs/cgroup/user/cpu.max", "800000 100000\n"}};
  CHECK(cgroup_quota(fake(files)) == 3.0);
  files["/sys/fs/cgroup/user/cpu.max"] = "150000 100000\n";
  CHECK(cgroup_quota(fake(files)) == 1.5);
}

TEST_CASE("the group whose quota counts is known by its directory") {
  const auto bound = find_cgroup_bound(fake({{"/proc/self/cgroup", "0::/user/batch/job\n"},
    {"/proc/self/mountinfo", v2_mount}, {"/sys/fs/cgroup/user/batch/cpu.max", "300000 100000\n"},
    {"/sys/fs/cgroup/user/cpu.max", "800000 100000\n"}}));
  REQUIRE(bound);
  CHECK(bound->cpus == 3.0);
  CHECK(bound->directory == "/sys/fs/cgroup/user/batch");
  CHECK(!find_cgroup_bound(fake({})));
}

TEST_CASE("in a container the quota is at the mount's own root") {
  CHECK(cgroup_quota(fake({{"/proc/self/cgroup", "0::/\n"}, {"/proc/self/mountinfo", v2_mount},
          {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}})) == 2.0);
}

TEST_CASE("version 1 is read where a container sees it") {
  // The group's path is that of the host; the mount shows the part below /docker/c0ffee.
  const std::string mount =
    "32 31 0:29 /docker/c0ffee /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";
  CHECK(cgroup_quota(fake({{"/proc/self/cgroup", "2:cpu:/docker/c0ffee/inner\n"},
          {"/proc/self/mountinfo", mount}, {"/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "-1\n"},
          {"/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n"},
          {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "250000\n"},
          {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}})) == 2.5);
}

TEST_CASE("no control groups, no quota") {
  CHECK(cgroup_quota(fake({})) == std::nullopt);
  CHECK(cgroup_quota(fake({{"/proc/self/cgroup", "garbage"},
          {"/proc/self/mountinfo", "garbage"}})) == std::nullopt);
}

TEST_CASE("a group that is seen at the usual place is found without the list of mounts") {
  const auto groups = [](const char* text) {
    return std::pair<const std::string, std::string>("/proc/self/cgroup", text);
  };
  SECTION("version 2") {
    CHECK(cgroup_quota(fake({groups("0::/a/b\n"), {"/sys/fs/cgroup/a/b/cgroup.controllers", ""},
            {"/sys/fs/cgroup/a/cpu.max", "300000 100000\n"}})) == 3.0);
  }
  SECTION("version 2 at its own root") {
    CHECK(cgroup_quota(fake({groups("0::/\n"), {"/sys/fs/cgroup/cgroup.controllers", ""},
            {"/sys/fs/cgroup/cpu.max", "150000 100000\n"}})) == 1.5);
  }
  SECTION("version 1 beside version 2") {
    CHECK(cgroup_quota(fake({groups("1:cpu,cpuacct:/a\n0::/a\n"),
            {"/sys/fs/cgroup/unified/a/cgroup.controllers", "memory\n"},
            {"/sys/fs/cgroup/cpu/a/cpu.shares", "1024\n"},
            {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n"},
            {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}})) == 4.0);
  }
}

TEST_CASE(
  "what lies at the usual place and isn't the group's doesn't keep from looking at the mounts") {
  const std::string elsewhere = "29 23 0:26 / /groups rw - cgroup2 cgroup2 rw\n";
  CHECK(
    cgroup_quota(fake({{"/proc/self/cgroup", "0::/a\n"}, {"/proc/self/mountinfo", elsewhere},
      {"/sys/fs/cgroup/cgroup.controllers", "cpu\n"}, {"/sys/fs/cgroup/cpu.max", "700000 100000\n"},
      {"/groups/a/cpu.max", "200000 100000\n"}})) == 2.0);
}
