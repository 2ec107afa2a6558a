#include "cholesky/cases.hpp"

#include <cstdlib>
#include <filesystem>
#include <starpu.h>

namespace {

using bench::cholesky::problem;
using bench::cholesky::step;

struct starpu {
  starpu(unsigned workers, const problem& problem) : p(problem), handles(p.l.tiles()) {
    // As in flow.cpp.
    setenv("STARPU_WORKERS_NOBIND", "1", 1);
    setenv("STARPU_SILENT", "1", 1);
    setenv("STARPU_HOME", std::filesystem::temp_directory_path().c_str(), 0);
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = static_cast<int>(workers);
    conf.ncuda = 0;
    conf.nopencl = 0;
    bench::check(starpu_init(&conf) == 0, "cholesky: StarPU does not start");
    for(std::size_t i = 0; i < handles.size(); ++i)
      starpu_vector_data_register(&handles[i], STARPU_MAIN_RAM,
        reinterpret_cast<std::uintptr_t>(p.l.at(i)),
        static_cast<std::uint32_t>(p.l.entries_of_tile()), sizeof(double));
    kind.nbuffers = STARPU_VARIABLE_NBUFFERS;
    kind.cpu_funcs[0] = [](void**, void* arg) {
      const auto* const c = static_cast<const call*>(arg);
      c->p->run(*c->s);
    };
  }
  ~starpu() {
    for(const auto h : handles)
      starpu_data_unregister(h);
    starpu_shutdown();
  }
  starpu(const starpu&) = delete;
  starpu& operator=(const starpu&) = delete;

  // Launched by a task, so that no thread besides the workers is busy.
  void run(const std::vector<step>& steps) {
    calls.clear();
    for(const step& s : steps)
      calls.push_back({&p, &s});
    starpu_codelet root{};
    root.cpu_funcs[0] = [](void**, void* self) { static_cast<starpu*>(self)->launch_all(); };
    starpu_task* const first = starpu_task_create();
    first->cl = &root;
    first->cl_arg = this;
    bench::check(starpu_task_submit(first) == 0, "cholesky: StarPU refuses a task");
    starpu_task_wait_for_all();
  }

private:
  struct call {
    const problem* p;
    const step* s;
  };

  void launch_all() {
    for(call& c : calls) {
      starpu_task* const t = starpu_task_create();
      t->cl = &kind;
      t->cl_arg = &c;
      t->nbuffers = c.s->reads + 1;
      for(unsigned k = 0; k < c.s->reads; ++k) {
        t->handles[k] = handles[c.s->read(k)];
        t->modes[k] = STARPU_R;
      }
      t->handles[c.s->reads] = handles[c.s->to];
      t->modes[c.s->reads] = STARPU_RW;
      bench::check(starpu_task_submit(t) == 0, "cholesky: StarPU refuses a task");
    }
  }

  const problem& p;
  std::vector<starpu_data_handle_t> handles;
  starpu_codelet kind{};
  std::vector<call> calls;
};

const bool added = bench::cholesky::add_system<starpu>("StarPU", bench::role::peer);

} // namespace
