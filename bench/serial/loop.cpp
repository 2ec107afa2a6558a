#include "loop/cases.hpp"

namespace {

struct serial {
  static constexpr unsigned lag = 0;
  serial(unsigned, bench::loop::problem& of) : p(of) {}
  template<class Launched>
  std::uint64_t run(const Launched& launched) {
    const auto passes = bench::loop::run_alone(p, 0);
    launched();
    return passes;
  }
  bench::loop::problem& p;
};

const bool added = bench::loop::add_system<serial>("serial", bench::role::serial) &&
                   bench::loop::add_outside<serial>("serial", bench::role::serial);

} // namespace
