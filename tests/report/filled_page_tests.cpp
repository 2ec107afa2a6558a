// The page of a run: what is put into it. The page itself is tested in a browser, tests/report/page.

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "columns.hpp"
#include "page.hpp"
#include "report/made_runs.hpp"

using namespace rondo::report;
using made::mode;
using made::run;

namespace {

nlohmann::json run_in(const std::string& page) {
  const std::string begin = "id=\"run\">";
  const std::size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  const std::size_t end = page.find("</script>", at);
  return nlohmann::json::parse(page.substr(at + begin.size(), end - at - begin.size()));
}

} // namespace

TEST_CASE("bytes as text") {
  const auto of = [](const std::string& text) {
    return base64(std::vector<unsigned char>(text.begin(), text.end()));
  };
  CHECK(of("") == "");
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foo") == "Zm9v");
  CHECK(of("foobar") == "Zm9vYmFy");
}

TEST_CASE("columns begin at multiples of eight") {
  columns c;
  CHECK(c.text().empty());
  CHECK(c.add(std::vector<std::uint8_t>{1, 2, 3})["at"] == 0);
  const auto second = c.add(std::vector<double>{1.5});
  CHECK(second["at"] == 8);
  CHECK(second["type"] == "f64");
  CHECK(second["count"] == 1);
  CHECK_FALSE(c.text().empty());
}

TEST_CASE("a page has the run, whatever it is called") {
  const std::string name = "</script><b>\"caf\xe9\", a, 'b'";
  run r(2);
  r.launch(0, 0, name, {{1, mode::write}}, {.details = ", color 3"});
  r.task(1, 10, 0, name);
  r.wait(0, 11, "made.cpp:5");
  r.made().digest = "rondo digest: <none>";
  const analysis a(r.made());
  const std::string page = page_of(a, nullptr);
  CHECK(page.find("{{RUN}}") == std::string::npos);
  CHECK(page.find("{{COLUMNS}}") == std::string::npos);
  const nlohmann::json words = run_in(page);
  CHECK(words["title"] == "./made");
  CHECK(
    words["sites"][0]["name"].get<std::string>().find("</script><b>\"caf") == std::string::npos);
  CHECK(words["lanes"].size() == 3); // a main thread, and a worker of each rank
  CHECK(words["spans"]["begin"]["count"] == 2);
  CHECK(words["digest"] == "rondo digest: <none>");
  CHECK(words["compared"].is_null());
  bool has_task = false;
  for(const auto& site : words["sites"])
    has_task = has_task || site["kind"] == "task";
  CHECK(has_task);
  CHECK(words["shapes"][1] == ", color 3");
}

TEST_CASE("a page says what has changed") {
  run before;
  run after;
  before.task(0, 100, 0, "computes");
  after.task(0, 50, 0, "computes");
  const analysis a(before.made());
  const analysis b(after.made());
  const nlohmann::json words = run_in(page_of(b, &a));
  REQUIRE(words["compared"]["rows"].size() == 1);
  CHECK(words["compared"]["rows"][0]["count"] == std::vector<double>{1, 1});
}

TEST_CASE("a page of nothing is a page") {
  const made::timeline nothing;
  const analysis a(nothing);
  CHECK_FALSE(page_of(a, nullptr).empty());
}
