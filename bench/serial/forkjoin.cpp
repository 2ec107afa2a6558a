#include "forkjoin/cases.hpp"

#include <utility>

namespace {

struct serial {
  explicit serial(unsigned) {}
  template<class F>
  auto run(F f) {
    return f();
  }
  template<class F, class G>
  static auto join(F f, G g) {
    return std::pair(f(), g());
  }
  template<class F>
  static void join_n(int n, F f) {
    for(int i = 0; i < n; ++i)
      f(i);
  }
};

const bool added = bench::forkjoin::add_system<serial>("serial", bench::role::serial, {1});

} // namespace
