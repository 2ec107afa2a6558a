#include "perfetto.hpp"

#include "file_to_write.hpp"
#include "message_ends.hpp"
#include "names.hpp"
#include "perfetto_fields.hpp"
#include "protobuf.hpp"
#include "slices.hpp"
#include "times.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace rondo::report {

namespace {

using namespace perfetto;

/// From where a message is posted to where it arrives.
struct arrow {
  std::uint64_t number;
  std::int64_t posted, arrived;
};

class perfetto_file {
public:
  perfetto_file(const detail::timeline& t, const std::string& file)
      : t_(t), out_(file), earliest_(span_of(t).begin) {
    for(const auto& rank : t.ranks)
      lanes_of_rank_ = std::max<std::uint64_t>(lanes_of_rank_, rank.lanes.size());
    const auto messages = messages_of(t);
    for(const message_ends& m : messages)
      if(m.is_whole()) {
        const arrow a{arrows_.size() / 2 + 1, m.posted->at, m.arrival()};
        arrows_.emplace(m.posted, a);
        arrows_.emplace(m.arrived, a);
      }
  }

  void write() {
    for(const auto& rank : t_.ranks) {
      const std::uint64_t pid = 1 + rank.rank * lanes_of_rank_;
      describe(rank, pid);
      for(std::size_t i = 0; i != rank.lanes.size(); ++i) {
        describe(rank.lanes[i], pid, i);
        write_slices(rank.lanes[i]);
        write_passes(rank.lanes[i]);
        write_messages(rank.lanes[i]);
      }
    }
    out_.close();
  }

private:
  void describe(const detail::timeline_rank& rank, std::uint64_t pid) {
    protobuf process;
    process.add(process::pid, pid);
    process.add(process::command_line, t_.program);
    process.add(process::name, label_of(rank));
    protobuf track;
    track.add(track::uuid, pid);
    track.add(track::process, process);
    track.add(track::children_are_in, track::explicit_order);
    put_description(track);
  }

  // The one with the number of its process is what Perfetto takes for the main thread.
  void describe(const detail::timeline_lane& lane, std::uint64_t pid, std::uint64_t index) {
    protobuf thread;
    thread.add(thread::pid, pid);
    thread.add(thread::tid, pid + index);
    thread.add(thread::name, label_of(lane));
    track_ = (std::uint64_t{1} << 32U) + pid + index;
    protobuf track;
    track.add(track::uuid, track_);
    track.add(track::parent, pid);
    track.add(track::thread, thread);
    track.add(track::place_among_siblings, index);
    put_description(track);
  }

  void write_slices(const detail::timeline_lane& lane) {
    walk(
      slices_of(lane),
      [&](const slice& s) {
        begin_event(event::slice_begin, category_of(lane, s), name_of(lane, s));
        const detail::timeline_site& site = site_of(lane, s.site);
        annotate("place", site.place);
        if(s.piece != nullptr) {
          annotate_task({site.flow, s.piece->step, s.piece->number, s.piece->pass});
          if(!s.piece->is_first || !s.piece->is_last)
            annotate("piece", s.piece->is_first ? "first" : s.piece->is_last ? "last" : "middle");
        }
        else if(s.time->what != detail::told_time::what_type::phase)
          annotate("of", site.name);
        put_event(s.begin);
      },
      [&](const slice& s) {
        begin_event(event::slice_end, {}, {});
        put_event(s.end);
      });
  }

  void write_passes(const detail::timeline_lane& lane) {
    for(const auto& p : lane.passes) {
      const std::string which =
        p.count == 1 ? "pass " + std::to_string(p.number) : std::to_string(p.count) + " passes";
      begin_event(event::instant, "pass",
        std::string(word_of(p.kind)) + ": " + which + ' ' + word_of(p.what));
      const detail::timeline_site& site = site_of(lane, p.site);
      annotate("of", site.name);
      annotate("place", site.place);
      annotate("loop", p.loop);
      annotate("pass", p.number);
      put_event(p.at);
    }
  }

  void write_messages(const detail::timeline_lane& lane) {
    using what_type = message_info::what_type;
    for(const auto& m : lane.messages) {
      const bool is_posted = m.what == what_type::posted;
      if(!is_posted && m.what != what_type::arrived)
        continue;
      begin_event(event::instant, "message",
        (is_posted ? "message to rank " : "message from rank ") + std::to_string(m.peer));
      annotate("channel", m.channel);
      annotate("number", m.count);
      annotate("bytes", m.bytes);
      if(is_posted)
        annotate_task(m.serves);
      std::int64_t at = m.at;
      if(const auto a = arrows_.find(&m); a != arrows_.end()) {
        event_.add_fixed64(is_posted ? event::flow : event::ended_flow, a->second.number);
        at = is_posted ? a->second.posted : a->second.arrived;
      }
      put_event(at);
    }
  }

  void begin_event(std::uint64_t type, std::string_view category, std::string_view name) {
    event_.clear();
    event_.add(event::type, type);
    event_.add(event::track, track_);
    if(type == event::slice_end)
      return;
    event_.add(event::category, category);
    event_.add(event::name, name);
  }

  void annotate(std::string_view name, std::uint64_t number) {
    part_.clear();
    part_.add(annotation::name, name);
    part_.add(annotation::number, number);
    event_.add(event::annotation, part_);
  }
  void annotate(std::string_view name, std::string_view text) {
    if(text.empty())
      return;
    part_.clear();
    part_.add(annotation::name, name);
    part_.add(annotation::text, text);
    event_.add(event::annotation, part_);
  }
  void annotate_task(const task_id& id) {
    if(id == task_id{})
      return;
    if(id.flow != 0)
      annotate("flow", id.flow);
    annotate(id.step != 0 ? "loop" : "launch", id.number);
    if(id.step != 0) {
      annotate("step", id.step);
      annotate("pass", id.pass);
    }
  }

  void put_event(std::int64_t at) {
    packet_.clear();
    packet_.add(packet::timestamp, static_cast<std::uint64_t>(at - earliest_));
    packet_.add(packet::track_event, event_);
    put_packet();
  }
  void put_description(const protobuf& track) {
    packet_.clear();
    packet_.add(packet::track_descriptor, track);
    put_packet();
  }
  void put_packet() {
    packet_.add(packet::sequence, std::uint64_t{1});
    part_.clear();
    part_.add(trace::packet, packet_);
    out_.write(part_.bytes());
  }

  const detail::timeline& t_;
  file_to_write out_;
  const std::int64_t earliest_; // times of Perfetto have no sign
  std::uint64_t lanes_of_rank_ = 1;
  std::unordered_map<const detail::told_message*, arrow> arrows_;
  std::uint64_t track_ = 0;
  protobuf part_, event_, packet_;
};

} // namespace

void write_perfetto(const detail::timeline& t, const std::string& file) {
  perfetto_file(t, file).write();
}

} // namespace rondo::report
