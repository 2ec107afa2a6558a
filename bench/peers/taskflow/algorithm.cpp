#include "algorithm/cases.hpp"

#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/algorithm/reduce.hpp>
#include <taskflow/taskflow.hpp>

#include <functional>
#include <optional>

namespace {

using namespace bench::algorithm;
using bench::role;

// With its default partitioner, on ranges of indices: the bodies are plain loops.
struct taskflow_loops {
  explicit taskflow_loops(unsigned workers) : ex(workers) {}
  using indices = tf::IndexRange<std::size_t>;

  void for_each(array& x) {
    tf::Taskflow flow;
    flow.for_each_by_index(indices(0, x.size(), 1), [v = x.begin()](indices r) {
      for(auto i = r.begin(); i < r.end(); ++i)
        affine(v[i]);
    });
    ex.run(flow).wait();
  }
  double sum(const array& x) {
    tf::Taskflow flow;
    double result = 0;
    flow.reduce_by_index(
      indices(0, x.size(), 1), result,
      [v = x.begin()](indices r, std::optional<double> before) {
        double s = before.value_or(0.0);
        for(auto i = r.begin(); i < r.end(); ++i)
          s += v[i];
        return s;
      },
      std::plus<double>());
    ex.run(flow).wait();
    return result;
  }
  void rows(picture& p) {
    tf::Taskflow flow;
    flow.for_each_index(std::size_t{0}, p.rows, std::size_t{1}, [&p](std::size_t i) { p.row(i); });
    ex.run(flow).wait();
  }
  tf::Executor ex;
};

const bool added = add_for_each<taskflow_loops>("Taskflow", role::peer) &&
                   add_reduce<taskflow_loops>("Taskflow", role::peer) &&
                   add_uneven<taskflow_loops>("Taskflow", role::peer);

} // namespace
