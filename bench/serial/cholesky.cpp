#include "cholesky/cases.hpp"

namespace {

struct serial {
  serial(unsigned, const bench::cholesky::problem& problem) : p(problem) {}
  void run(const std::vector<bench::cholesky::step>& steps) {
    for(const auto& s : steps)
      p.run(s);
  }
  const bench::cholesky::problem& p;
};

const bool added = bench::cholesky::add_system<serial>("serial", bench::role::serial, {1});

} // namespace
