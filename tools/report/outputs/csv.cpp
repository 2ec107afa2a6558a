#include "csv.hpp"

#include "file_to_write.hpp"
#include "message_ends.hpp"
#include "names.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace rondo::report {

namespace {

struct seconds {
  std::int64_t nanoseconds;
};

/// RFC 4180, but for the ends of lines, which are those of Unix.
class table {
public:
  table(const std::string& file, std::string_view columns) : out_(file) {
    line_ = columns;
    end_line();
  }

  template<class... T>
  void add_line(const T&... values) {
    (add(values), ...);
    end_line();
  }

  void close() { out_.close(); }

private:
  void add(std::string_view text) {
    begin_value();
    if(text.find_first_of(",\"\r\n") == std::string_view::npos) {
      line_ += text;
      return;
    }
    line_ += '"';
    for(const char c : text) {
      if(c == '"')
        line_ += '"';
      line_ += c;
    }
    line_ += '"';
  }
  void add(const char* text) { add(std::string_view(text)); }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(bool yes) { add(yes ? "yes" : "no"); }
  void add(std::uint64_t number) {
    begin_value();
    add_digits(number, 0);
  }
  void add(std::uint32_t number) { add(std::uint64_t{number}); }
  void add(seconds time) {
    constexpr std::uint64_t per_second = 1'000'000'000;
    begin_value();
    auto n = static_cast<std::uint64_t>(time.nanoseconds);
    if(time.nanoseconds < 0) {
      line_ += '-';
      n = 0 - n;
    }
    add_digits(n / per_second, 0);
    line_ += '.';
    add_digits(n % per_second, 9);
  }
  /// When it was, if it is known.
  void add(const detail::told_message* told) {
    if(told != nullptr)
      add(seconds{told->at});
    else
      begin_value();
  }
  /// Four columns.
  void add(const task_id& id) {
    if(id == task_id{}) {
      line_ += ",,,,";
      return;
    }
    add(id.flow);
    add(id.number);
    add(id.step);
    add(id.pass);
  }

  void begin_value() {
    if(!line_.empty())
      line_ += ',';
  }
  void add_digits(std::uint64_t number, std::ptrdiff_t least) {
    std::array<char, 20> digits{};
    const std::ptrdiff_t n =
      std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr - digits.data();
    for(std::ptrdiff_t i = n; i < least; ++i)
      line_ += '0';
    line_.append(digits.data(), static_cast<std::size_t>(n));
  }
  void end_line() {
    line_ += '\n';
    out_.write(line_);
    line_.clear();
  }

  file_to_write out_;
  std::string line_;
};

template<class F>
void each_lane(const detail::timeline& t, F f) {
  for(const auto& rank : t.ranks)
    for(const auto& lane : rank.lanes)
      f(rank.rank, lane, label_of(lane));
}

void write_tasks(const detail::timeline& t, const std::string& file) {
  table out(
    file, "rank,lane,name,place,kind,flow,number,step,pass,begin,end,begins_here,ends_here");
  each_lane(
    t, [&](std::uint32_t rank, const detail::timeline_lane& lane, const std::string& label) {
      for(const auto& p : lane.tasks) {
        const auto& site = site_of(lane, p.site);
        out.add_line(rank, label, site.name, site.place, word_of(site.kind), site.flow, p.number,
          p.step, p.pass, seconds{p.begin}, seconds{p.end}, p.is_first, p.is_last);
      }
    });
  out.close();
}

/// "write 3.4 read 3.5": of each access the field, 0 for none, and the part.
std::string text_of(const detail::launch_shape& shape) {
  std::string text;
  for(const auto& a : shape.accesses) {
    if(!text.empty())
      text += ' ';
    text += word_of(a.mode);
    text += ' ' + std::to_string(a.region.field) + '.' + std::to_string(a.region.part);
  }
  return shape.knows_accesses ? text : "?";
}

/// Of a launch: "color 3". In messages they follow its name.
std::string_view details_of(const detail::launch_shape& shape) {
  std::string_view text = shape.details;
  if(text.starts_with(", "))
    text.remove_prefix(2);
  return text;
}

void write_launches(const detail::timeline& t, const std::string& file) {
  table out(
    file, "rank,lane,name,details,place,flow,number,step,passes,time,how,has_task,accesses");
  const detail::launch_shape none;
  each_lane(
    t, [&](std::uint32_t rank, const detail::timeline_lane& lane, const std::string& label) {
      for(const auto& l : lane.launches) {
        const auto& shape = l.shape < lane.shapes.size() ? lane.shapes[l.shape] : none;
        const auto& site = site_of(lane, shape.site);
        out.add_line(rank, label, site.name, details_of(shape), site.place, site.flow, l.number,
          l.step, l.passes, seconds{l.at}, word_of(shape.how), shape.has_task, text_of(shape));
      }
    });
  out.close();
}

void write_messages(const detail::timeline& t, const std::string& file) {
  table out(file, "from,to,channel,number,bytes,posted,sent,arrived,taken,"
                  "sender_flow,sender_number,sender_step,sender_pass,"
                  "receiver_flow,receiver_number,receiver_step,receiver_pass");
  for(const message_ends& m : messages_of(t))
    out.add_line(m.from, m.to, m.channel, m.count, m.bytes, m.posted, m.sent, m.arrived, m.taken,
      m.posted != nullptr ? m.posted->serves : task_id{},
      m.taken != nullptr ? m.taken->serves : task_id{});
  out.close();
}

void write_waits(const detail::timeline& t, const std::string& file) {
  table out(file, "rank,lane,what,name,place,begin,end");
  each_lane(
    t, [&](std::uint32_t rank, const detail::timeline_lane& lane, const std::string& label) {
      for(const auto& w : lane.times) {
        const auto& site = site_of(lane, w.site);
        out.add_line(
          rank, label, word_of(w.what), site.name, site.place, seconds{w.begin}, seconds{w.end});
      }
    });
  out.close();
}

} // namespace

void write_csv(const detail::timeline& t, const std::string& folder) {
  make_folder(folder);
  write_tasks(t, folder + "/tasks.csv");
  write_launches(t, folder + "/launches.csv");
  write_messages(t, folder + "/messages.csv");
  write_waits(t, folder + "/waits.csv");
}

} // namespace rondo::report
