#pragma once

/// \file
/// All that lasted in a run, as one list: what pictures and tables are made of.

#include <cstdint>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

enum class span_kind : std::uint8_t { task, fork, node, waited, slept, phase, pass };
const char* name_of(span_kind k);

/// A name, at a place of the program.
struct site {
  std::string name; ///< Never empty.
  std::string place;
  span_kind kind = span_kind::task;
  std::string what; ///< Of waits: "for a value", "for launches", ...

  friend bool operator==(const site&, const site&) = default;
};

constexpr std::uint32_t none = 0xffffffff;

struct span {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t lane = 0;
  std::uint32_t site = 0;
  std::uint32_t detail = 0; ///< In `spans::details`.
  std::uint32_t flow = 0;   ///< Of tasks, as in `task_id`.
  std::uint32_t step = 0;
  std::uint64_t number = 0;
  std::uint64_t pass = 0;
  std::uint8_t depth = 0; ///< 0 if it is not within another one of its lane.
  bool is_first = true;   ///< The task begins here,
  bool is_last = true;    ///< and ends here.

  [[nodiscard]] std::int64_t length() const { return end - begin; }
};

struct lane {
  std::uint32_t rank = 0; ///< Its number.
  bool is_of_worker = false;
  std::uint32_t number = 0;
  std::string host;
  std::string label;
  std::uint32_t first = 0; ///< Its spans.
  std::uint32_t count = 0;
};

struct spans {
  std::vector<lane> lanes; ///< By ranks, threads before workers.
  std::vector<site> sites;
  std::vector<std::string> details; ///< ", color 3"; the first one is empty.
  std::vector<span> all;     ///< Lane by lane, by their begin; an outer one before those within.
  std::int64_t end = 0;      ///< Of the run.
  std::uint64_t dropped = 0; ///< Events.
};

spans spans_of(const detail::timeline& t);

} // namespace rondo::report
