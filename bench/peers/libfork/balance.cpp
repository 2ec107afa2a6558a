// libfork forks coroutines, so it brings its own versions of the shapes. It has no tasks, loops or graphs.

#include "balance/bodies.hpp"
#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <libfork.hpp>

#include <vector>

namespace {

using namespace bench::balance;

constexpr auto short_one = [](auto, int us) -> lf::task<void> {
  short_body(us);
  co_return;
};
constexpr auto long_one = [](auto, int us) -> lf::task<void> {
  long_body(us);
  co_return;
};

constexpr auto right_deep = [](auto self, int n) -> lf::task<void> {
  if(n == 0)
    co_return;
  co_await lf::fork(short_one)(leaf_us);
  co_await lf::call(self)(n - 1);
  co_await lf::join;
};
constexpr auto left_deep = [](auto self, int n) -> lf::task<void> {
  if(n == 0)
    co_return;
  co_await lf::fork(self)(n - 1);
  co_await lf::call(short_one)(leaf_us);
  co_await lf::join;
};
constexpr auto offers = [](auto self, int n, int us) -> lf::task<void> {
  if(n == 0) {
    long_body(us);
    co_return;
  }
  co_await lf::fork(self)(n - 1, us);
  co_await lf::call(short_one)(short_us);
  co_await lf::join;
};
constexpr auto far_offers = [](auto self, int n, int us, bool first) -> lf::task<void> {
  if(!first)
    bench::nap(far_offers_gap_us);
  if(n == 0) {
    long_body(us);
    co_return;
  }
  co_await lf::fork(self)(n - 1, us, false);
  co_await lf::call(short_one)(far_offer_us);
  co_await lf::join;
};
// The one at `at` is long; -1: none.
constexpr auto many = [](auto, int n, int at) -> lf::task<void> {
  for(int i = 0; i != n; ++i)
    if(i == at)
      co_await lf::fork(long_one)(long_us);
    else
      co_await lf::fork(short_one)(short_us);
  co_await lf::join;
};
constexpr auto long_and_many = [](auto, int n) -> lf::task<void> {
  co_await lf::fork(long_one)(long_us);
  co_await lf::call(many)(n, -1);
  co_await lf::join;
};
constexpr auto many_and_long = [](auto, int n) -> lf::task<void> {
  co_await lf::fork(many)(n, -1);
  co_await lf::call(long_one)(long_us);
  co_await lf::join;
};

template<class F>
bool add_shape(const char* name, int shorts, int longs, F shape) {
  return bench::add({name, "libfork", bench::role::peer, {2, 4}, [=](const bench::context& c) {
                       lf::lazy_pool pool(c.workers);
                       lf::sync_wait(pool, many, 64, -1);
                       const int n = c.quick ? shorts / 10 : shorts;
                       std::vector<double> times;
                       for(int i = 0; i != (c.quick ? 1 : 3); ++i) {
                         begin_counting();
                         times.push_back(bench::time_of([&] { shape(pool, n); }));
                         bench::check(short_bodies() == n && long_bodies() == longs,
                           "balance: a body was left out, or ran twice");
                       }
                       return bench::figures{{"time", "ms", bench::median(times) * 1e-6}};
                     }});
}

using pool = lf::lazy_pool;

const bool added =
  add_shape("left deep", 200, 0, [](pool& p, int n) { lf::sync_wait(p, left_deep, n); }) &&
  add_shape("right deep", 200, 0, [](pool& p, int n) { lf::sync_wait(p, right_deep, n); }) &&
  add_shape("offers, then long", many_bodies, 1,
    [](pool& p, int n) { lf::sync_wait(p, offers, n, int{long_us}); }) &&
  add_shape("far offers, then long", 25, 1,
    [](pool& p, int n) { lf::sync_wait(p, far_offers, n, long_us / 2, true); }) &&
  add_shape("join: long, many", many_bodies, 1,
    [](pool& p, int n) { lf::sync_wait(p, long_and_many, n); }) &&
  add_shape("join: many, long", many_bodies, 1,
    [](pool& p, int n) { lf::sync_wait(p, many_and_long, n); }) &&
  add_shape("join_n, first long", many_bodies, 1,
    [](pool& p, int n) { lf::sync_wait(p, many, n + 1, 0); }) &&
  add_shape("join_n, middle long", many_bodies, 1,
    [](pool& p, int n) { lf::sync_wait(p, many, n + 1, n / 2); }) &&
  add_shape("join_n, last long", many_bodies, 1,
    [](pool& p, int n) { lf::sync_wait(p, many, n + 1, int{n}); });

} // namespace
