// Workers that are tied to cores, and the thread that waits for them.

#include <sched.h>
#include <thread>

#include <catch2/catch.hpp>

#include <rondo/core/executor.hpp>
#include <rondo/core/machine.hpp>

namespace {

struct allowed {
  cpu_set_t set;
  allowed() {
    CPU_ZERO(&set);
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  }
  friend bool operator==(const allowed& a, const allowed& b) { return CPU_EQUAL(&a.set, &b.set); }
};

rondo::executor_options bound(unsigned workers) {
  rondo::executor_options o;
  o.workers = workers;
  o.bind = true;
  return o;
}

const rondo::core_info& first() { return rondo::this_machine().cores.front(); }
const rondo::core_info& last() { return rondo::this_machine().cores.back(); }
bool is_on(const rondo::core_info& core) {
  return sched_getcpu() == static_cast<int>(core.os_index);
}

// What a thread may do is tried on one that ends.
template<class F>
void in_a_thread(const F& f) {
  std::thread(f).join();
}

// Nobody but the scheduler moves a thread, and that not often.
template<class F>
bool mostly(const F& f) {
  int times = 0;
  for(int i = 0; i != 20; ++i)
    times += f() ? 1 : 0;
  return times > 10;
}

} // namespace

TEST_CASE("a thread that is moved is where it was sent, and may run where it might before") {
  in_a_thread([] {
    const allowed before;
    CHECK(mostly([] {
      rondo::move_this_thread(last());
      const bool there = is_on(last());
      rondo::move_this_thread(first());
      return there && is_on(first());
    }));
    CHECK(allowed() == before);
  });
}

TEST_CASE("a thread is not moved to a core that it may not use") {
  in_a_thread([] {
    REQUIRE(rondo::bind_this_thread(first()));
    const allowed before;
    rondo::move_this_thread(last());
    CHECK(is_on(first()));
    CHECK(allowed() == before);
  });
}

TEST_CASE("who waits for bound workers goes to the first core, and stays free") {
  in_a_thread([] {
    const allowed before;
    rondo::executor ex(bound(2));
    CHECK(mostly([&] {
      rondo::move_this_thread(last());
      return ex.run([] { return is_on(first()); });
    }));
    CHECK(allowed() == before);
  });
}

TEST_CASE("who waits for workers that are not bound, or for none but itself, stays where it is") {
  in_a_thread([] {
    rondo::executor several(2);
    rondo::executor alone(bound(1));
    for(rondo::executor* const ex : {&several, &alone})
      CHECK(mostly([&] {
        rondo::move_this_thread(last());
        return ex->run([] { return is_on(last()); });
      }));
  });
}

TEST_CASE("a worker that helps another executor stays where its own one has put it") {
  in_a_thread([] {
    rondo::executor outer(2);
    rondo::executor inner(bound(2));
    CHECK(mostly([&] {
      rondo::move_this_thread(last());
      return outer.run([&] { return inner.run([] { return is_on(last()); }); });
    }));
  });
}

TEST_CASE("workers are tied to the cores that are asked for, in that order") {
  in_a_thread([] {
    rondo::executor_options o = bound(2);
    o.cores = {last().os_index};
    rondo::executor ex(o);
    // The only one there is for worker 0, which is who waits.
    CHECK(mostly([&] {
      rondo::move_this_thread(first());
      return ex.run([] { return is_on(last()); });
    }));
  });
  rondo::executor_options o = bound(2);
  o.background = true;
  o.cores = {last().os_index, first().os_index};
  rondo::executor ex(o);
  CHECK(ex.run([] {
    const rondo::worker* const w = rondo::this_worker();
    return is_on(w->index() == 0 ? last() : first());
  }));
}

TEST_CASE("cores that the process may not use are refused") {
  rondo::executor_options o = bound(1);
  o.cores = {1'000'000};
  CHECK_THROWS_WITH(rondo::executor(o), Catch::Contains("there is no core 1000000"));
  o.bind = false; // nobody asks for them
  CHECK(rondo::executor(o).workers() == 1);
}
