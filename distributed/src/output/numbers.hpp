#pragma once

/// \file
/// How the files of a series are called, and which calls of `write` make one. Passes of a loop are launched ahead, or once for all,
/// so that is counted by launches, as they run.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline distributed {

/// The file that is written next.
struct file_turn {
  std::string path;
  std::uint64_t number = 0; ///< Of the file in its series.
  bool is_left_out = false;
};

class file_numbers {
public:
  /// `path`: with the ending; ".pvd" stands for `listed`, ".vti", and a list of the files. Throws std::invalid_argument if there are no such
  /// files. `calls`: which an earlier run has made.
  file_numbers(flow& f, const std::string& path, std::uint64_t every, std::uint64_t calls,
    const std::string& listed);

  [[nodiscard]] region<file_turn>& turn() { return region_; }
  [[nodiscard]] std::string path_of(std::uint64_t number) const;
  /// A name like those of the files, to choose the kind of file by.
  [[nodiscard]] std::string any_path() const { return path_of(0); }
  /// For the next call, by a launch that writes `turn`.
  void count(file_turn& turn);
  /// On the rank that completes files, at the beginning: keeps what that run has listed in these calls, and takes away what it has
  /// written later.
  void take_up();
  /// On the same rank: one more is there.
  void add_to_list(const file_turn& turn, double time);

private:
  void write_list() const;
  /// Of a file, if its name is one of the series.
  [[nodiscard]] std::optional<std::uint64_t> number_in(std::string_view name) const;

  std::string before_;
  std::string ending_;
  std::string list_; ///< Its path; empty if there is none.
  std::uint64_t every_;
  std::uint64_t calls_ = 0;
  std::string listed_; ///< So far.
  file_turn turn_;
  region<file_turn> region_;
};

} // namespace rondo::detail::inline distributed
