#pragma once

/// \file
/// `pipeline`: items that pass through stages one after another, several items at a time.
///
/// \code
///   std::ifstream in("log");
///   rondo::executor ex;
///   rondo::pipeline(ex, 16,                                  // at most 16 items at a time
///     [&]() -> std::optional<std::string> {                  // the source: empty at the end
///       std::string line;
///       return std::getline(in, line) ? std::optional(line) : std::nullopt;
///     },
///     rondo::parallel([](std::string line) { return parse(line); }),
///     rondo::serial([&](record r) { print(r); }));
/// \endcode
///
/// Each stage takes what the one before returned, moved, and may return something else. The
/// first is the source: called by one worker at a time, it returns a std::optional. What the last
/// one returns is dropped.
///
/// *Guarantees.* A `serial` stage sees one item at a time, in the order of the source; a `parallel`
/// stage sees any number of items at a time, in any order. There are never more than `tokens`
/// items between the source and the end of the last stage, so memory is bounded. No worker
/// waits for an item that is not its turn: it does something else. Returns when the source has
/// ended and all items have passed.
///
/// *Exceptions*: the first one of those thrown reaches the caller; the source is then not called
/// any more, items on their way pass no further stage, and are destroyed. No tokens at all are a
/// std::invalid_argument.

#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/first_failure.hpp>
#include <rondo/core/scope.hpp>

namespace rondo {

/// A stage that sees one item at a time, in order.
template<class F>
struct serial {
  explicit serial(F f) : call(std::move(f)) {}
  static constexpr bool in_order = true;
  F call;
};

/// A stage that sees several items at a time.
template<class F>
struct parallel {
  explicit parallel(F f) : call(std::move(f)) {}
  static constexpr bool in_order = false;
  F call;
};

namespace detail::inline core {

template<class S>
inline constexpr bool is_stage = false;
template<class F>
inline constexpr bool is_stage<serial<F>> = true;
template<class F>
inline constexpr bool is_stage<parallel<F>> = true;

template<class T>
inline constexpr bool is_optional = false;
template<class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template<class F>
concept pipeline_source = std::invocable<F&> && is_optional<std::invoke_result_t<F&>>;

/// Every stage takes what the one before it makes of an `Item`.
template<class Item, class S, class... Rest>
consteval bool stages_fit() {
  if constexpr(!is_stage<S>) {
    return false;
  }
  else if constexpr(!std::invocable<decltype(S::call)&, Item>) {
    return false;
  }
  else if constexpr(sizeof...(Rest) == 0) {
    return true;
  }
  else if constexpr(std::is_void_v<std::invoke_result_t<decltype(S::call)&, Item>>) {
    return false;
  }
  else {
    return stages_fit<std::decay_t<std::invoke_result_t<decltype(S::call)&, Item>>, Rest...>();
  }
}

template<class Source, class... Stages>
concept pipeline_stages =
  pipeline_source<Source> && sizeof...(Stages) != 0 &&
  stages_fit<typename std::invoke_result_t<Source&>::value_type, Stages...>();

/// A place for the item before each stage.
template<class Item, class S, class... Rest>
struct places {
  using made = std::decay_t<std::invoke_result_t<decltype(S::call)&, Item>>;
  using type = decltype(std::tuple_cat(std::declval<std::tuple<std::optional<Item>>>(),
    std::declval<typename places<made, Rest...>::type>()));
};
template<class Item, class S>
struct places<Item, S> {
  using type = std::tuple<std::optional<Item>>;
};

template<class Source, class... Stages>
class conveyor {
public:
  conveyor(executor& ex, std::size_t tokens, Source& source, std::tuple<Stages...>& stages)
      : tokens_(std::make_unique<token[]>(tokens)), source_(source), stages_(stages), scope_(ex) {
    for(std::size_t i = 1; i != tokens; ++i)
      free_.push_back(&tokens_[i]);
    free_.reserve(tokens);
    for(gate& g : gates_)
      g.waiting.resize(tokens);
  }

  void run() {
    feed(&tokens_[0]);
    scope_.wait();
    failure_.rethrow();
  }

private:
  /// Carries one item at a time.
  struct token {
    std::size_t number = 0; ///< Of the item, in the order of the source.
    typename places<typename std::invoke_result_t<Source&>::value_type, Stages...>::type items;
  };

  /// Lets the items into a serial stage one by one, in order.
  class gate {
  public:
    /// Returns false if it is not its turn; the token goes on when the one before it leaves.
    bool enter(token& t) {
      const std::lock_guard lock(mutex_);
      if(t.number == turn_)
        return true;
      place(t.number) = &t;
      return false;
    }

