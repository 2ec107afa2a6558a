#include "cholesky/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/flow.hpp>

#include <deque>

namespace {

using bench::cholesky::problem;
using bench::cholesky::step;

struct rondo_flow {
  rondo_flow(unsigned workers, const problem& problem) : p(problem), ex(workers), flow(ex) {
    for(std::size_t i = 0; i < p.l.tiles(); ++i)
      regions.emplace_back(flow, *p.l.at(i));
  }

  void run(const std::vector<step>& steps) {
    using rondo::read, rondo::read_write;
    for(const step& s : steps)
      switch(s.reads) {
      case 0:
        launch(s, read_write(regions[s.to]));
        break;
      case 1:
        launch(s, read(regions[s.read(0)]), read_write(regions[s.to]));
        break;
      default:
        launch(s, read(regions[s.read(0)]), read(regions[s.read(1)]), read_write(regions[s.to]));
      }
    flow.wait();
  }

private:
  template<class... Accesses>
  void launch(const step& s, Accesses... accesses) {
    flow.submit([this, &s](const auto&...) { p.run(s); }, accesses...);
  }

  const problem& p;
  rondo::executor ex;
  rondo::flow flow;
  std::deque<rondo::region<double>> regions;
};

const bool added = bench::cholesky::add_system<rondo_flow>("rondo", bench::role::rondo);

} // namespace
