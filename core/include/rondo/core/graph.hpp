#pragma once

/// \file
/// Explicit task graphs: built once, run many times.
///
/// \code
///   rondo::graph g;
///   auto load  = g.add([&] { read(input); });
///   auto left  = g.add([&] { solve(input, 0); });
///   auto right = g.add([&] { solve(input, 1); });
///   auto store = g.add([&] { write(output); });
///   load.precede(left, right);
///   store.succeed(left, right);
///
///   rondo::executor ex;
///   ex.run(g);              // each node once, after all its predecessors
///   ex.run_n(g, 100);       // a hundred times, one pass after the other
/// \endcode
///
/// *Loops and choices.* A condition returns the position, among its successors in the order of
/// `precede`, of the one to go to; any other number goes nowhere. An edge out of a condition is
/// a jump: nodes do not wait for it. So a graph may have cycles, if every cycle contains a
/// condition; another cycle is reported as std::invalid_argument when the graph is run.
///
/// *Composition.* A graph added as a node runs as a whole in its place. It must outlive the
/// outer graph and must not run twice at the same time.
///
/// *How it is scheduled.* The first run is scheduled node by node. Where nodes turn out to be
/// so short that scheduling would cost more than running them, later runs follow a fixed plan,
/// and the executor keeps whichever way was measured to be faster: docs/graph.md.
///
/// *Waiting.* What a node waits for, in `get()` or otherwise, must not be made by a later node of
/// the same graph that no edge makes an earlier one: a fixed plan may run it later. Say it with an
/// edge.
///
/// *Errors.* If a node throws, no further node begins, and `run` or `wait` rethrows the
/// exception. A graph that is running must not be changed or run again: std::logic_error.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rondo/core/block_cache.hpp>
#include <rondo/core/executor.hpp>

namespace rondo {

class graph;

namespace detail::inline core {
class graph_state;

/// A node's body as the loops that run graphs see it: half a cache line.
struct graph_body {
  using invoke_function = int (*)(void* storage);
  static constexpr std::size_t capacity = 24;
  invoke_function invoke;
  alignas(8) std::byte storage[capacity];
};

struct graph_edge {
  std::uint32_t from, to;
};
} // namespace detail::inline core

/// A node of a graph: a light handle, valid as long as the graph is neither cleared nor gone.
class graph_node {
public:
  /// This node runs before each of `later`.
  template<class... Nodes>
    requires(std::is_same_v<Nodes, graph_node> && ...)
  graph_node precede(Nodes... later) {
    (connect(*this, later), ...);
    return *this;
  }

  /// This node runs after each of `earlier`.
  template<class... Nodes>
    requires(std::is_same_v<Nodes, graph_node> && ...)
  graph_node succeed(Nodes... earlier) {
    (connect(earlier, *this), ...);
    return *this;
  }

  /// Shown by observers, errors and DOT.
  graph_node name(std::string name);

  [[nodiscard]] std::uint32_t index() const { return index_; }
  friend bool operator==(graph_node, graph_node) = default;

private:
  friend class graph;
  graph_node(graph& g, std::uint32_t index) : graph_(&g), index_(index) {}
  static void connect(graph_node from, graph_node to);

  graph* graph_;
  std::uint32_t index_;
};

class graph {
public:
  using node = graph_node;

  graph();
  ~graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  /// A node that calls `f()`.
  template<class F>
    requires std::is_invocable_v<std::decay_t<F>&>
  node add(F&& f) {
    return add_body(std::forward<F>(f));
  }

  /// A node that calls `f()` and goes on with the successor at the position it returns.
  template<class F>
    requires std::is_invocable_r_v<int, std::decay_t<F>&>
  node add_condition(F&& f) {
    const node made = add_body(std::forward<F>(f));
    mark_condition(made.index());
    return made;
  }

  /// A node that runs all of `sub`.
  node add(graph& sub);

