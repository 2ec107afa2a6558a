#include <rondo/core/graph.hpp>
#include <rondo/core/place.hpp>
#include <rondo/core/told_wait.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

#include "state.hpp"

namespace rondo {

graph::graph() : state_(std::make_unique<detail::graph_state>(*this)) {}

graph::~graph() {
  state_->give_up();
  clear();
}

void graph::clear() {
  check_change();
  for(auto& d : destructors_)
    d.destroy(d.object);
  destructors_.clear();
  bodies_.clear();
  edges_.clear();
  for(void* const block : spilled_)
    ::operator delete(block, std::align_val_t{cache_line});
  spilled_.clear();
  spill_left_ = 0;
  conditions_.clear();
  subgraphs_.clear();
  names_.clear();
  forward_ = true;
  chain_ = true;
  chained_ = 0;
  relocatable_ = true;
}

/// Called at the first change after a run: from then on changes cost nothing extra.
void graph::check_change() {
  state_->change();
  changed_ = this;
}

/// As in a graph that never was a chain.
void graph::write_out_chain() {
  for(std::uint32_t i = 0; i != chained_; ++i)
    *edges_.extend() = {i, i + 1};
  chain_ = false;
}

void graph::mark_condition(std::uint32_t index) { conditions_.push_back(index); }

graph_node graph::add(graph& sub) {
  const node made = add([&sub] { this_worker()->home().run(sub); });
  subgraphs_.emplace_back(made.index(), &sub);
  return made;
}

void* graph::spill(std::size_t size, std::size_t alignment) {
  constexpr std::size_t block = std::size_t{64} * 1024;
  if(size > block / 4 || alignment > cache_line) {
    // Large ones get a block of their own, put below the one that is being filled.
    const auto position = spilled_.empty() ? spilled_.end() : std::prev(spilled_.end());
    return *spilled_.insert(
      position, ::operator new(size, std::align_val_t{std::max(alignment, cache_line)}));
  }
  std::size_t left = spill_left_ & ~(alignment - 1);
  if(left < size || spilled_.empty()) {
    spilled_.push_back(::operator new(block, std::align_val_t{cache_line}));
    left = block;
  }
  // Filled from the end, so that one number says it all.
  left = (left - size) & ~(alignment - 1);
  spill_left_ = left;
  return static_cast<std::byte*>(spilled_.back()) + left;
}

const char* graph::name_of(std::uint32_t index) const {
  const auto found = names_.find(index);
  return found != names_.end() ? found->second.c_str() : "";
}

graph_node graph_node::name(std::string name) {
  graph_->names_[index_] = std::move(name);
  return *this;
}

graph_run::~graph_run() {
  if(state_ != nullptr)
    state_->give_up();
}

void graph_run::wait(std::source_location where) {
  if(state_ == nullptr)
    return;
  detail::graph_state& state = *state_;
  struct release {
    graph_run& run;
    detail::graph_state& state;
    ~release() {
      if(state.reusable())
        run.state_ = nullptr;
    }
  } const at_end{*this, state};
  std::optional<detail::told_wait> here;
  if(!state.reusable())
    here.emplace(state.home(), where);
  state.wait();
}

void graph_run::cancel() {
  if(state_ != nullptr)
    state_->cancel();
}

void graph_run::resume() {
  if(state_ != nullptr)
    state_->resume();
}

bool graph_run::done() const { return state_ == nullptr || state_->finished(); }

void executor::run(graph& g, std::source_location where) {
  const detail::told_wait here(*this, where);
  run([&g] { g.state_->run(*this_worker()); });
}

void executor::run_n(graph& g, std::size_t n, std::source_location where) {
  const detail::told_wait here(*this, where);
  run([&] {
    for(std::size_t i = 0; i != n; ++i)
      g.state_->run(*this_worker());
  });
}

graph_run executor::start(graph& g) {
  g.state_->start(*this);
  return graph_run(*g.state_);
}

std::string graph::dot() const {
  std::string text = "digraph rondo {\n";
  std::vector<bool> is_condition(size());
  for(const auto i : conditions_)
    is_condition[i] = true;
  std::unordered_map<std::uint32_t, const graph*> is_subgraph(subgraphs_.begin(), subgraphs_.end());
  for(std::uint32_t i = 0; i != size(); ++i) {
    std::string label = name_of(i);
    if(label.empty())
      label = std::to_string(i);
    text += "  n" + std::to_string(i) + " [label=\"" + detail::escaped(label) + "\"";
    if(is_condition[i])
      text += ", shape=diamond";
    if(is_subgraph.contains(i))
      text += ", shape=box3d";
    text += "];\n";
  }
  std::vector<int> jumps(size());
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    text += "  n" + std::to_string(from) + " -> n" + std::to_string(to);
    if(is_condition[from])
      text += " [style=dashed, label=\"" + std::to_string(jumps[from]++) + "\"]";
    text += ";\n";
  };
  for(std::uint32_t i = 0; chain_ && i != chained_; ++i)
    draw(i, i + 1);
  edges_.for_each_stretch(
    0, edges_.size(), [&](const detail::graph_edge* e, const detail::graph_edge* end) {
      for(; e != end; ++e)
        draw(e->from, e->to);
    });
  return text + "}\n";
}

} // namespace rondo
