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
  [[nodiscard]] bool is_only(unsigned os_index) const {
    return CPU_COUNT(&set) == 1 && CPU_ISSET(os_index, &set);
  }
};

rondo::executor_options bound(unsigned workers) {
  rondo::executor_options o;
  o.workers = workers;
  o.bind = true;
  return o;
}

unsigned core(unsigned i) { return rondo::this_machine().cores[i].os_index; }

// What a thread may do is tried on one that ends.
template<class F>
void in_a_thread(const F& f) {
  std::thread(f).join();
}

} // namespace

TEST_CASE("who waits for bound workers is on the first core, and free when they have ended") {
  in_a_thread([] {
    const allowed before;
    {
      rondo::executor ex(bound(2));
      CHECK(ex.run([] { return allowed().is_only(core(0)); }));
      CHECK(allowed().is_only(core(0))); // it will be back
    }
    CHECK(allowed() == before);
  });
}

TEST_CASE("who waits for workers that are not bound runs where it likes") {
  in_a_thread([] {
    const allowed before;
    rondo::executor ex(2);
    CHECK(ex.run([&] { return allowed() == before; }));
  });
}

TEST_CASE("one worker alone is not tied: other processes may be told the same") {
  in_a_thread([] {
    const allowed before;
    rondo::executor ex(bound(1));
    CHECK(ex.run([&] { return allowed() == before; }));
  });
}

TEST_CASE("a worker that helps another executor stays where its own one has put it") {
  in_a_thread([] {
    const allowed before;
    rondo::executor outer(2);
    rondo::executor inner(bound(2));
    CHECK(outer.run([&] { return inner.run([&] { return allowed() == before; }); }));
  });
}

TEST_CASE("a thread that waits for two executors by turns is given back what it had") {
  in_a_thread([] {
    const allowed before;
    {
      rondo::executor a(bound(2));
      {
        rondo::executor b(bound(2));
        for(int i = 0; i != 3; ++i) {
          CHECK(a.run([] { return allowed().is_only(core(0)); }));
          CHECK(b.run([] { return allowed().is_only(core(0)); }));
        }
      }
      CHECK(allowed() == before);
      CHECK(a.run([] { return allowed().is_only(core(0)); }));
    }
    CHECK(allowed() == before);
  });
}

TEST_CASE("what a thread may run on can be put back") {
  in_a_thread([] {
    const allowed before;
    const auto kept = rondo::affinity::of_this_thread();
    REQUIRE(rondo::bind_this_thread(rondo::this_machine().cores.back()));
    CHECK(allowed().is_only(rondo::this_machine().cores.back().os_index));
    REQUIRE(kept.restore());
    CHECK(allowed() == before);
  });
}