  [[nodiscard]] std::size_t size() const { return bodies_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// The node that was added as the `index`-th, counted from 0. So nodes that are numbered anyhow need not be
  /// kept in a table of handles.
  [[nodiscard]] node operator[](std::uint32_t index) { return {*this, index}; }

  /// Removes all nodes.
  void clear();

  /// The graph in the language of Graphviz.
  [[nodiscard]] std::string dot() const;

private:
  friend class graph_node;
  friend class executor;
  friend class detail::graph_state;

  struct destructor {
    void* object;
    void (*destroy)(void*);
  };

  template<class F>
  node add_body(F&& f);
  void mark_condition(std::uint32_t index);
  void connect(std::uint32_t from, std::uint32_t to) {
    if(changed_ == nullptr) [[unlikely]]
      check_change();
    if(chain_) {
      if(from == chained_ && to == from + 1) {
        ++chained_;
        return;
      }
      write_out_chain();
    }
    *edges_.extend() = {from, to};
    forward_ = forward_ && from < to;
  }
  void write_out_chain();
  void check_change();
  void* spill(std::size_t size, std::size_t alignment);
  [[nodiscard]] const char* name_of(std::uint32_t index) const;

  block_array<detail::graph_body> bodies_;
  block_array<detail::graph_edge> edges_;
  bool forward_ = true; ///< Every edge leads to a node that was added later.
  /// The edges lead from the first node to the second, to the third ...: their number says it all, and
  /// `edges_` is empty.
  bool chain_ = true;
  std::uint32_t chained_ = 0;
  bool relocatable_ = true; ///< Bodies work as well in a copy of their bytes.
  const void* changed_ = nullptr;
  std::vector<destructor> destructors_;
  std::vector<void*> spilled_; ///< Blocks for captures too large for a body.
  std::size_t spill_left_ = 0;
  std::vector<std::uint32_t> conditions_;
  std::vector<std::pair<std::uint32_t, graph*>> subgraphs_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::unique_ptr<detail::graph_state> state_;
};

/// A run under way, or one that was stopped. Movable; the destructor waits for nodes that have
/// begun, and gives up those that have not.
class graph_run {
public:
  graph_run(graph_run&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  graph_run& operator=(graph_run&&) = delete;
  ~graph_run();

  /// Returns when all nodes have run, or after `cancel` when those that had begun have ended.
  /// Helps meanwhile. Rethrows the exception of a node.
  void wait(std::source_location where = std::source_location::current());

  /// No further node begins.
  void cancel();

  /// Goes on after a `cancel`, with the nodes that have not run.
  void resume();

  /// All nodes have run, or one has thrown.
  [[nodiscard]] bool done() const;

private:
  friend class executor;
  explicit graph_run(detail::graph_state& state) : state_(&state) {}
  detail::graph_state* state_;
};

// ------------------------------------------------------------------------------------------

inline void graph_node::connect(graph_node from, graph_node to) {
  from.graph_->connect(from.index_, to.index_);
}

template<class F>
graph_node graph::add_body(F&& f) {
  using body = std::decay_t<F>;
  if(changed_ == nullptr) [[unlikely]]
    check_change();
  constexpr bool is_inside =
    sizeof(body) <= detail::graph_body::capacity && alignof(body) <= alignof(void*);
  // Should anything throw, such as the copy of f, the graph is as it was.
  if constexpr(!std::is_trivially_destructible_v<body>)
    if(destructors_.size() == destructors_.capacity())
      destructors_.reserve(2 * destructors_.size() + 16);
  void* where = nullptr;
  detail::graph_body* slot = nullptr;
  if constexpr(!is_inside)
    where = spill(sizeof(body), alignof(body));
  slot = bodies_.extend();
  slot->invoke = nullptr;
  if constexpr(is_inside)
    where = slot->storage;
  const auto call = [](body& b) -> int {
    if constexpr(std::is_convertible_v<std::invoke_result_t<body&>, int>)
      return static_cast<int>(b());
    else {
      b();
      return 0;
    }
  };
  (void)call;
  body* object = nullptr;
  if constexpr(std::is_nothrow_constructible_v<body, F>)
    object = ::new(where) body(std::forward<F>(f));
  else
    try {
      object = ::new(where) body(std::forward<F>(f));
    }
    catch(...) {
      bodies_.retract();
      throw;
    }
  if constexpr(!is_inside)
    ::new(static_cast<void*>(slot->storage)) void*(object);
  slot->invoke = [](void* storage) -> int {
    void* const at = is_inside ? storage : *static_cast<void**>(storage);
    return decltype(call){}(*static_cast<body*>(at));
  };
  // A body that keeps no state of its own between calls may be laid out anew for a plan.
  if constexpr(is_inside &&
               !(std::is_trivially_copyable_v<body> && std::is_invocable_v<const body&>))
    relocatable_ = false;
  if constexpr(!std::is_trivially_destructible_v<body>)
    destructors_.push_back({object, [](void* o) { static_cast<body*>(o)->~body(); }});
  return {*this, static_cast<std::uint32_t>(bodies_.size() - 1)};
}

} // namespace rondo
