#pragma once

/// \file
/// What tests of outputs have in common: a folder, files as text, and a small run whose content is known.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <rondo/observe/timeline/timeline.hpp>

struct folder_of_test {
  std::filesystem::path name =
    std::filesystem::temp_directory_path() /
    ("rondo_outputs_" +
      std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  folder_of_test() { std::filesystem::create_directory(name); }
  ~folder_of_test() { std::filesystem::remove_all(name); }
  [[nodiscard]] std::string file(const std::string& of) const { return name / of; }
};

inline std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Two ranks, of which rank 0 sends rank 1 a message. On the main thread of rank 0 a phase with a wait in it; on its worker a task
/// within another one, and sleep.
inline rondo::detail::timeline small_run() {
  using namespace rondo;
  using namespace rondo::detail;
  using time_is = told_time::what_type;
  using message_is = message_info::what_type;

  timeline_lane main_0;
  main_0.sites = {{"step", "main.cpp:7", {}, 0}, {"u", "main.cpp:8", {}, 0},
    {"relax, \"red\"\n\xc3\xa4", "a,b.cpp:3", {}, 1}};
  main_0.shapes = {{2, ", color 3", launch_info::how_type::replayed, true, 0, false, true,
    {{{4, 6}, access_info::mode_type::write}, {{0, 1}, access_info::mode_type::read}}}};
  main_0.launches = {{500, 0, 0, 12, 1}};
  main_0.messages = {{4'000, message_is::posted, 5, 1, 0, 64, {1, 0, 12, 0}},
    {5'000, message_is::sent, 5, 1, 0, 64, {}}, {9'000, message_is::posted, 5, 1, 1, 32, {}}};
  main_0.passes = {{100, told_pass::what_type::begun, pass_info::kind_type::iterate, 0, 3, 2, 1}};
  main_0.times = {{2'000, 3'000, time_is::waited_region, 1}, {1'000, 8'000, time_is::phase, 0}};

  timeline_lane worker_0;
  worker_0.is_of_worker = true;
  worker_0.sites = {
    {"relax, \"red\"\n\xc3\xa4", "a,b.cpp:3", {}, 1}, {"", "", task_info::kind_type::fork, 0}};
  worker_0.tasks = {{1'500, 2'500, 1, 0, 77, 0, true, true},
    {1'000, 3'000, 0, 0, 12, 0, true, true}, {3'000, 4'000, 0, 2, 13, 9, true, false}};
  worker_0.times = {{4'000, 1'500'000'000, time_is::slept, 0}};

  timeline_lane main_1;
  // By its clock it has arrived before it was posted.
  main_1.messages = {{3'990, message_is::arrived, 5, 0, 0, 64, {}},
    {6'000, message_is::taken, 5, 0, 0, 64, {1, 0, 20, 0}}};

  timeline t;
  t.program = "./heat --size 4";
  t.began = "2026-11-26 15:40:02 UTC";
  t.ranks_of_run = 2;
  t.ranks.resize(2);
  t.ranks[0].host = "node17";
  t.ranks[0].ended = 1'500'000'000;
  t.ranks[0].lanes = {main_0, worker_0};
  t.ranks[1].rank = 1;
  t.ranks[1].host = "node18";
  t.ranks[1].lanes = {main_1};
  return t;
}
