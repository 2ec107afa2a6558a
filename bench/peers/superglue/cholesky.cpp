#include "cholesky/cases.hpp"

#include <sg/option/access_readwrite.hpp>
#include <sg/superglue.hpp>

namespace {

using bench::cholesky::problem;
using bench::cholesky::step;

// Nothing commutes here, so handles need no locks.
struct options : DefaultOptions<options> {
  using AccessInfoType = ReadWrite;
  using Lockable = Disable;
};

template<int Reads>
struct tile_task : Task<options, Reads + 1> {
  tile_task(const problem& all, const step& which) : p(all), s(which) {}
  void run() override { p.run(s); }
  const problem& p;
  const step& s;
};

struct superglue {
  superglue(unsigned workers, const problem& problem)
      : p(problem), sg(static_cast<int>(workers)), handles(p.l.tiles()) {}

  void run(const std::vector<step>& steps) {
    for(const step& s : steps)
      switch(s.reads) {
      case 0:
        submit<0>(s);
        break;
      case 1:
        submit<1>(s);
        break;
      default:
        submit<2>(s);
      }
    sg.barrier();
  }

private:
  template<int Reads>
  void submit(const step& s) {
    auto* const task = new tile_task<Reads>(p, s); // deleted by SuperGlue
    for(unsigned k = 0; k < Reads; ++k)
      task->register_access(ReadWrite::read, handles[s.read(k)]);
    task->register_access(ReadWrite::write, handles[s.to]);
    sg.submit(task);
  }

  const problem& p;
  SuperGlue<options> sg;
  std::vector<Handle<options>> handles;
};

const bool added = bench::cholesky::add_system<superglue>("SuperGlue", bench::role::peer);

} // namespace
