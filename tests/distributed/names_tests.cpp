// What users call their own things, beside `using namespace rondo`.

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace task {
namespace {

int answer(int n) { return n + 1; }

} // namespace
} // namespace task

TEST_CASE("a program may keep its tasks in a namespace called task") {
  on_ranks(make_local_transports(2), 1,
    [](scheduler& s) { expect(s.execute<task::answer>(41).get() == 42); });
}
