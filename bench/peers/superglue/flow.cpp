#include "flow/cases.hpp"

#include <sg/option/access_readwrite.hpp>
#include <sg/superglue.hpp>

namespace {

using bench::flow::cell;
using bench::flow::launch;
using bench::flow::most_accesses;
using bench::flow::program;

// Nothing commutes here, so handles need no locks.
struct options : DefaultOptions<options> {
  using AccessInfoType = ReadWrite;
  using Lockable = Disable;
};

template<class F, int Accesses>
struct flow_task : Task<options, Accesses> {
  explicit flow_task(F f) : body(f) {}
  void run() override { body(); }
  F body;
};

struct superglue {
  superglue(unsigned workers, std::vector<cell>& cells)
      : sg(static_cast<int>(workers)), handles(cells.size()) {}

  template<class Pass>
  void run(const program& p, const Pass& pass) {
    for(std::size_t i = 0; i < p.launches.size(); ++i)
      submit<0>(p.launches[i], pass.task(i));
    sg.barrier();
  }

private:
  // The number of accesses is a part of the task's type: otherwise each would have a vector.
  template<unsigned N, class F>
  void submit(const launch& l, F f) {
    if(N < most_accesses && N != l.accesses())
      return submit<N + (N < most_accesses ? 1 : 0)>(l, f);
    auto* const task = new flow_task<F, N>(f); // deleted by SuperGlue
    if constexpr(N > 0)
      for(unsigned k = 0; k < N; ++k)
        task->register_access(
          k < l.reads ? ReadWrite::read : ReadWrite::write, handles[l.cells[k]]);
    sg.submit(task);
  }

  SuperGlue<options> sg;
  std::vector<Handle<options>> handles;
};

const bool added = bench::flow::add_system<superglue>("SuperGlue", bench::role::peer) &&
                   bench::flow::add_passes<superglue>("SuperGlue", bench::role::peer);

} // namespace
