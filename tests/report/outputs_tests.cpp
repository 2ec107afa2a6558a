// What rondo-report writes for other programs: Perfetto's traces and tables.

#include "output_files.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <csv.hpp>
#include <message_ends.hpp>
#include <perfetto.hpp>
#include <protobuf.hpp>
#include <slices.hpp>

using namespace rondo;
using namespace rondo::report;
using rondo::detail::timeline_lane;

namespace {

/// A message of protocol buffers: of each field the numbers and the bytes.
struct parsed {
  std::map<std::uint32_t, std::vector<std::uint64_t>> numbers;
  std::map<std::uint32_t, std::vector<std::string>> texts;

  explicit parsed(std::string_view bytes) {
    while(!bytes.empty()) {
      const std::uint64_t head = varint(bytes);
      const auto field = static_cast<std::uint32_t>(head >> 3U);
      std::uint64_t length = 8;
      switch(head & 7U) {
      case 0:
        numbers[field].push_back(varint(bytes));
        continue;
      case 1:
        break;
      case 2:
        length = varint(bytes);
        break;
      default:
        throw std::runtime_error("no such type");
      }
      if(length > bytes.size())
        throw std::runtime_error("too short");
      if((head & 7U) == 2)
        texts[field].emplace_back(bytes.substr(0, length));
      else {
        std::uint64_t n = 0;
        for(unsigned i = 0; i != 8; ++i)
          n |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        numbers[field].push_back(n);
      }
      bytes.remove_prefix(length);
    }
  }

  [[nodiscard]] std::uint64_t number(std::uint32_t field) const { return numbers.at(field).at(0); }
  [[nodiscard]] std::string text(std::uint32_t field) const { return texts.at(field).at(0); }
  [[nodiscard]] parsed message(std::uint32_t field) const { return parsed(text(field)); }

private:
  static std::uint64_t varint(std::string_view& bytes) {
    std::uint64_t n = 0;
    for(unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(0));
      bytes.remove_prefix(1);
      n |= std::uint64_t{byte & 0x7fU} << shift;
      if(byte < 0x80)
        return n;
    }
  }
};

/// "1000 begin relax [task] launch=12"
struct told_event {
  std::string track;
  std::string text;
  std::vector<std::uint64_t> flows, ended_flows;
};

std::vector<told_event> events_in(const std::string& file) {
  std::map<std::uint64_t, std::string> tracks;
  std::vector<told_event> events;
  const parsed trace(bytes_of(file));
  REQUIRE(trace.texts.contains(1));
  for(const std::string& bytes : trace.texts.at(1)) {
    const parsed packet(bytes);
    REQUIRE(packet.number(10) == 1);
    if(packet.texts.contains(60)) {
      const parsed track = packet.message(60);
      tracks[track.number(1)] = track.texts.contains(3)
                                  ? track.message(3).text(6)
                                  : tracks.at(track.number(5)) + ", " + track.message(4).text(5);
      continue;
    }
    const parsed event = packet.message(11);
    told_event e{tracks.at(event.number(11)), std::to_string(packet.number(8)), {}, {}};
    constexpr std::array<const char*, 4> types{"", " begin", " end", " instant"};
    e.text += types.at(event.number(9));
    if(event.number(9) != 2)
      e.text += ' ' + event.text(23) + " [" + event.text(22) + ']';
    if(event.texts.contains(4))
      for(const std::string& annotation : event.texts.at(4)) {
        const parsed a(annotation);
        e.text +=
          ' ' + a.text(10) + '=' + (a.texts.contains(6) ? a.text(6) : std::to_string(a.number(3)));
      }
    if(event.numbers.contains(47))
      e.flows = event.numbers.at(47);
    if(event.numbers.contains(48))
      e.ended_flows = event.numbers.at(48);
    events.push_back(e);
  }
  return events;
}

std::vector<std::string> on_track(const std::vector<told_event>& events, const std::string& track) {
  std::vector<std::string> texts;
  for(const told_event& e : events)
    if(e.track == track)
      texts.push_back(e.text);
  return texts;
}

const std::string relax = "relax, \"red\"\n\xc3\xa4";

} // namespace

