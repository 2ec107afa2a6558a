#pragma once

/// \file
/// The launches that write and read files of fields: docs/protocols/output.md.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>

#include <rondo/distributed/broadcast.hpp>
#include <rondo/distributed/collective.hpp>
#include <rondo/distributed/output.hpp>

#include "../waiting_thread.hpp"
#include "counts_before.hpp"
#include "element_places.hpp"
#include "format.hpp"
#include "numbers.hpp"
#include "staging.hpp"

namespace rondo::detail::inline distributed {

/// The file that is being written, as this rank has it.
struct open_file {
  system_file file; ///< Not open: it failed, or none is written in this call.
  std::string part; ///< Its name until it is complete.
  file_turn turn;
  file_contents contents;
  std::string error;              ///< The first one.
  mutable std::string disk_error; ///< The same while colors are written: the disk thread's.

  void keep_disk_error() {
    if(error.empty())
      error = std::move(disk_error);
  }
};

struct file_to_read {
  system_file file;
  file_contents contents;
  element_places places;
};

class output_desk {
public:
  explicit output_desk(scheduler& s);
  static output_desk& of(scheduler& s);

  future<std::uint64_t> write(
    file_request what, const future<double>& time, const std::source_location& where);
  future<double> read(file_request what, const std::source_location& where);
  /// Copies of its colors are not needed any more.
  void forget(std::uint32_t topology) { staging_.erase(topology); }

private:
  using request = std::shared_ptr<const file_request>;
  using failures = reduction<int, fold::sum_type>;
  struct begun;
  struct ended;
  /// What a write sends between ranks; null where there is nobody to send to. Collectives that are missing are made, on all ranks alike.
  struct collectives {
    broadcast* start;
    broadcast* end;
    failures* failed;
    counts_before* rows; ///< Null if no field has any.
  };

  /// Of the colors of a file.
  struct copies {
    staging& regions;
    std::shared_ptr<const staged_values> values;
  };

  const file_format& check(
    file_request& r, const char* task, const std::source_location& where, bool is_written);
  staging& staging_for(const topology_state& t);
  /// Returns nothing in a pass that doesn't run, in which they can't be made.
  std::optional<collectives> find_collectives(const file_request& r);

  void launch_turn(const request& r, region<file_turn>& turn, const std::source_location& where);
  void launch_copies(
    const request& r, const copies& to, region<file_turn>& turn, const std::source_location& where);
  void launch_count_of_rows(const request& r, const copies& in, counts_before& rows,
    region<file_turn>& turn, const std::source_location& where);
  void launch_creation(const request& r, const file_format& kind, region<file_turn>& turn,
    const future<double>& time, const collectives& c, const std::source_location& where);
  void launch_opening(
    const request& r, region<file_turn>& turn, broadcast& start, const std::source_location& where);
  void launch_colors(
    const request& r, const copies& from, counts_before* rows, const std::source_location& where);
  void launch_sync(const std::source_location& where);
  void launch_count_of_failures(
    const request& r, failures& failed, const std::source_location& where);
  future<std::uint64_t> launch_completion(const request& r, const file_format& kind,
    const collectives& c, const std::source_location& where);

  scheduler& s_;
  file_turn turn_; ///< Of files that are no series.
  region<file_turn> single_;
  open_file open_;
  region<open_file> writing_;
  file_to_read input_;
  region<file_to_read> reading_;
  std::map<std::uint32_t, staging> staging_;
  waiting_thread disk_; ///< Goes first.
};

} // namespace rondo::detail::inline distributed
