#include "flow/cases.hpp"

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <starpu.h>

namespace {

using bench::flow::cell;
using bench::flow::launch;
using bench::flow::most_accesses;
using bench::flow::program;

static_assert(most_accesses <= STARPU_NMAXBUFS);

struct starpu {
  using heavy = void;

  starpu(unsigned workers, std::vector<cell>& cells) {
    // Its threads are not bound, like everybody's. What it measures of the machine it keeps in the
    // user's home, if not told otherwise.
    setenv("STARPU_WORKERS_NOBIND", "1", 1);
    setenv("STARPU_SILENT", "1", 1);
    setenv("STARPU_HOME", std::filesystem::temp_directory_path().c_str(), 0);
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = static_cast<int>(workers);
    conf.ncuda = 0;
    conf.nopencl = 0;
    bench::check(starpu_init(&conf) == 0, "flow: StarPU does not start");
    for(cell& c : cells)
      starpu_variable_data_register(&handles.emplace_back(), STARPU_MAIN_RAM,
        reinterpret_cast<std::uintptr_t>(&c), sizeof(cell));
  }
  ~starpu() {
    for(const auto h : handles)
      starpu_data_unregister(h);
    starpu_shutdown();
  }
  starpu(const starpu&) = delete;
  starpu& operator=(const starpu&) = delete;

  // Launched by a task, so that no thread besides the workers is busy.
  template<class Pass>
  void run(const program& p, const Pass& pass) {
    launching<Pass> all{*this, p, pass, {}, {}};
    all.kind.cpu_funcs[0] = [](void**, void* arg) {
      const auto* const self = static_cast<const calls<Pass>*>(arg);
      self->pass->task(self->i)();
    };
    all.kind.nbuffers = STARPU_VARIABLE_NBUFFERS;
    all.calls_of.reserve(p.launches.size());
    for(std::size_t i = 0; i < p.launches.size(); ++i)
      all.calls_of.push_back({&pass, i});

    starpu_codelet root{};
    root.cpu_funcs[0] = [](void**, void* arg) { static_cast<launching<Pass>*>(arg)->launch_all(); };
    starpu_task* const first = starpu_task_create();
    first->cl = &root;
    first->cl_arg = &all;
    bench::check(starpu_task_submit(first) == 0, "flow: StarPU refuses a task");
    starpu_task_wait_for_all();
  }

private:
  template<class Pass>
  struct calls {
    const Pass* pass;
    std::size_t i;
  };

  template<class Pass>
  struct launching {
    starpu& home;
    const program& p;
    const Pass& pass;
    starpu_codelet kind;
    std::vector<calls<Pass>> calls_of;

    void launch_all() {
      for(std::size_t i = 0; i < p.launches.size(); ++i) {
        const launch& l = p.launches[i];
        starpu_task* const t = starpu_task_create();
        t->cl = &kind;
        t->cl_arg = &calls_of[i];
        t->nbuffers = static_cast<int>(l.accesses());
        for(unsigned k = 0; k < l.accesses(); ++k) {
          t->handles[k] = home.handles[l.cells[k]];
          t->modes[k] = k < l.reads ? STARPU_R : STARPU_RW;
        }
        bench::check(starpu_task_submit(t) == 0, "flow: StarPU refuses a task");
      }
    }
  };

  std::deque<starpu_data_handle_t> handles;
};

const bool added = bench::flow::add_system<starpu>("StarPU", bench::role::peer);

} // namespace
