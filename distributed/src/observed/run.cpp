#include "run.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <unistd.h>

#include <rondo/core/cpus.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/distributed/clocks.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/whole_run.hpp>

#include "../direct.hpp"

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

/// A program that has run for hours should not learn at its end that it can't be written.
void check_file(const std::string& name) {
  std::FILE* const f = std::fopen(name.c_str(), "ae");
  if(f == nullptr)
    throw std::runtime_error(
      "rondo: RONDO_OBSERVE: the digest can't be written to " + name + ": " + std::strerror(errno));
  std::fclose(f);
}

void write_file(const std::string& name, const std::string& text) {
  std::FILE* const f = std::fopen(name.c_str(), "we");
  const bool is_written =
    f != nullptr && std::fwrite(text.data(), 1, text.size(), f) == text.size();
  if((f != nullptr && std::fclose(f) != 0) || !is_written)
    std::fprintf(
      stderr, "rondo: the digest can't be written to %s: %s\n", name.c_str(), std::strerror(errno));
}

} // namespace

observed_run::observed_run(wishes what, transport& t) : wishes_(std::move(what)), transport_(t) {}

void observed_run::begin(executor& ex) {
  if(transport_.rank() == 0 && !wishes_.json_file.empty())
    check_file(wishes_.json_file);
  if(!wishes_.timeline_file.empty())
    begin_timeline(ex);
  if(wishes_.wants_digest)
    recorder_.emplace(ex);
}

void observed_run::begin_timeline(executor& ex) {
  timeline_.emplace(wishes_.timeline_file, transport_.rank());
  timeline_parts& t = *timeline_;
  t.rank.rank = transport_.rank();
  t.rank.at_begin = compare_clocks(transport_);
  // All ranks count from where rank 0 begins.
  using clock = std::chrono::steady_clock;
  const std::int64_t now = std::chrono::nanoseconds(clock::now().time_since_epoch()).count();
  t.rank.run_began = clock::time_point(std::chrono::nanoseconds(told_by_first(transport_, now)));
  // Not by chance, so that two runs of one second differ: a time in nanoseconds, and the process.
  t.rank.run = static_cast<std::uint64_t>(told_by_first(
    transport_, std::chrono::system_clock::now().time_since_epoch().count() ^ getpid()));
  t.recorder.emplace(ex, wishes_.timeline_memory);
  t.at_failure.emplace([this](const std::string& why) { failed(why); });
  t.at_signal.emplace([this](int signal) {
    failed(std::string(told_to_end) + (signal == SIGINT ? " (SIGINT)" : " (SIGTERM)"));
  });
}

void observed_run::failed(const std::string& why) {
  const std::lock_guard lock(mutex_);
  recorder_.reset(); // it has to leave the executor while that is there
  if(!timeline_ || !timeline_->recorder)
    return; // it has told already
  timeline_parts& t = *timeline_;
  t.recorder->stop();
  t.rank.at_end = t.rank.at_begin;
  timeline words = words_of_this_run();
  words.failure = why;
  words.ranks_of_run = transport_.ranks();
  t.file.write_part(t.rank.rank, words, t.recorder->bytes(t.rank));
  t.recorder.reset();
}

void observed_run::end(scheduler& s) {
  if(timeline_)
    timeline_->recorder->stop();
  if(!recorder_)
    return;
  measured_ = recorder_->taken();
  recorder_.reset();
  measured_.rank = s.rank();
  const flow& f = s.launches();
  measured_.launches = f.launched();
  measured_.replayed = f.repeats().launches;
  for(const trace_report& r : f.trace_reports()) {
    measured_.replayed += r.launches;
    measured_.traces.push_back({.name = r.name,
      .passes = r.passes,
      .replayed = r.replayed,
      .diverged = r.diverged,
      .is_off = r.is_off,
      .why = r.why});
  }
  const message_poller::traffic sent = s.messages().sent();
  measured_.sent = sent.messages;
  measured_.bytes = sent.bytes;
}

void observed_run::tell() {
  if(wishes_.wants_digest)
    tell_digest();
  if(timeline_)
    tell_timeline();
}

void observed_run::tell_digest() {
  transport& t = transport_;
  std::tie(measured_.workers_of_node, measured_.cores_of_node) = look_at_node(t, measured_.workers);
  std::vector<measures> ranks;
  for(const std::vector<std::byte>& said : gather_on_first(t, to_bytes(measured_)))
    ranks.push_back(from_bytes(said.data(), said.size()));
  if(t.rank() != 0)
    return;
  const whole_run all = put_together(std::move(ranks));
  digest_ = text_of(all);
  if(wishes_.json_file.empty())
    std::fputs(digest_.c_str(), stderr);
  else
    write_file(wishes_.json_file, json_of(all));
}

void observed_run::tell_timeline() {
  timeline_parts& t = *timeline_;
  t.rank.at_end = compare_clocks(transport_);
  timeline words = words_of_this_run();
  words.digest = digest_;
  words.ranks_of_run = transport_.ranks();
  const std::vector<std::byte> bytes = t.recorder->bytes(t.rank);
  t.file.write(transport_, words, bytes);
  const std::lock_guard lock(mutex_);
  t.recorder.reset();
}

} // namespace rondo::detail::inline distributed
