// Tasks depend on tasks here, not on data: who writes a cell last, and who has read it since, is kept
// by hand, as a user has to.

#include "flow/cases.hpp"

#include <taskflow/taskflow.hpp>

namespace {

using bench::flow::cell;
using bench::flow::launch;
using bench::flow::program;

struct taskflow {
  taskflow(unsigned workers, std::vector<cell>& cells) : ex(workers), histories(cells.size()) {}

  // Launched by a task, so that no thread besides the workers is busy.
  template<class Pass>
  void run(const program& p, const Pass& pass) {
    ex.silent_async([this, &p, &pass] {
      for(std::size_t i = 0; i < p.launches.size(); ++i)
        submit(p.launches[i], pass.task(i));
    });
    ex.wait_for_all();
  }

private:
  struct history {
    tf::AsyncTask writer;
    std::vector<tf::AsyncTask> readers; // since then
  };

  template<class F>
  void submit(const launch& l, F task) {
    before.clear();
    for(unsigned k = 0; k < l.accesses(); ++k) {
      const history& h = histories[l.cells[k]];
      if(k >= l.reads && !h.readers.empty())
        before.insert(before.end(), h.readers.begin(), h.readers.end());
      else if(!h.writer.empty())
        before.push_back(h.writer);
    }
    const auto handle = ex.silent_dependent_async(std::move(task), before.begin(), before.end());
    for(unsigned k = 0; k < l.accesses(); ++k) {
      history& h = histories[l.cells[k]];
      if(k < l.reads)
        h.readers.push_back(handle);
      else {
        h.readers.clear();
        h.writer = handle;
      }
    }
  }

  tf::Executor ex;
  std::vector<history> histories;
  std::vector<tf::AsyncTask> before; // its memory is used again
};

const bool added = bench::flow::add_system<taskflow>("Taskflow", bench::role::peer);

} // namespace
