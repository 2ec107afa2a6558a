// What happened in a run: of timelines made by hand.

#include <catch2/catch.hpp>

#include "costs/costs.hpp"
#include "report/made_runs.hpp"

using namespace rondo::simulate;
using made::run;
using how = rondo::launch_info::how_type;

TEST_CASE("the components of a run") {
  run r(2);
  for(unsigned i = 0; i != 4; ++i)
    r.launch(10 + i, i, "a", {}, {.has_task = i != 3});
  r.wait(14, 49, "made.cpp:2");
  r.launch(50, 4, "a", {}); // counts as one of 1 us, as long as the others take
  r.launch(5, 0, "a", {}, {.rank = 1});
  r.task(22, 25, 1, "halo: send");
  r.task(20, 30, 0, "a");
  r.task(30, 50, 0, "a", {.rank = 1});
  r.task(90, 100, 1, "halo: copy", {.rank = 1});
  r.message({0, 1}, 24, {1, 1}, 80, 48);
  const components c = components_of(r.made());
  CHECK(c.seconds == Approx(90e-6));     // rank 0 comes later
  CHECK(c.computing == Approx(13.5e-6)); // of 7 and 20
  CHECK(c.most_computing == Approx(20e-6));
  CHECK(c.in_runtime == Approx(6.5e-6)); // of 3 and 10
  CHECK(c.launching == Approx(3e-6));    // of 5 and 1
  CHECK(c.launches == 5);
  CHECK(c.messages == 1);
  CHECK(c.bytes == 48);

  const nlohmann::json j = c;
  CHECK(j.size() == 8);
  CHECK(j.at("most_computing").get<double>() == c.most_computing);
  CHECK(j.at("bytes") == 48);
}

TEST_CASE("launches in repeat lead to a task in each pass, but are launched once") {
  run r;
  r.launch(0, 0, "a", {});
  r.launch(2, 1, "a", {});
  r.launch(10, 2, "a", {}, {.how = how::repeated, .step = 1, .passes = 7});
  r.launch(20, 3, "a", {}, {.how = how::repeated, .step = 2, .passes = 0});
  const components c = components_of(r.made());
  CHECK(c.launches == 10);
  CHECK(c.launching == Approx(4e-6));
  CHECK(c.seconds == 0); // no task has ended
}

TEST_CASE("nothing has happened") {
  const components c = components_of({});
  CHECK(c.seconds == 0);
  CHECK(c.computing == 0);
  CHECK(c.launches == 0);
}
