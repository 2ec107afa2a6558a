// Planning: what a graph needs before it can run in the mode that was chosen.

#include "state.hpp"

#include <stdexcept>
#include <string>

namespace rondo::detail::inline core {

namespace {
/// Graphs that are narrower on average have nothing to gain from a second lane.
constexpr double least_width = 2;
} // namespace

void graph_state::change() {
  if(!reusable())
    throw std::logic_error("rondo::graph: changed while it runs, or before graph_run::wait() has "
                           "returned; wait for the run first");
  planned_ = false;
}

void graph_state::prepare(unsigned workers) {
  if(planned_ && workers == workers_)
    return;
  shape_.reset();
  lane_plan_.reset();
  order_.clear();
  nodes_.clear();
  lanes_.reset();
  tidy_ = false;
  pace_ = {};
  workers_ = workers;
  fixed_order_ = graph_.conditions_.empty() && graph_.subgraphs_.empty();
  is_condition_.assign(graph_.conditions_.empty() ? 0 : graph_.size(), false);
  for(const auto i : graph_.conditions_)
    is_condition_[i] = true;
  // One worker needs no more than an order, and usually has one. Nor does a graph that is one
  // chain, whose nodes can only run one after the other.
  const bool is_chain = graph_.chain_ && graph_.chained_ + std::size_t{1} == graph_.size();
  one_by_one_ = fixed_order_ && (workers == 1 || is_chain);
  if(!(one_by_one_ && graph_.forward_)) {
    if(graph_.chain_)
      graph_.write_out_chain();
    shape_ =
      make_adjacency(static_cast<std::uint32_t>(graph_.size()), graph_.edges_, is_condition_);
    if(!graph_.forward_) {
      auto order = topological_order(*shape_);
      if(graph_.conditions_.empty() && order.size() != graph_.size()) {
        std::vector<bool> reached(graph_.size());
        for(const auto i : order)
          reached[i] = true;
        std::uint32_t lost = 0;
        while(reached[lost])
          ++lost;
        const std::string name = graph_.name_of(lost);
        throw std::invalid_argument("rondo::graph: node " + std::to_string(lost) +
                                    (name.empty() ? "" : " (" + name + ")") +
                                    " can never start: it lies on or behind a cycle without a "
                                    "condition");
      }
      order_ = std::move(order);
    }
    if(shape_->sources.empty() && !graph_.empty())
      throw std::invalid_argument("rondo::graph: no node can start: every node has a predecessor");
  }
  planned_ = true;
  graph_.changed_ = nullptr; // the next change has to ask
}

void graph_state::prepare_mode() {
  mode_ = pace_.choose();
  if(!fixed_order_)
    mode_ = graph_mode::dynamic;
  else if(one_by_one_)
    mode_ = graph_mode::linear;
  if(mode_ == graph_mode::lanes && !lane_plan_) {
    lane_plan_ =
      make_lanes(*shape_, order_.empty() ? topological_order(*shape_) : order_, workers_);
    if(lane_plan_->width < least_width) {
      pace_.rule_out_lanes();
      mode_ = pace_.choose();
    }
  }
  const auto n = static_cast<std::uint32_t>(graph_.size());
  if(mode_ == graph_mode::dynamic && nodes_.size() == 0) {
    for(std::uint32_t i = 0; i != n; ++i) {
      auto* const made = ::new(static_cast<void*>(nodes_.extend())) node_job;
      made->run = &run_node;
      made->state = this;
      made->index = i;
      made->open.store(shape_->in_degree[i], std::memory_order_relaxed);
    }
    tidy_ = true;
  }
  if(mode_ == graph_mode::dynamic && !tidy_) {
    for(std::uint32_t i = 0; i != n; ++i)
      nodes_[i].open.store(shape_->in_degree[i], std::memory_order_relaxed);
    tidy_ = true;
  }
  if(mode_ == graph_mode::lanes && lanes_ == nullptr) {
    lanes_.reset(new lane_state[workers_]);
    for(unsigned l = 0; l != workers_; ++l) {
      const auto& nodes = lane_plan_->lanes[l].nodes;
      if(graph_.relocatable_) {
        lanes_[l].copies.reserve(nodes.size());
        for(const auto i : nodes)
          lanes_[l].copies.push_back(graph_.bodies_[i]);
        continue;
      }
      lanes_[l].bodies.reserve(nodes.size());
      for(const auto i : nodes)
        lanes_[l].bodies.push_back(&graph_.bodies_[i]);
    }
  }
  if(mode_ != graph_mode::dynamic && pace_.is_decided())
    nodes_.clear();
  reset_positions();
}

void graph_state::reset_positions() {
  linear_position_ = 0;
  crowded_.store(false, std::memory_order_relaxed);
  if(lanes_ != nullptr)
    for(unsigned l = 0; l != workers_; ++l) {
      auto& lane = lanes_[l];
      lane.segment = lane.position = 0;
      lane.finished = lane_plan_->lanes[l].segments.empty();
      lane.ended.store(lane.finished, std::memory_order_relaxed);
      lane.progress.store(0, std::memory_order_relaxed);
    }
}

} // namespace rondo::detail::inline core
