#pragma once

/// \file
/// Tasks over a large mesh are not launched one after the other, but gathered, and then launched in
/// waves.hpp's order.

#include <cstddef>
#include <exception>
#include <memory>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <rondo/distributed/ghost_actions.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/tracing/gatherer.hpp>

namespace rondo {

class flow;

namespace detail::inline distributed {

/// One call of execute or reduce: a task for each color.
class gathered {
public:
  virtual void launch(std::size_t color) = 0;
  /// What is filled before.
  [[nodiscard]] virtual std::span<const ghost_actions> halos() const = 0;
  [[nodiscard]] virtual const std::source_location& where() const = 0;

protected:
  gathered() = default;
  gathered(const gathered&) = default;
  ~gathered() = default;
};

class gathering final : public gatherer {
public:
  explicit gathering(flow& f);
  ~gathering();
  gathering(const gathering&) = delete;
  gathering& operator=(const gathering&) = delete;

  /// Launches that were gathered before go first if they are over another topology, where other colors see each other.
  template<class Gathered, class... A>
  void add(topology_state& over, A&&... arguments);

  /// Gathered so far; this is over in any case afterwards.
  void launch_gathered() override;

  /// They are not launched at all.
  void forget() noexcept;

private:
  struct entry {
    gathered* what;
    void (*destroy)(gathered*);
  };
  void begin_over(topology_state& over);
  void added(const entry& e);

  [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment);
  struct room;

  flow& flow_;
  topology_state* over_ = nullptr;
  std::vector<entry> entries_;
  std::unique_ptr<room> room_; ///< For what is gathered.
};

/// Gathered launches are launched when this ends, also by an exception, which then goes on.
struct launch_at_end {
  gathering& what;
  const int exceptions = std::uncaught_exceptions();
  ~launch_at_end() noexcept(false) {
    if(std::uncaught_exceptions() == exceptions) {
      what.launch_gathered();
      return;
    }
    try {
      what.launch_gathered();
    }
    catch(...) { // that of the body says more
    }
  }
};

template<class Gathered, class... A>
void gathering::add(topology_state& over, A&&... arguments) {
  begin_over(over);
  void* const place = allocate(sizeof(Gathered), alignof(Gathered));
  auto* const made = ::new(place) Gathered(std::forward<A>(arguments)...);
  added({made, [](gathered* g) { static_cast<Gathered*>(g)->~Gathered(); }});
}

} // namespace detail::inline distributed
} // namespace rondo
