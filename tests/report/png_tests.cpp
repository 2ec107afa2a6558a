// Pictures of runs: colours, what a pixel shows, ticks, and the size of the picture.

#include "output_files.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <colors.hpp>
#include <pixels.hpp>
#include <png.hpp>
#include <times.hpp>

using namespace rondo;
using namespace rondo::report;

namespace {

/// Tasks of so many names, so many in each of the lanes.
[[maybe_unused]] detail::timeline large_run(
  std::uint32_t ranks, std::uint32_t workers, std::uint32_t names, std::int64_t tasks) {
  detail::timeline t;
  t.program = "mpirun ./large";
  t.ranks_of_run = ranks;
  for(std::uint32_t r = 0; r != ranks; ++r) {
    detail::timeline_rank& rank = t.ranks.emplace_back();
    rank.rank = r;
    rank.host = "node" + std::to_string(r / 2);
    rank.workers = workers;
    for(std::uint32_t w = 0; w != workers; ++w) {
      detail::timeline_lane& lane = rank.lanes.emplace_back();
      lane.is_of_worker = true;
      lane.worker = w;
      for(std::uint32_t n = 0; n != names; ++n)
        lane.sites.push_back({"name " + std::to_string(n), "", {}, 0});
      for(std::int64_t i = 0; i != tasks; ++i)
        lane.tasks.push_back(
          {1000 * i, 1000 * i + 900, static_cast<std::uint32_t>(i + r + w) % names});
    }
  }
  return t;
}

bool same(const color& a, const color& b) {
  const auto near = [](float x, float y) { return std::abs(x - y) < 0.6F; };
  return near(a.red, b.red) && near(a.green, b.green) && near(a.blue, b.blue);
}

} // namespace

TEST_CASE("names have the colours that they have on the page of a report") {
  // As colors.js says: the hash of "a" is 0xe40c292c, which is 4 modulo 12.
  detail::timeline t = large_run(1, 1, 1, 1);
  t.ranks[0].lanes[0].sites = {{"a", "", {}, 0}};
  CHECK(same(color_table(t).of("a"), {0xaa, 0x33, 0x77}));
  CHECK(same(color_table(t).of("of no task"), grey_of_waits));
}

TEST_CASE("a dozen names have a dozen colours") {
  const color_table table(large_run(1, 1, 12, 12));
  std::set<std::string> seen;
  for(int i = 0; i != 12; ++i) {
    const color c = table.of("name " + std::to_string(i));
    seen.insert(
      std::to_string(c.red) + ' ' + std::to_string(c.green) + ' ' + std::to_string(c.blue));
  }
  CHECK(seen.size() == 12);
}

TEST_CASE("a pixel shows the shares of what was done in it") {
  detail::timeline t = small_run();
  detail::timeline_lane& lane = t.ranks[0].lanes[1];
  lane.sites = {{"a", "", {}, 0}, {"b", "", {}, 0}};
  lane.tasks = {{0, 100, 0}, {50, 75, 1}, {200, 210, 0}, {220, 230, 0}};
  lane.times = {{300, 400, detail::told_time::what_type::slept, 0}};
  const color_table table(t);
  const color ground{1, 2, 3};
  time_of_names times;
  const auto pixels = pixels_of(lane, table, {0, 400}, 4, ground, times);
  REQUIRE(pixels.size() == 4);
  CHECK(same(pixels[0], mixed(table.of("a"), table.of("b"), 0.25F)));
  CHECK(same(pixels[1], ground));
  CHECK(same(pixels[2], mixed(ground, table.of("a"), 0.2F)));
  CHECK(same(pixels[3], grey_of_sleep));
  CHECK(times.tasks.at("a") == Approx(95));
  CHECK(times.tasks.at("b") == Approx(25));
  CHECK(times.slept == Approx(100));
}

TEST_CASE("durations have three digits") {
  CHECK(duration_text(0) == "0 ns");
  CHECK(duration_text(999) == "999 ns");
  CHECK(duration_text(999.7) == "1.00 \xc2\xb5s");
  CHECK(duration_text(12'345) == "12.3 \xc2\xb5s");
  CHECK(duration_text(1.5e6) == "1.50 ms");
  CHECK(duration_text(123e9) == "123 s");
  CHECK(duration_text(12'345e9) == "12345 s");
}

TEST_CASE("ticks are at round numbers") {
  const auto texts = [](const time_span& span, double most) {
    std::string all;
    for(const auto& [moment, text] : ticks_of(span, most))
      all += text + "; ";
    return all;
  };
  CHECK(texts({0, 2'500'000}, 5) == "0; 0.5 ms; 1.0 ms; 1.5 ms; 2.0 ms; 2.5 ms; ");
  CHECK(texts({-10, 100}, 6) == "0; 20 ns; 40 ns; 60 ns; 80 ns; 100 ns; ");
  CHECK(texts({0, 0}, 10) == "0; ");
  CHECK(texts({0, 30'000'000'000}, 3) == "0; 10 s; 20 s; 30 s; ");
}

#ifdef RONDO_REPORT_CAIRO

#ifdef RONDO_SANITIZED
// What fontconfig, by which cairo finds fonts, does not free is no leak of ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
#endif

namespace {

struct size_of_picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

size_of_picture size_of(const std::string& file) {
  const std::string bytes = bytes_of(file);
  REQUIRE(bytes.substr(1, 3) == "PNG");
  const auto number = [&](std::size_t at) {
    std::uint32_t n = 0;
    for(std::size_t i = at; i != at + 4; ++i)
      n = n << 8U | static_cast<unsigned char>(bytes.at(i));
    return n;
  };
  return {number(16), number(20)};
}

} // namespace

TEST_CASE("pictures are as high as they have to be, and not higher") {
  const folder_of_test folder;
  write_png({}, folder.file("empty.png"));
  CHECK(size_of(folder.file("empty.png")).width == 1600);
  write_png(small_run(), folder.file("small.png"), 900);
  CHECK(size_of(folder.file("small.png")).width == 900);
  CHECK(size_of(folder.file("small.png")).height < 400);
  write_png(large_run(16, 8, 40, 100), folder.file("large.png"));
  CHECK(size_of(folder.file("large.png")).height > 16 * 8 * 18);
  write_png(large_run(200, 8, 3, 20), folder.file("larger.png"));
  CHECK(size_of(folder.file("larger.png")).height > 6000);
  CHECK(size_of(folder.file("larger.png")).height <= 8000);
  write_png(large_run(20'000, 1, 3, 5), folder.file("largest.png"), 400);
  CHECK(size_of(folder.file("largest.png")).height > 5000);
  CHECK(size_of(folder.file("largest.png")).height <= 8000);
}

TEST_CASE("a picture that can't be written is told by its name") {
  const folder_of_test folder;
  CHECK_THROWS_WITH(write_png(small_run(), folder.file("none/a.png")),
    Catch::Contains("can't write " + folder.file("none/a.png")));
  if(std::filesystem::exists("/dev/full")) {
    CHECK_THROWS_WITH(write_png(small_run(), "/dev/full"), Catch::Contains("No space left"));
  }
}

#else

TEST_CASE("without cairo it says what to install") {
  CHECK_THROWS_WITH(write_png({}, "a.png"), Catch::Contains("libcairo2-dev"));
}

#endif
