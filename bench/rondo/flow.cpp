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
  rondo_flow(unsigned workers, std::vector<cell>& cells,
    std::size_t window = rondo::flow_options{}.window, bool finds_repeats = false)
      : ex(workers), flow(ex, {.window = window, .find_repeats = finds_repeats}) {
    for(cell& c : cells)
      regions.emplace_back(flow, c);
  }

  template<class Pass>
  void run(const program& p, const Pass& pass) {
    launch_some(p, pass, 0, p.launches.size());
    flow.wait();
  }

protected:
  template<class Pass>
  void launch_some(const program& p, const Pass& pass, std::size_t from, std::size_t to) {
    using body = decltype(pass.body(0));
    static constexpr auto calls = table<body>(std::make_index_sequence<side * side>());
    for(std::size_t i = from; i < to; ++i) {
      const launch& l = p.launches[i];
      (this->*calls[l.reads * side + l.writes])(pass.body(i), l);
    }
  }

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

protected:
  rondo::flow flow;

  std::deque<rondo::region<cell>> regions;
};

// The accesses are data.
struct rondo_lists : rondo_flow {
  rondo_lists(unsigned workers, std::vector<cell>& cells)
      : rondo_flow(workers, cells, rondo::flow_options{}.window, true) {}

  template<class Pass>
  void run(const program& p, const Pass& pass) {
    std::vector<rondo::region_access> list;
    for(std::size_t i = 0; i < p.launches.size(); ++i) {
      const launch& l = p.launches[i];
      list.clear();
      for(unsigned a = 0; a != l.accesses(); ++a)
        list.push_back(a < l.reads ? rondo::region_access(rondo::read(regions[l.cells[a]]))
                                   : rondo::read_write(regions[l.cells[a]]));
      flow.submit(pass.task(i), list);
    }
    flow.wait();
  }
};

// What comes again is found.
struct rondo_finding : rondo_flow {
  rondo_finding(unsigned workers, std::vector<cell>& cells)
      : rondo_flow(workers, cells, rondo::flow_options{}.window, true) {}
};

// With a guard around each pass.
struct rondo_traced : rondo_flow {
  using rondo_flow::rondo_flow;
  template<class Pass>
  void run(const program& p, const Pass& pass) {
    for(std::size_t i = 0; i < p.launches.size(); i += p.pass) {
      const rondo::trace::guard guard(trace, flow);
      launch_some(p, pass, i, i + p.pass);
    }
    flow.wait();
  }

private:
  rondo::trace trace;
};

// Launched once. The tasks that hash differ from launch to launch, so these are launched one by one.
struct rondo_closed : rondo_flow {
  using rondo_flow::rondo_flow;
  template<class Pass>
  void run(const program& p, const Pass& pass) {
    if constexpr(std::is_same_v<Pass, bench::flow::counting>)
      flow.repeat(p.launches.size() / p.pass, [&] { launch_some(p, pass, 0, p.pass); });
    else
      launch_some(p, pass, 0, p.launches.size());
    flow.wait();
  }
};

const bool added = bench::flow::add_system<rondo_flow>("rondo", bench::role::rondo) &&
                   bench::flow::add_windows<rondo_flow>("rondo", bench::role::rondo) &&
                   bench::flow::add_system<rondo_finding>("rondo, finding", bench::role::rondo) &&
                   bench::flow::add_system<rondo_lists>("rondo, lists", bench::role::rondo) &&
                   bench::flow::add_passes<rondo_flow>("rondo", bench::role::rondo) &&
                   bench::flow::add_passes<rondo_lists>("rondo, lists", bench::role::rondo) &&
                   bench::flow::add_passes<rondo_finding>("rondo, finding", bench::role::rondo) &&
                   bench::flow::add_passes<rondo_traced>("rondo, traced", bench::role::rondo) &&
                   bench::flow::add_passes<rondo_closed>("rondo, closed", bench::role::rondo);

} // namespace
