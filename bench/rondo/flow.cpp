#include "flow/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/flow.hpp>

#include <deque>

namespace {

using bench::flow::cell;
using bench::flow::launch;
using bench::flow::most_accesses;
using bench::flow::program;

// Accesses are types: for every number of reads and writes that the table has, a call of its own.
struct rondo_flow {
  rondo_flow(
    unsigned workers, std::vector<cell>& cells, std::size_t window = rondo::flow_options{}.window)
      : ex(workers), flow(ex, {.window = window}) {
    for(cell& c : cells)
      regions.emplace_back(flow, c);
  }

  template<class Pass>
  void run(const program& p, const Pass& pass) {
    using body = decltype(pass.body(0));
    static constexpr auto calls = table<body>(std::make_index_sequence<side * side>());
    for(std::size_t i = 0; i < p.launches.size(); ++i) {
      const launch& l = p.launches[i];
      (this->*calls[l.reads * side + l.writes])(pass.body(i), l);
    }
    flow.wait();
  }

private:
  static constexpr std::size_t side = most_accesses + 1;
  static constexpr bool occurs(std::size_t reads, std::size_t writes) {
    return reads == 0 || (reads <= 5 && writes <= 5 && reads + writes <= 6);
  }

  template<class Body>
  using call = void (rondo_flow::*)(Body, const launch&);

  template<class Body, std::size_t Reads, std::size_t Writes>
  void submit(Body body, const launch& l) {
    [&]<std::size_t... R, std::size_t... W>(std::index_sequence<R...>, std::index_sequence<W...>) {
      flow.submit(body, rondo::read(regions[l.cells[R]])...,
        rondo::read_write(regions[l.cells[Reads + W]])...);
    }(std::make_index_sequence<Reads>(), std::make_index_sequence<Writes>());
  }

  template<class Body, std::size_t At>
  static constexpr call<Body> entry() {
    if constexpr(occurs(At / side, At % side))
      return &rondo_flow::submit<Body, At / side, At % side>;
    else
      return nullptr;
  }
  template<class Body, std::size_t... At>
  static constexpr std::array<call<Body>, sizeof...(At)> table(std::index_sequence<At...>) {
    return {entry<Body, At>()...};
  }

  rondo::executor ex;
  rondo::flow flow;
  std::deque<rondo::region<cell>> regions;
};

const bool added = bench::flow::add_system<rondo_flow>("rondo", bench::role::rondo) &&
                   bench::flow::add_windows<rondo_flow>("rondo", bench::role::rondo);

} // namespace
