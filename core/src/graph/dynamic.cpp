// Node by node: predecessors are counted down, ready nodes may be stolen.

#include "state.hpp"

namespace rondo::detail::inline core {

namespace {
/// Decisions of condition nodes in a row after which other tasks get their turn.
constexpr unsigned most_decisions = 64;
} // namespace

void graph_state::run_node(job* j, worker& w) {
  auto* const node = static_cast<node_job*>(j);
  w.begin_task();
  node->state->run_chain(node->index);
}

/// Runs a node, then one that became ready by it, and so on: a chain costs no stack and no
/// visit to the deque.
void graph_state::run_chain(std::uint32_t node) {
  for(unsigned decisions = 0;;) {
    if(stopping() && put_aside(node)) [[unlikely]]
      break;
    int choice = 0;
    try {
      choice = call(graph_.bodies_[node], node);
    }
    catch(...) {
      fail(node);
      break;
    }
    bool any = false;
    std::uint32_t next = 0;
    const auto targets = shape_->targets(node);
    if(!is_condition_.empty() && is_condition_[node]) {
      if(choice >= 0 && static_cast<std::size_t>(choice) < targets.size()) {
        next = targets[static_cast<std::size_t>(choice)];
        any = true;
        if(++decisions == most_decisions) { // a loop that may wait for one of those
          worker& w = worker_here();
          w.end_task();
          w.push_task(&nodes_[next]); // may be stolen: nothing of the run is touched from here on
          return;
        }
      }
    }
    else
      for(const auto t : targets)
        release(t, next, any);
    if(!any)
      break;
    node = next;
  }
  worker_here().end_task();
  end_of_job();
}

/// One predecessor of `node` has run.
void graph_state::release(std::uint32_t node, std::uint32_t& next, bool& any) {
  const auto in_degree = shape_->in_degree[node];
  if(in_degree != 1) {
    auto& open = nodes_[node].open;
    // acq_rel: the thread that counts to zero sees what all predecessors wrote.
    if(open.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    open.store(in_degree, std::memory_order_relaxed); // ready for the next pass
  }
  if(!any) {
    next = node;
    any = true;
    return;
  }
  active_.fetch_add(1, std::memory_order_relaxed);
  worker_here().push_task(&nodes_[node]); // the bodies may have moved us
}

} // namespace rondo::detail::inline core
