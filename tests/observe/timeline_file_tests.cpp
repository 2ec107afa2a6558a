// Files of timelines: events as bytes, and files that are damaged.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/observe/timeline/event_lane.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/timeline/recorder.hpp>
#include <rondo/timeline.hpp>

using namespace rondo;
using namespace rondo::detail;

namespace {

struct folder_of_test {
  std::filesystem::path name =
    std::filesystem::temp_directory_path() /
    ("rondo_files_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  folder_of_test() { std::filesystem::create_directory(name); }
  ~folder_of_test() { std::filesystem::remove_all(name); }
  [[nodiscard]] std::string file(const std::string& of) const { return name / of; }
};

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

void record(const std::string& file) {
  executor ex(1);
  const rondo::timeline seen(ex, file);
  flow f(ex);
  double x = 0;
  region r(f, x, "x");
  for(int i = 0; i != 100; ++i)
    f.submit(named("adds", [](double& a) { ++a; }), write(r));
  f.wait();
}

/// Of one rank, as if it had been told by several.
std::vector<std::byte> block_of_rank(executor& ex, std::uint32_t rank, std::uint64_t run = 0) {
  timeline_recorder r(ex);
  r.stop();
  rank_of_timeline of;
  of.rank = rank;
  of.run = run;
  of.run_began = r.began();
  return r.bytes(of);
}
std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

TEST_CASE("lengths are exact while they are short, and nearly so when they are long") {
  for(const std::uint64_t n : {0ULL, 1ULL, 1000ULL, (1ULL << 31U) - 1})
    CHECK(unpack_length(pack_length(n)) == n);
  for(const std::uint64_t n :
    {1ULL << 31U, (1ULL << 31U) + 12345, 1ULL << 40U, (1ULL << 46U) + 7}) {
    CHECK(unpack_length(pack_length(n)) <= n);
    CHECK(n - unpack_length(pack_length(n)) < 1U << 16U);
  }
  CHECK(unpack_length(pack_length(~0ULL)) == ((1ULL << 31U) - 1) << 16U);
}

TEST_CASE("what belongs together is in one chunk, and dropped with it") {
  event_room room(0);
  event_lane lane(room);
  std::mt19937 random(1);
  std::uint64_t written = 0;
  while(written < 5 * event_lane::chunk_size) {
    const std::uint32_t n = 1 + random() % 4;
    timeline_event* const e = lane.add(n);
    for(std::uint32_t i = 0; i != n; ++i)
      e[i] = {written + i, i, n, 0};
    written += n;
  }
  CHECK(lane.size() + lane.dropped() == written);
  CHECK(lane.dropped() > 0);
  std::uint64_t next = lane.dropped();
  std::uint32_t expected = 0; // the first one kept is the first of those that belong together
  lane.each([&](const timeline_event& e) {
    REQUIRE(e.at == next++);
    REQUIRE(e.id == expected);
    expected = expected + 1 == e.length ? 0 : expected + 1;
  });
  CHECK(next == written);
}

TEST_CASE("lanes share the room there is") {
  event_room room(1);
  event_lane first(room);
  event_lane second(room);
  for(event_lane* const lane : {&first, &second})
    for(std::size_t i = 0; i != 3 * event_lane::chunk_size; ++i)
      *lane->add(1) = {i, 0, 0, 0};
  CHECK(first.dropped() == 0);
  CHECK(second.dropped() == event_lane::chunk_size);
}

TEST_CASE("ranks may be in several files, which may be joined") {
  const folder_of_test folder;
  executor ex(1);
  detail::timeline words;
  words.program = "a \"program\"";
  words.ranks_of_run = 3;
  const std::string run = text_of(block_of_run(words));
  const std::string rank_2 = text_of(block_of_rank(ex, 2));
  const std::string rank_0 = text_of(block_of_rank(ex, 0));
  write_bytes(folder.file("a"), run + rank_2);
  write_bytes(folder.file("b"), run + rank_0);
  write_bytes(folder.file("joined"), run + rank_2 + run + rank_0);
  for(const detail::timeline& t :
    {read_timeline({folder.file("a"), folder.file("b")}), read_timeline(folder.file("joined"))}) {
    REQUIRE(t.ranks.size() == 2);
    CHECK(t.ranks[0].rank == 0);
    CHECK(t.ranks[1].rank == 2);
    CHECK(t.ranks_of_run == 3);
    CHECK(t.program == "a \"program\"");
  }
  CHECK_THROWS_WITH(
    read_timeline({folder.file("a"), folder.file("a")}), Catch::Contains("rank 2 twice"));
}

TEST_CASE("names that are no UTF-8 are mended") {
  const folder_of_test folder;
  executor ex(1);
  {
    const rondo::timeline seen(ex, folder.file("run"));
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    f.submit(named("caf\xe9", [](double& a) { ++a; }), write(r));
    f.wait();
  }
  const detail::timeline t = read_timeline(folder.file("run"));
  bool is_there = false;
  for(const timeline_lane& l : t.ranks.at(0).lanes)
    for(const timeline_site& s : l.sites)
      is_there = is_there || s.name == "caf\xef\xbf\xbd";
  CHECK(is_there);
}

TEST_CASE("files that are none are refused with a reason") {
  const folder_of_test folder;
  const std::string file = folder.file("f");
  CHECK_THROWS_WITH(read_timeline(folder.file("none")), Catch::Contains("can't be opened"));
  write_bytes(file, "");
  CHECK_THROWS_WITH(read_timeline(file), Catch::Contains("it is empty"));
  write_bytes(file, "This is a text, and no timeline at all.");
  CHECK_THROWS_WITH(read_timeline(file), Catch::Contains("no timeline"));
}

TEST_CASE("a damaged file is refused") {
  const folder_of_test folder;
  record(folder.file("whole"));
  const std::string whole = bytes_of(folder.file("whole"));
  REQUIRE(whole.size() > 500);
  const std::string file = folder.file("f");
  std::mt19937 random(7);
  const auto is_refused = [&file](const std::string& bytes) {
    write_bytes(file, bytes);
    try {
      static_cast<void>(read_timeline(file));
      return false;
    }
    catch(const std::runtime_error&) {
      return true;
    }
  };
  for(int i = 0; i != 200; ++i)
    CHECK(is_refused(whole.substr(0, random() % whole.size())));
  for(int i = 0; i != 500; ++i) {
    std::string changed = whole;
    char& one = changed[random() % changed.size()];
    one = static_cast<char>(one ^ (1 + random() % 255));
    CHECK(is_refused(changed));
  }
}

TEST_CASE("ranks of different runs are not put together") {
  const folder_of_test folder;
  executor ex(1);
  write_bytes(folder.file("a"), text_of(block_of_rank(ex, 0, 17)));
  write_bytes(folder.file("b"), text_of(block_of_rank(ex, 1, 18)));
  CHECK_THROWS_WITH(read_timeline({folder.file("a"), folder.file("b")}),
    Catch::Contains("rank 0 and rank 1 are of different runs"));
}

TEST_CASE("a folder is no file, and a file that is missing may have left others") {
  const folder_of_test folder;
  CHECK_THROWS_WITH(read_timeline(folder.name), Catch::Contains("it is a folder"));
  write_bytes(folder.file("run.rank-0"), "x");
  CHECK_THROWS_WITH(read_timeline(folder.file("run")), Catch::Contains("run.rank-* have what"));
}
