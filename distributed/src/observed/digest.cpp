#include "digest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <rondo/core/cpus.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/observe/digest_file.hpp>
#include <rondo/observe/timeline/timeline.hpp>
#include <rondo/observe/whole_run.hpp>

#include "../direct.hpp"
#include "../failure.hpp"
#include "part_files.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// The workers of all ranks of this node, and the cores that they may use together. All ranks call it.
std::pair<std::uint32_t, std::uint32_t> look_at_node(transport& t, std::uint32_t workers) {
  std::vector<std::uint32_t> own{workers};
  for(const core_info& c : this_machine().cores)
    own.push_back(c.os_index);
  const transport::words_of_node node = t.tell_node(std::as_bytes(std::span(own)));
  std::uint32_t all_workers = 0;
  std::vector<std::uint32_t> cores;
  for(const std::vector<std::byte>& said : node.said) {
    std::vector<std::uint32_t> numbers(said.size() / sizeof(std::uint32_t));
    std::memcpy(numbers.data(), said.data(), numbers.size() * sizeof(std::uint32_t));
    all_workers += numbers.at(0);
    cores.insert(cores.end(), numbers.begin() + 1, numbers.end());
  }
  std::ranges::sort(cores);
  const auto twice = std::ranges::unique(cores);
  cores.erase(twice.begin(), twice.end());
  return {all_workers, static_cast<std::uint32_t>(cores.size())};
}

/// Nothing is in it, and nothing will be.
void give_up_file(const std::string& name) {
  std::error_code failed;
  if(std::filesystem::is_regular_file(name, failed))
    std::filesystem::remove(name, failed);
}

} // namespace

digest_of_run::digest_of_run(std::string json_file, transport& t, executor& ex)
    : json_file_(std::move(json_file)), transport_(t) {
  if(!json_file_.empty()) {
    if(t.rank() == 0) {
      remove_parts(json_file_);
      begin_digest_file(json_file_);
    }
    told_by_first(t, std::int64_t{0}); // no rank leaves a part before the old ones are gone
  }
  recorder_ = std::make_unique<recorder>(ex);
}

void digest_of_run::end(scheduler& s) {
  std::unique_ptr<recorder> done;
  const std::lock_guard lock(mutex_);
  measures m = recorder_->taken();
  m.rank = s.rank();
  const flow& f = s.launches();
  m.launches = f.launched();
  m.replayed = f.repeats().launches;
  m.in_loops = f.launched_in_loops();
  for(const trace_report& r : f.trace_reports()) {
    m.replayed += r.launches;
    m.traces.push_back({.name = r.name,
      .passes = r.passes,
      .replayed = r.replayed,
      .diverged = r.diverged,
      .is_off = r.is_off});
    for(const trace_miss& miss : r.misses)
      m.traces.back().misses.push_back({.why = miss.why, .pass = miss.pass, .count = miss.count});
  }
  const message_poller::traffic sent = s.messages().sent();
  m.sent = sent.messages;
  m.bytes = sent.bytes;
  measured_ = std::move(m);
  done = std::move(
    recorder_); // leaves behind the lock, since it waits for workers that tell it something
}

void digest_of_run::tell() {
  transport& t = transport_;
  measures own = measured_; // nobody writes it any more
  std::tie(own.workers_of_node, own.cores_of_node) = look_at_node(t, own.workers);
  std::vector<measures> ranks;
  for(const std::vector<std::byte>& said : collect_on_first(t, to_bytes(own)))
    ranks.push_back(from_bytes(said.data(), said.size()));
  const std::lock_guard lock(mutex_);
  if(std::exchange(is_told_, true) || t.rank() != 0)
    return;
  const whole_run all = put_together(std::move(ranks));
  text_ = text_of(all);
  if(json_file_.empty())
    std::fputs(text_.c_str(), stderr);
  else
    write_digest_file(json_file_, json_of(all));
}

void digest_of_run::failed(const std::string& why) {
  const unsigned rank = transport_.rank();
  const unsigned ranks = transport_.ranks();
  measures own;
  {
    const std::lock_guard lock(mutex_);
    if(std::exchange(is_told_, true))
      return;
    // The scheduler's counters are not asked for: its thread may be counting.
    own = recorder_ != nullptr ? recorder_->taken() : measured_;
  }
  own.rank = rank;
  whole_run seen = put_together({std::move(own)});
  seen.failure = why;
  seen.ranks_of_run = ranks;
  const std::string part = name_of_part(json_file_, rank, ranks);
  bool is_written = false;
  if(!json_file_.empty()) {
    if(rank == 0 && ranks != 1)
      give_up_file(json_file_);
    is_written = write_digest_file(part, json_of(seen));
  }
  // Of all ranks one is enough: that which has failed, and rank 0 if all were told to end.
  if(why.starts_with(told_to_end) && (rank != 0 || (ranks != 1 && has_heard_of_failure())))
    return;
  if(json_file_.empty())
    std::fputs(text_of(seen).c_str(), stderr);
  else if(is_written)
    std::fprintf(stderr, "rondo: the digest of this rank is in %s\n", part.c_str());
}

void digest_of_run::leave() {
  std::unique_ptr<recorder> done;
  const std::lock_guard lock(mutex_);
  done = std::move(recorder_);
}

} // namespace rondo::detail::inline distributed
