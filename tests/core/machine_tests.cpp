#include "machine_source.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <rondo/core/machine.hpp>
#include <sched.h>
#include <set>
#include <thread>

using rondo::detail::read_machine;
using rondo::detail::usable_cores;

namespace {

// Two packages of two NUMA nodes; in each node one L3 with two L2 caches of two cores with two
// hardware threads: 16 cores, 32 threads.
const std::string big =
  "pack:2 numa:2 l3:1(size=33554432) l2:2(size=1048576) l1d:1(size=32768) core:2 pu:2";

} // namespace

TEST_CASE("a core is counted once however many hardware threads it has") {
  const auto m = read_machine({.synthetic = big});
  CHECK(m.cores.size() == 16);
  CHECK(m.threads_online == 32);
  CHECK(m.threads_allowed == 32);
  CHECK(m.packages == 2);
  CHECK(m.numa_nodes.size() == 4);
  for(const auto& node : m.numa_nodes)
    CHECK(node.cores == 4);
  for(const auto& core : m.cores)
    CHECK(core.threads == 2);

  std::set<unsigned> os_indices;
  for(const auto& core : m.cores)
    os_indices.insert(core.os_index);
  CHECK(os_indices.size() == 16);
}

TEST_CASE("cores outside the affinity mask are not there") {
  // Both threads of core 0, the second thread of core 1, and one thread far away.
  const auto m = read_machine({.synthetic = big, .allowed = {0, 1, 3, 31}});
  REQUIRE(m.cores.size() == 3);
  CHECK(m.cores[0].os_index == 0);
  CHECK(m.cores[0].threads == 2);
  CHECK(m.cores[1].os_index == 3);
  CHECK(m.cores[1].threads == 1);
  CHECK(m.cores[2].os_index == 31);
  CHECK(m.threads_allowed == 4);
  CHECK(m.threads_online == 32);
  CHECK(m.packages == 2);
  CHECK(m.usable == 3);
}

TEST_CASE("distance grows from the shared cache to the other package") {
  const auto m = read_machine({.synthetic = big});
  CHECK(m.distance(0, 0) == 0);
  CHECK(m.distance(0, 1) == 1); // same L2
  CHECK(m.distance(0, 2) == 2); // same L3
  const auto other_node = m.distance(0, 4);
  const auto other_package = m.distance(0, 8);
  CHECK(other_node > 3);
  CHECK(other_package >= other_node);

  SECTION("and is the same in both directions") {
    for(unsigned a = 0; a < m.cores.size(); ++a)
      for(unsigned b = 0; b < m.cores.size(); ++b)
        CHECK(m.distance(a, b) == m.distance(b, a));
  }
}

TEST_CASE("victims are tried in groups, the nearest first, and oneself never") {
  const auto m = read_machine({.synthetic = big});
  const auto groups = rondo::near_first(m, 5);
  std::vector<unsigned> all{5};
  unsigned last = 0;
  for(const auto& group : groups) {
    REQUIRE(!group.empty());
    for(const auto core : group)
      CHECK(m.distance(5, core) == m.distance(5, group.front()));
    CHECK(m.distance(5, group.front()) > last);
    last = m.distance(5, group.front());
    all.insert(all.end(), group.begin(), group.end());
  }
  CHECK(groups.front() == std::vector<unsigned>{4});
  std::sort(all.begin(), all.end());
  REQUIRE(all.size() == m.cores.size());
  for(unsigned i = 0; i != all.size(); ++i)
    CHECK(all[i] == i);
}

TEST_CASE("a NUMA node without a shared cache is nearer than another node") {
  const auto m = read_machine({.synthetic = "pack:2 numa:1 l2:2 core:1 pu:1"});
  REQUIRE(m.cores.size() == 4);
  CHECK(m.distance(0, 1) < m.distance(0, 2));
}

TEST_CASE("a latency table decides how far other nodes are") {
  rondo::machine m;
  m.cores = {{0, 0, 0, 0, 0, 1}, {1, 1, 0, 1, 1, 1}, {2, 2, 1, 2, 2, 1}};
  m.numa_nodes = {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
  SECTION("the slower direction counts") {
    m.numa_latency = {10, 12, 21, 11, 10, 32, 21, 21, 10};
    CHECK(m.distance(0, 1) == 4 + 2);
    CHECK(m.distance(0, 2) == 4 + 11);
    CHECK(m.distance(1, 2) == 4 + 22);
  }
  SECTION("without one, packages do") {
    CHECK(m.distance(0, 1) == 4);
    CHECK(m.distance(0, 2) == 5);
  }
}

TEST_CASE("caches have a size, a line, and a number of cores behind them") {
  const auto m = read_machine({.synthetic = big});
  REQUIRE(m.cache(1) != nullptr);
  CHECK(m.cache(1)->bytes == 32 * 1024);
  CHECK(m.cache(1)->shared_by == 2);
  REQUIRE(m.cache(3) != nullptr);
  CHECK(m.cache(3)->bytes == 32 * 1024 * 1024);
  CHECK(m.cache(3)->shared_by == 4);
  CHECK(m.cache(3)->line == 64);
  CHECK(m.cache(4) == nullptr);
}

TEST_CASE("a quota bounds the usable cores, rounded up, and leaves at least one") {
  CHECK(usable_cores(8, std::nullopt) == 8);
  CHECK(usable_cores(8, 2.0) == 2);
  CHECK(usable_cores(8, 1.5) == 2);
  CHECK(usable_cores(8, 0.1) == 1);
  CHECK(usable_cores(8, 64.0) == 8);
  CHECK(usable_cores(0, std::nullopt) == 1);

  const auto m = read_machine({.synthetic = big, .quota = 2.5});
  CHECK(m.cores.size() == 16);
  CHECK(m.quota == 2.5);
  CHECK(m.usable == 3);
}

TEST_CASE("a machine that can't be read still has a core") {
  const auto m = read_machine({.synthetic = "no such thing"});
  CHECK(!m.cores.empty());
  CHECK(m.usable >= 1);
  CHECK(m.distance(0, 0) == 0);
}

TEST_CASE("this machine agrees with the affinity mask and is looked at once") {
  const auto& m = rondo::this_machine();
  CHECK(!m.cores.empty());
  CHECK(m.usable >= 1);
  CHECK(m.usable <= m.cores.size());

  cpu_set_t mask;
  CPU_ZERO(&mask);
  REQUIRE(sched_getaffinity(0, sizeof mask, &mask) == 0);
  for(const auto& core : m.cores)
    CHECK(CPU_ISSET(core.os_index, &mask));

  const rondo::machine* seen = nullptr;
  std::thread([&] { seen = &rondo::this_machine(); }).join();
  CHECK(seen == &m);
}

TEST_CASE("the description names what was found") {
  const auto text = read_machine({.synthetic = big, .quota = 2.0}).describe();
  CHECK(text.find("16 cores (32 of 32 hardware threads) in 2 packages") != std::string::npos);
  CHECK(text.find("2 CPUs") != std::string::npos);
  CHECK(text.find("2 workers") != std::string::npos);
  CHECK(text.find("4 NUMA nodes") != std::string::npos);
}

TEST_CASE("a bound thread runs on its core") {
  std::thread([] {
    const auto& core = rondo::this_machine().cores.back();
    REQUIRE(rondo::bind_this_thread(core));
    CHECK(sched_getcpu() == static_cast<int>(core.os_index));
  }).join();
}