    /// The next token, if it waits.
    token* leave() {
      const std::lock_guard lock(mutex_);
      ++turn_;
      return std::exchange(place(turn_), nullptr);
    }

    std::vector<token*> waiting;

  private:
    /// Items that have not left the gate yet all hold tokens, so their numbers are closer
    /// together than there are places.
    token*& place(std::size_t number) { return waiting[number % waiting.size()]; }

    std::mutex mutex_;
    std::size_t turn_ = 0;
  };

  /// Asks the source, as long as this worker is the one to do so, with a free token.
  void feed(token* t) noexcept {
    try {
      while(t != nullptr)
        t = feed_once(*t) && pass<0>(*t) ? retire(*t) : nullptr;
    }
    catch(...) {
      fail();
    }
  }

  bool feed_once(token& t) {
    if(failed_.load(std::memory_order_relaxed))
      return false;
    auto item = invoke_with(source_);
    if(!item)
      return false;
    t.number = items_++;
    std::get<0>(t.items).emplace(*std::move(item));
    // From here on another worker may ask the source, while this one carries the item on.
    token* another = nullptr;
    {
      const std::lock_guard lock(free_mutex_);
      if(free_.empty()) {
        source_idle_ = true;
      }
      else {
        another = free_.back();
        free_.pop_back();
      }
    }
    if(another != nullptr)
      scope_.spawn([this, another] { feed(another); });
    return true;
  }

  /// The token's item has passed: the token if it shall be fed again, by the caller.
  token* retire(token& t) {
    const std::lock_guard lock(free_mutex_);
    if(std::exchange(source_idle_, false))
      return &t;
    free_.push_back(&t);
    return nullptr;
  }

  /// Carries an item on from stage K. Returns true if it came to the end.
  template<std::size_t K>
  bool pass(token& t) {
    if constexpr(K == sizeof...(Stages)) {
      return true;
    }
    else {
      if constexpr(in_order<K>) {
        if(!gates_[K].enter(t))
          return false;
      }
      return work<K>(t);
    }
  }

  template<std::size_t K>
  bool work(token& t) {
    if(failed_.load(std::memory_order_relaxed))
      return false;
    auto& call = std::get<K>(stages_).call;
    auto& item = std::get<K>(t.items);
    if constexpr(K + 1 == sizeof...(Stages)) {
      invoke_with(call, std::move(*item));
    }
    else {
      std::get<K + 1>(t.items).emplace(invoke_with(call, std::move(*item)));
    }
    item.reset();
    if constexpr(in_order<K>) {
      if(token* const next = gates_[K].leave())
        scope_.spawn([this, next] { go_on<K>(next); });
    }
    return pass<K + 1>(t);
  }

  /// A token that waited for its turn.
  template<std::size_t K>
  void go_on(token* t) noexcept {
    try {
      if(work<K>(*t))
        feed(retire(*t));
    }
    catch(...) {
      fail();
    }
  }

  void fail() noexcept {
    failure_.note_current();
    failed_.store(true, std::memory_order_relaxed);
  }

  template<std::size_t K>
  static constexpr bool in_order = std::tuple_element_t<K, std::tuple<Stages...>>::in_order;

  const std::unique_ptr<token[]> tokens_;
  Source& source_;
  std::tuple<Stages...>& stages_;
  gate gates_[sizeof...(Stages)]; ///< Parallel stages don't use theirs.
  std::size_t items_ = 0;         ///< Only for the token that may ask the source.

  std::mutex free_mutex_;
  std::vector<token*> free_;
  bool source_idle_ = false; ///< The next worker that retires a token shall ask the source.

  std::atomic<bool> failed_{false};
  first_failure failure_;

  scope scope_; // last, so that all tasks have ended before anything else goes
};

} // namespace detail::inline core

template<class Source, class... Stages>
  requires detail::pipeline_stages<Source, Stages...>
void pipeline(executor& ex, std::size_t tokens, Source source, Stages... stages) {
  if(tokens == 0)
    throw std::invalid_argument("rondo::pipeline: no tokens");
  ex.run([&] {
    std::tuple<Stages...> all(std::move(stages)...);
    detail::conveyor<Source, Stages...>(ex, tokens, source, all).run();
  });
}

template<class Source, class... Stages>
  requires detail::pipeline_stages<Source, Stages...>
void pipeline(std::size_t tokens, Source source, Stages... stages) {
  rondo::pipeline(detail::here(), tokens, std::move(source), std::move(stages)...);
}

} // namespace rondo