TEST_CASE("protocol buffers are written as they should be") {
  protobuf inner;
  inner.add(1, std::uint64_t{150});
  CHECK(inner.bytes() == std::string("\x08\x96\x01", 3)); // the example in the specification
  protobuf outer;
  outer.add(2, "testing");
  outer.add(3, inner);
  outer.add(100, ~std::uint64_t{0});
  outer.add_fixed64(47, 0x0102030405060708U);
  const parsed read(outer.bytes());
  CHECK(read.text(2) == "testing");
  CHECK(read.message(3).number(1) == 150);
  CHECK(read.number(100) == ~std::uint64_t{0});
  CHECK(read.number(47) == 0x0102030405060708U);
}

TEST_CASE("slices lie one within the other, whatever the times say") {
  timeline_lane lane;
  lane.sites = {{"a", "", {}, 0}};
  lane.tasks = {{10, 21, 0}, {0, 20, 0}, {20, 20, 0}, {30, 25, 0}};
  for(std::size_t i = 0; i != lane.tasks.size(); ++i)
    lane.tasks[i].number = i;
  std::string seen;
  walk(
    slices_of(lane),
    [&](const slice& s) {
      seen += '+' + std::to_string(s.piece->number) + '@' + std::to_string(s.begin) + ' ';
    },
    [&](const slice& s) {
      seen += '-' + std::to_string(s.piece->number) + '@' + std::to_string(s.end) + ' ';
    });
  CHECK(seen == "+1@0 +0@10 -0@20 -1@20 +2@20 -2@20 +3@30 -3@30 ");
}

