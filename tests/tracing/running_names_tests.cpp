// What a handler of signals is told of the code that it interrupts: the name of the launch, however that came to run.

#include <atomic>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

namespace {

std::string name_here() {
  const detail::running_task* const t = detail::current_task();
  const char* const name = t != nullptr ? t->name() : nullptr;
  return name != nullptr ? name : "";
}

/// A launch that looks whether it is called what it is.
class asks {
public:
  explicit asks(std::atomic<int>& wrong) : wrong_(&wrong) {}
  auto operator()(const char* name) const {
    return named(name, [wrong = wrong_, name](int& x, const auto&...) {
      ++x;
      if(name_here() != name)
        ++*wrong;
    });
  }

private:
  std::atomic<int>* wrong_;
};

template<class F>
void check_names(unsigned workers, F&& program) {
  std::atomic<int> wrong{0};
  executor ex({.workers = workers, .shares_cores = false});
  ex.run([&] {
    const std::string outside = name_here();
    flow f(ex);
    int x = 0;
    int y = 0;
    region<int> r(f, x, "x");
    region<int> q(f, y, "y");
    program(f, r, q, asks(wrong));
    f.wait();
    CHECK(name_here() == outside);
    CHECK(x + y > 0);
  });
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("a launch goes by its name") {
  check_names(GENERATE(1U, 2U, 3U), [](flow& f, region<int>& x, region<int>& y, const asks& a) {
    for(int i = 0; i != 500; ++i) {
      f.submit(a("first"), write(x));
      f.submit(a("second"), write(y));
      f.submit(a("third"), write(x), read(y));
    }
  });
}

TEST_CASE("a launch of a trace goes by its name") {
  check_names(GENERATE(1U, 2U, 3U), [](flow& f, region<int>& x, region<int>& y, const asks& a) {
    trace t(f);
    for(int pass = 0; pass != 100; ++pass) {
      const auto guard = t.make_guard();
      f.submit(a("first"), write(x));
      f.submit(a("second"), write(y));
      f.submit(a("third"), write(x), read(y));
    }
  });
}

TEST_CASE("a launch of a closed loop goes by its name") {
  check_names(GENERATE(1U, 2U, 3U), [](flow& f, region<int>& x, region<int>& y, const asks& a) {
    f.repeat(1000, [&] {
      f.submit(a("first"), write(x));
      f.submit(a("second"), write(y));
      f.submit(a("third"), write(x), read(y));
    });
  });
}

TEST_CASE("a launch that has waited goes by its own name, and not by that of what ran meanwhile") {
  const unsigned workers = GENERATE(1U, 2U);
  const bool in_loop = GENERATE(false, true);
  std::atomic<int> waited{0};
  check_names(workers, [&](flow& f, region<int>& x, region<int>& y, const asks& a) {
    executor& ex = f.home();
    std::atomic<int> wrong{0};
    const auto body = [&] {
      f.submit(named("waits",
                 [&](int& n) {
                   ++n;
                   const int value = async(ex, {.name = "meanwhile"}, [&] {
                     if(name_here() != "meanwhile")
                       ++wrong;
                     return 1;
                   }).get();
                   waited += value;
                   if(name_here() != "waits")
                     ++wrong;
                 }),
        write(x));
      f.submit(a("after"), write(x));
      f.submit(a("other"), write(y));
    };
    if(in_loop)
      f.repeat(100, body);
    else
      for(int i = 0; i != 100; ++i)
        body();
    f.wait();
    CHECK(wrong == 0);
  });
  CHECK(waited == 100);
}
