// What was seen, as blocks of a file.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/timeline/recorder.hpp>

#include "../process.hpp"
#include "lanes.hpp"
#include "stream.hpp"

namespace rondo::detail::inline observe {

namespace {

using json = nlohmann::json;

template<class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// Names that are no UTF-8 are mended.
std::string text_of(const json& j) {
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// The words as JSON behind their length, then the numbers.
std::vector<std::byte> block(
  timeline_block kind, const json& words, std::span<const std::byte> numbers) {
  const std::string text = text_of(words);
  const std::uint64_t length = text.size();
  timeline_block_head head{
    .kind = kind, .check = 0, .bytes = sizeof length + text.size() + numbers.size()};
  std::vector<std::byte> all(sizeof head + head.bytes);
  auto at = all.begin();
  for(const std::span<const std::byte> part :
    {bytes_of(head), bytes_of(length), std::as_bytes(std::span(text)), numbers})
    at = std::ranges::copy(part, at).out;
  head.check = check_of(std::span(all).subspan(sizeof head));
  std::memcpy(all.data(), &head, sizeof head);
  return all;
}

json words_of(const site_table& sites) {
  json all = json::array();
  for(const site_table::site& s : sites.all())
    all.push_back({s.what.name, s.what.place, static_cast<int>(s.what.kind), s.what.flow, s.step});
  return all;
}

json words_of(const shape_table& shapes) {
  json all = json::array();
  for(const shape_table::shape& s : shapes.all()) {
    json accesses = json::array();
    for(const launch_shape::access& a : s.what.accesses)
      for(const std::uint32_t n :
        {a.region.field, a.region.part, static_cast<std::uint32_t>(a.mode)})
        accesses.push_back(n);
    all.push_back({s.what.site, s.what.details, static_cast<int>(s.what.how), s.what.has_task,
      s.what.knows_accesses, s.step, std::move(accesses), s.what.futures, s.what.has_result});
  }
  return all;
}

void write_events(varint_writer& to, const event_lane& events) {
  stream_state state;
  events.each([&](const timeline_event& e) { write_event(to, state, e); });
}

std::string date_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

} // namespace

std::uint32_t check_of(std::span<const std::byte> block) {
  std::uint64_t sum = 0xcbf29ce484222325U; // FNV-1a
  for(const std::byte b : block)
    sum = (sum ^ static_cast<std::uint64_t>(b)) * 0x100000001b3U;
  return static_cast<std::uint32_t>(sum ^ sum >> 32U);
}

std::vector<std::byte> timeline_recorder::bytes(const rank_of_timeline& rank) const {
  using std::chrono::nanoseconds;
  varint_writer events;
  json lanes = json::array();
  const auto add_lane = [&](bool is_of_worker, std::size_t number, const event_lane& from,
                          const site_table& sites, json shapes) {
    const std::size_t before = events.bytes().size();
    write_events(events, from);
    lanes.push_back({{"worker", is_of_worker}, {"number", number}, {"dropped", from.dropped()},
      {"events", from.size()}, {"bytes", events.bytes().size() - before},
      {"sites", words_of(sites)}, {"shapes", std::move(shapes)}});
  };
  for(std::size_t i = 0; i != in_order_.size(); ++i)
    add_lane(false, i, in_order_[i]->events, in_order_[i]->sites, words_of(in_order_[i]->shapes));
  for(std::size_t i = 0; i != workers_lanes_.size(); ++i)
    if(const worker_lane* const l = workers_lanes_[i].load(std::memory_order_acquire))
      add_lane(true, i, l->events, l->sites, json::array());

  // Times of rank 0 are a straight line in the ticks of this one: through what its clock was at begin and end.
  const std::int64_t begin =
    nanoseconds(began_ - rank.run_began).count() + rank.at_begin.nanoseconds;
  const std::int64_t end = nanoseconds(ended_ - rank.run_began).count() + rank.at_end.nanoseconds;
  const json words{{"rank", rank.rank}, {"run", rank.run}, {"host", host_name()},
    {"processor", processor_name()}, {"workers", rank.workers != 0 ? rank.workers : workers_},
    {"cores", this_machine().cores.size()},
    {"skew", std::max(rank.at_begin.skew, rank.at_end.skew)}, {"begin", begin}, {"end", end},
    {"begin_ticks", began_ticks_}, {"end_ticks", ended_ticks_}, {"lanes", std::move(lanes)}};
  return block(timeline_block::rank, words, events.bytes());
}

std::vector<std::byte> block_of_run(const timeline& words) {
  return block(timeline_block::run,
    {{"program", words.program}, {"began", words.began}, {"failure", words.failure},
      {"digest", words.digest}, {"ranks", words.ranks_of_run}},
    {});
}

timeline words_of_this_run() {
  timeline words;
  words.began = date_now();
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  words.program.assign(std::istreambuf_iterator<char>(file), {});
  while(!words.program.empty() && words.program.back() == '\0')
    words.program.pop_back();
  for(char& c : words.program)
    if(c == '\0')
      c = ' ';
  return words;
}

} // namespace rondo::detail::inline observe
