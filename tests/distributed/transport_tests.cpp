#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/transports.hpp>

#include "transport_suite.hpp"

using namespace std::chrono_literals;
using Catch::Contains;
using rondo::transport;

namespace {

using transports = std::vector<std::unique_ptr<transport>>;

/// All cases, the ranks being threads. A case that fails on one rank only would leave the others
/// waiting: they give up after a while.
void check_cases(const transports& all) {
  for(const transport_case& c : transport_cases()) {
    std::mutex mutex;
    std::string failures;
    {
      std::vector<std::jthread> ranks;
      for(const auto& t : all)
        ranks.emplace_back([&] {
          try {
            c.run(*t);
          }
          catch(const std::exception& e) {
            const std::lock_guard lock(mutex);
            failures += "rank " + std::to_string(t->rank()) + ": " + e.what() + "\n";
          }
          t->meet();
          while(t->is_sending()) // what is told to be over may still be on its way
            t->poll();
        });
    }
    INFO(c.name << ", " << all.size() << " ranks");
    REQUIRE(failures == "");
  }
}

transports delayed(transports all, rondo::delay_options options) {
  for(auto& t : all)
    t = rondo::make_delayed(std::move(t), options);
  return all;
}

} // namespace

TEST_CASE("ranks in one process are connected as the interface says") {
  for(const unsigned n : {1U, 2U, 3U, 5U})
    check_cases(rondo::make_local_transports(n));
}

TEST_CASE(
  "ranks that share memory are connected as the interface says, and so are those of two nodes") {
  for(const unsigned n : {1U, 2U, 3U, 5U})
    check_cases(rondo::make_shared_memory_transports(n, n));
  check_cases(rondo::make_shared_memory_transports(5, 3));
}

TEST_CASE("a long message that is given up on its way leaves the next one whole") {
  constexpr std::size_t size = 1'000'003; // several times what a pipe holds
  const bool is_early = GENERATE(false, true);
  const auto all = rondo::make_shared_memory_transports(2, 2);
  const std::vector<std::byte> first(size, std::byte{1});
  const std::vector<std::byte> second(size, std::byte{2});
  std::vector<std::byte> in(size);
  int done = 0;
  const transport::completion count{[](void* n) { ++*static_cast<int*>(n); }, &done};
  const auto a = all[0]->make_sender(1, 0, first, count);
  const auto b = all[0]->make_sender(1, 0, second, count);
  CHECK_FALSE(a->start());
  CHECK_FALSE(b->start());
  {
    const auto unwanted = all[1]->make_receiver(0, 0, in, count);
    if(is_early)
      all[1]->poll();
    CHECK_FALSE(unwanted->start());
    if(!is_early)
      all[1]->poll();
    CHECK(unwanted->give_up());
  }
  const std::vector<std::byte> some = in;
  const auto wanted = all[1]->make_receiver(0, 0, in, count);
  CHECK_FALSE(wanted->start());
  while(done != 1) { // the first one has left, and nothing of it is left here
    all[0]->poll();
    CHECK((done == 0 || in == some));
    all[1]->poll();
  }
  while(done != 3) {
    all[0]->poll();
    all[1]->poll();
  }
  CHECK(in == second);
}

TEST_CASE("messages that are held back keep all that the interface says") {
  for(const unsigned n : {1U, 2U, 3U, 5U})
    check_cases(delayed(rondo::make_local_transports(n),
      {.latency = 3us, .bandwidth = 1e10, .jitter = 5us, .seed = n}));
  check_cases(delayed(rondo::make_shared_memory_transports(4, 2),
    {.latency = 3us, .bandwidth = 1e10, .jitter = 5us, .seed = 4}));
}

TEST_CASE("the transport without any launcher is called solo and has one rank") {
  const auto t = rondo::make_transport("solo");
  CHECK(t->name() == std::string("solo"));
  CHECK(t->ranks() == 1);
  CHECK(t->wake_descriptor() == -1);
  CHECK_FALSE(t->arm());
}

TEST_CASE("a name that no transport has is told with those there are and the nearest") {
  CHECK_THROWS_WITH(rondo::make_transport("sollo"), Contains("sollo: there is no such transport") &&
                                                      Contains("shm, mpi, ucx, solo") &&
                                                      Contains("did you mean solo?"));
  CHECK_THROWS_WITH(rondo::make_transport("UCX"), Contains("did you mean ucx?"));
  CHECK_THROWS_WITH(rondo::make_transport("carrier pigeon"), !Contains("did you mean"));
}
