// SuperGlue finds the order of tasks from the versions of the handles they access, anew in every
// run. So, as for OpenMP, there is a re-run only, which includes making the tasks.

#include "graph/cases.hpp"

#include <sg/superglue.hpp>

namespace {

using bench::context;
using bench::figures;
using namespace bench::graph;

struct options : DefaultOptions<options> {};
using handle = Handle<options>;

template<class Body>
struct node_task : Task<options> {
  explicit node_task(Body b) : body(b) {}
  void run() override { body(); }
  Body body;
};

// A node writes its own handle and reads those of its predecessors.
template<class Shape>
void run(SuperGlue<options>& sg, const Shape& shape, std::vector<handle>& handles,
  std::vector<std::uint32_t>& counts, std::vector<char>* wrong) {
  std::uint32_t* const c = counts.data();
  for(std::uint32_t i = 0; i < shape.size(); ++i) {
    const auto body = [c, i, wrong, &shape] {
      work_of_a_node<Shape>();
      ++c[i];
      if(wrong != nullptr)
        shape.predecessors(i, [&](std::uint32_t j) { (*wrong)[i] |= c[j] != c[i]; });
    };
    auto* const task = new node_task<decltype(body)>(body); // deleted by SuperGlue
    task->register_access(ReadWriteAdd::write, handles[i]);
    shape.predecessors(
      i, [&](std::uint32_t j) { task->register_access(ReadWriteAdd::read, handles[j]); });
    sg.submit(task);
  }
  sg.barrier();
}

template<class Shape>
figures measure_handles(const context& c, const Shape& shape) {
  SuperGlue<options> sg(static_cast<int>(c.workers));
  std::vector<handle> handles(shape.size());
  std::vector<std::uint32_t> counts(shape.size());
  std::vector<char> wrong(shape.size());
  run(sg, shape, handles, counts, &wrong);
  const double t = bench::median_time_of(3, [&] { run(sg, shape, handles, counts, nullptr); });
  for(std::uint32_t i = 0; i < shape.size(); ++i)
    bench::check(
      counts[i] == 4 && !wrong[i], "graph: a node was not run once per pass, or too early");
  return {{"re-run", "ns/node", t / shape.size()}};
}

const bool added = for_all_shapes([](const char* test, auto make) {
  return bench::add({test, "SuperGlue", bench::role::peer, {1, 2},
    [make](const context& c) { return measure_handles(c, make(c.quick)); }});
});

} // namespace
