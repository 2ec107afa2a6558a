#include "run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <rondo/core/cpus.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/distributed/scheduler.hpp>
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

void write_file(const std::string& name, const std::string& text) {
  std::FILE* const f = std::fopen(name.c_str(), "we");
  const bool is_written =
    f != nullptr && std::fwrite(text.data(), 1, text.size(), f) == text.size();
  if((f != nullptr && std::fclose(f) != 0) || !is_written)
    std::fprintf(
      stderr, "rondo: the digest can't be written to %s: %s\n", name.c_str(), std::strerror(errno));
}

} // namespace

void observed_run::begin(executor& ex) {
  if(wishes_.wants_digest)
    recorder_.emplace(ex);
}

void observed_run::end(scheduler& s) {
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

void observed_run::tell(transport& t) {
  if(!wishes_.wants_digest)
    return;
  std::tie(measured_.workers_of_node, measured_.cores_of_node) = look_at_node(t, measured_.workers);
  std::vector<measures> ranks;
  for(const std::vector<std::byte>& said : gather_on_first(t, to_bytes(measured_)))
    ranks.push_back(from_bytes(said.data(), said.size()));
  if(t.rank() != 0)
    return;
  const whole_run all = put_together(std::move(ranks));
  if(wishes_.json_file.empty())
    std::fputs(text_of(all).c_str(), stderr);
  else
    write_file(wishes_.json_file, json_of(all));
}

} // namespace rondo::detail::inline distributed
