// As in flow.cpp: who writes a tile last, and who has read it since, is kept by hand.

#include "cholesky/cases.hpp"

#include <taskflow/taskflow.hpp>

namespace {

using bench::cholesky::problem;
using bench::cholesky::step;

struct taskflow {
  taskflow(unsigned workers, const problem& problem)
      : p(problem), ex(workers), histories(p.l.tiles()) {}

  // Launched by a task, so that no thread besides the workers is busy.
  void run(const std::vector<step>& steps) {
    ex.silent_async([this, &steps] {
      for(const step& s : steps)
        submit(s);
    });
    ex.wait_for_all();
  }

private:
  struct history {
    tf::AsyncTask writer;
    std::vector<tf::AsyncTask> readers; // since then
  };

  void submit(const step& s) {
    history& to = histories[s.to];
    before = to.readers;
    if(before.empty() && !to.writer.empty())
      before.push_back(to.writer);
    for(unsigned k = 0; k < s.reads; ++k)
      if(const auto& writer = histories[s.read(k)].writer; !writer.empty())
        before.push_back(writer);
    const auto handle =
      ex.silent_dependent_async([this, &s] { p.run(s); }, before.begin(), before.end());
    for(unsigned k = 0; k < s.reads; ++k)
      histories[s.read(k)].readers.push_back(handle);
    to.readers.clear();
    to.writer = handle;
  }

  const problem& p;
  tf::Executor ex;
  std::vector<history> histories;
  std::vector<tf::AsyncTask> before; // its memory is used again
};

const bool added = bench::cholesky::add_system<taskflow>("Taskflow", bench::role::peer);

} // namespace
