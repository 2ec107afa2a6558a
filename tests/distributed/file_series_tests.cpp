// Files of a series: their numbers, their list, and what there is of both after another run.

#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "folder_of_test.hpp"
#include "numbers_in_files.hpp"
#include "ranks.hpp"
#include "ten_passes.hpp"

using namespace rondo;
using namespace numbers_in_files;

TEST_CASE("files of a series are numbered as they are written, in loops of all kinds") {
  const folder_of_test here;
  const std::string kind = kind_of_loop();
  CAPTURE(kind);
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const line m = mesh(s);
    const numbers x{m, "x"};
    file_series all(s, here / "out/x.pvd", {.every = 3});
    s.execute<set_to>(m, x, std::int64_t{0});
    const auto pass = [&] {
      s.execute<increment>(m, x);
      all.write(m, x);
    };
    make_ten_passes(s, kind, pass, [&] {
      return s.reduce<sum_of, fold::sum>(m, x).then(
        [](std::int64_t sum) { return sum == 10 * points; });
    });
    s.wait();
    // After passes 1, 4, 7 and 10.
    std::string name = "out/x.0000.vti";
    for(int k = 0; k != 4; ++k, ++name[name.size() - 5])
      expect(sum_in(s, here / name) == (3 * k + 1) * points);
    const std::string list = text_of(here / "out/x.pvd");
    expect(list.find("timestep=\"3\" part=\"0\" file=\"x.0003.vti\"") != std::string::npos);
    s.wait();
  });
  CHECK(here.files() == 6); // a directory, a list, and four
}

TEST_CASE("a series goes on where a run goes on, and what was written later goes away") {
  const folder_of_test here;
  const std::string list = here / "out/x.pvd";
  const auto run = [&](unsigned ranks, std::uint64_t before, int passes, std::int64_t by) {
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const line m = mesh(s);
      const numbers x{m, "x"};
      s.execute<set_to>(m, x, static_cast<std::int64_t>(before) + by);
      file_series all(s, list, {.every = 3, .after = before});
      for(int i = 0; i != passes; ++i) {
        s.execute<increment>(m, x);
        all.write(0.1 * static_cast<double>(before + 1 + static_cast<std::uint64_t>(i)), m, x);
      }
    });
  };
  const auto all = [&] {
    std::string text = text_of(list);
    for(char k = '0'; k != '9'; ++k)
      text += text_of(here / (std::string("out/x.000") + k + ".vti"));
    return text;
  };
  run(1, 0, 20, 0);
  const std::string whole = all();
  const std::size_t files = here.files();
  std::filesystem::remove_all(here / "out");
  SECTION("behind what was written") {
    run(2, 0, 7, 0);
    run(3, 7, 13, 0);
  }
  SECTION("before some of it") {
    run(2, 0, 26, 5); // other values from somewhere on, and more files
    CHECK(all() != whole);
    std::filesystem::remove_all(here / "out");
    run(2, 0, 9, 0);
    run(1, 9, 15, 5);
    run(3, 9, 11, 0);
  }
  SECTION("where nothing was written later than that") {
    run(2, 0, 12, 0);
    run(1, 12, 0, 0);
    run(1, 12, 8, 0);
  }
  CHECK(all() == whole);
  CHECK(here.files() == files);
}

TEST_CASE("a series whose disk is full keeps its list and its files") {
  const folder_of_test here;
  const auto run = [&](std::uint64_t before) {
    std::string why;
    on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
      const line m = mesh(s);
      const numbers x{m, "x"};
      s.execute<set_to>(m, x, static_cast<std::int64_t>(before));
      file_series all(s, here / "x.pvd", {.after = before});
      all.write(m, x);
      why = thrown_by([&] { s.wait(); });
    });
    return why;
  };
  CHECK(run(0).empty());
  CHECK(run(1).empty());
  const std::string list = text_of(here / "x.pvd"), first = text_of(here / "x.0000.vti");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{2000, limit.rlim_max}; // room for the list
  setrlimit(RLIMIT_FSIZE, &little);
  const std::string why = run(2);
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(why.find("can't write") != std::string::npos);
  CHECK(text_of(here / "x.pvd") == list);
  CHECK(text_of(here / "x.0000.vti") == first);
  CHECK(here.files() == 3);
}

TEST_CASE("a series takes the time from a future") {
  const folder_of_test here;
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    const line m = mesh(s);
    numbers x{m, "x"};
    s.execute<set_to>(m, x, std::int64_t{2});
    file_series all(s, here / "x.vtkhdf");
    const auto half = [](std::int64_t sum) { return static_cast<double>(sum) / 2; };
    all.write(s.reduce<sum_of, fold::sum>(m, x).then(half), m, x);
    all.write(1.5, m, x);
    s.wait();
    expect(s.read(here / "x.0000.vtkhdf", m, x).time.get() == points);
    expect(s.read(here / "x.0001.vtkhdf", m, x).time.get() == 1.5);
  });
}