TEST_CASE("messages are put together from both ends") {
  const detail::timeline t = small_run();
  const auto messages = messages_of(t);
  REQUIRE(messages.size() == 2);
  CHECK((messages[0].from == 0 && messages[0].to == 1 && messages[0].channel == 5));
  CHECK(messages[0].bytes == 64);
  CHECK(messages[0].posted->at == 4'000);
  CHECK(messages[0].sent->at == 5'000);
  CHECK(messages[0].arrived->at == 3'990);
  CHECK(messages[0].taken->at == 6'000);
  CHECK(messages[1].count == 1);
  CHECK(messages[1].posted->at == 9'000);
  CHECK(messages[1].arrived == nullptr);
}

TEST_CASE("Perfetto is told of slices, passes and messages") {
  const folder_of_test folder;
  write_perfetto(small_run(), folder.file("run"));
  const auto events = events_in(folder.file("run"));
  CHECK(on_track(events, "rank 0 on node17, main thread") ==
        std::vector<std::string>{"1000 begin step [phase] place=main.cpp:7",
          "2000 begin waited for a region [waited] place=main.cpp:8 of=u", "3000 end", "8000 end",
          "100 instant iterate: pass 2 begun [pass] of=step place=main.cpp:7 loop=3 pass=2",
          "4000 instant message to rank 1 [message] channel=5 number=0 bytes=64 flow=1 launch=12",
          "9000 instant message to rank 1 [message] channel=5 number=1 bytes=32"});
  CHECK(
    on_track(events, "rank 0 on node17, worker 0") ==
    std::vector<std::string>{"1000 begin " + relax + " [task] place=a,b.cpp:3 flow=1 launch=12",
      "1500 begin fork [fork] launch=77", "2500 end", "3000 end",
      "3000 begin " + relax + " [task] place=a,b.cpp:3 flow=1 loop=13 step=2 pass=9 piece=first",
      "4000 end", "4000 begin slept [slept] place=a,b.cpp:3 of=" + relax, "1500000000 end"});
  // The arrow goes forward.
  CHECK(on_track(events, "rank 1 on node18, main thread") ==
        std::vector<std::string>{
          "4001 instant message from rank 0 [message] channel=5 number=0 bytes=64"});
  std::set<std::uint64_t> flows, ended;
  for(const told_event& e : events) {
    flows.insert(e.flows.begin(), e.flows.end());
    ended.insert(e.ended_flows.begin(), e.ended_flows.end());
  }
  CHECK(flows == std::set<std::uint64_t>{1});
  CHECK(ended == flows);
}

TEST_CASE("Perfetto gets no times before 0, and a run without ranks is a trace without packets") {
  const folder_of_test folder;
  detail::timeline t = small_run();
  t.ranks[1].lanes[0].messages[0].at = -10;
  write_perfetto(t, folder.file("run"));
  CHECK(on_track(events_in(folder.file("run")), "rank 0 on node17, main thread")
          .at(4)
          .starts_with("110 instant"));
  write_perfetto({}, folder.file("empty"));
  CHECK(bytes_of(folder.file("empty")).empty());
}

TEST_CASE("tables have a line for each event, and quotes where they are needed") {
  const folder_of_test folder;
  const std::string name = "\"relax, \"\"red\"\"\n\xc3\xa4\"";
  write_csv(small_run(), folder.file("deep/tables"));
  CHECK(bytes_of(folder.file("deep/tables/tasks.csv")) ==
        "rank,lane,name,place,kind,flow,number,step,pass,begin,end,begins_here,ends_here\n"
        "0,worker 0,,,fork,0,77,0,0,0.000001500,0.000002500,yes,yes\n"
        "0,worker 0," +
          name +
          ",\"a,b.cpp:3\",task,1,12,0,0,0.000001000,0.000003000,yes,yes\n"
          "0,worker 0," +
          name + ",\"a,b.cpp:3\",task,1,13,2,9,0.000003000,0.000004000,yes,no\n");
  CHECK(bytes_of(folder.file("deep/tables/launches.csv")) ==
        "rank,lane,name,details,place,flow,number,step,passes,time,how,has_task,accesses\n"
        "0,main thread," +
          name +
          ",color 3,\"a,b.cpp:3\",1,12,0,1,0.000000500,replayed,yes,"
          "write 4.6 read 0.1\n");
  CHECK(bytes_of(folder.file("deep/tables/messages.csv")) ==
        "from,to,channel,number,bytes,posted,sent,arrived,taken,sender_flow,sender_number,"
        "sender_step,sender_pass,receiver_flow,receiver_number,receiver_step,receiver_pass\n"
        "0,1,5,0,64,0.000004000,0.000005000,0.000003990,0.000006000,1,12,0,0,1,20,0,0\n"
        "0,1,5,1,32,0.000009000,,,,,,,,,,,\n");
  CHECK(bytes_of(folder.file("deep/tables/waits.csv")) ==
        "rank,lane,what,name,place,begin,end\n"
        "0,main thread,waited for a region,u,main.cpp:8,0.000002000,0.000003000\n"
        "0,main thread,phase,step,main.cpp:7,0.000001000,0.000008000\n"
        "0,worker 0,slept," +
          name + ",\"a,b.cpp:3\",0.000004000,1.500000000\n");
}

TEST_CASE("times of tables may be before 0, and runs without ranks have only headers") {
  const folder_of_test folder;
  detail::timeline t = small_run();
  t.ranks[0].lanes[0].times = {{-1, -2'000'000'003, {}, 1}};
  write_csv(t, folder.file("tables"));
  CHECK_THAT(bytes_of(folder.file("tables/waits.csv")),
    Catch::Contains("main.cpp:8,-0.000000001,-2.000000003\n"));
  write_csv({}, folder.file("tables"));
  for(const char* const table :
    {"tables/tasks.csv", "tables/launches.csv", "tables/messages.csv", "tables/waits.csv"}) {
    const std::string text = bytes_of(folder.file(table));
    CHECK(text.find('\n') == text.size() - 1);
  }
}

TEST_CASE("what can't be written is told by its name") {
  const folder_of_test folder;
  CHECK_THROWS_WITH(write_perfetto(small_run(), folder.file("none/run")),
    Catch::Contains("can't write " + folder.file("none/run") + ": No such file"));
  write_perfetto({}, folder.file("file"));
  CHECK_THROWS_WITH(write_csv(small_run(), folder.file("file")),
    Catch::Contains("can't make the folder " + folder.file("file")));
  std::filesystem::create_directories(folder.file("tables/tasks.csv"));
  CHECK_THROWS_WITH(write_csv(small_run(), folder.file("tables")), Catch::Contains("tasks.csv"));
  if(std::filesystem::exists("/dev/full")) {
    CHECK_THROWS_WITH(
      write_perfetto(small_run(), "/dev/full"), Catch::Contains("No space left on device"));
  }
}
