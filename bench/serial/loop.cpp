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

const bool added = [] {
  bool ok = true;
  for(const auto& s : bench::loop::shapes)
    for(const char* suffix : {"", ", launched from outside"})
      ok = ok && bench::add({bench::loop::test_name(s) + suffix, "serial", bench::role::serial, {1},
                   [s](const bench::context& c) { return bench::loop::measure<serial>(s, c); }});
  return ok;
}();

} // namespace
