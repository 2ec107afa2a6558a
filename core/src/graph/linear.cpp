// All nodes by one worker, in one order.

#include "state.hpp"

namespace rondo::detail::inline core {

void graph_state::run_linear(job* j, worker& w) {
  graph_state& self = *static_cast<helper_job*>(j)->state;
  self.linear(w);
  self.end_of_job();
}

void graph_state::linear(worker& w) {
  w.begin_task();
  const auto n = static_cast<std::uint32_t>(graph_.size());
  std::uint32_t at = linear_position_;
  try {
    if(w.observed()) [[unlikely]] {
      for(; at != n && !stopping(); ++at) {
        const auto node = order_.empty() ? at : order_[at];
        call(graph_.bodies_[node], node);
      }
    }
    else if(!order_.empty()) {
      for(; at != n && !stopping(); ++at) {
        if(at + 8 < n)
          __builtin_prefetch(&graph_.bodies_[order_[at + 8]]);
        graph_body& body = graph_.bodies_[order_[at]];
        body.invoke(body.storage);
      }
    }
    else {
      graph_.bodies_.for_each_stretch(at, n, [&](graph_body* body, const graph_body* end) {
        for(; body != end && !stopping(); ++body, ++at)
          body->invoke(body->storage);
      });
    }
  }
  catch(...) {
    fail(order_.empty() ? at : order_[at]);
  }
  linear_position_ = at;
  worker_here().end_task(); // the bodies may have moved us
}

} // namespace rondo::detail::inline core
