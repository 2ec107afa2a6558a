#pragma once

/// \file
/// `when_all`: many futures as one.
///
/// \code
///   std::vector<rondo::future<double>> parts = ...;
///   rondo::future<std::vector<double>> all = rondo::when_all(parts);
///   all.then([](const std::vector<double>& v) { return std::accumulate(...); });
///
///   rondo::future<std::tuple<mesh, options>> both = rondo::when_all(a, b);
/// \endcode
///
/// `when_all` copies the values. Values that cannot be copied stay where they are: the result has
/// `future<T>` in their place. If futures failed, so does the result, with the failure of the first of
/// them in the order of the arguments.

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/two_numbers.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/futures/future_range.hpp>

namespace rondo {

namespace detail::inline futures {

/// How `when_all` gives a value of a future<T>. std::reference_wrapper is declared by <tuple>, which unwraps it; the rest of
/// <functional> is nothing that all programs should read for it.
template<class T>
using element = std::conditional_t<std::is_void_v<T>, nothing,
  std::conditional_t<std::is_reference_v<T>, std::reference_wrapper<std::remove_reference_t<T>>,
    std::conditional_t<std::is_copy_constructible_v<value_or_nothing<T>>, T, future<T>>>>;

template<class T>
element<T> element_of(const future<T>& f) {
  if constexpr(std::is_void_v<T>)
    return {};
  else if constexpr(std::is_reference_v<T>)
    return *access::of(f)->value();
  else if constexpr(std::is_same_v<element<T>, T>)
    return access::of(f)->value();
  else
    return f;
}

/// Counts futures that are not ready. The count starts with one too many, which is taken off when
/// all are registered.
class countdown {
public:
  struct wait : continuation {
    countdown* owner;
  };

  void begin(std::size_t count) { open_.store(count + 1, std::memory_order_relaxed); }
  /// Returns false if it is ready already.
  bool watch(wait& w, state_base& s) {
    w.fire = [](continuation* c) {
      countdown& self = *static_cast<wait*>(c)->owner;
      self.arrive(1);
    };
    w.owner = this;
    return s.add(w);
  }
  /// acq_rel: who takes the count to zero sees all values.
  void arrive(std::size_t count) {
    if(open_.fetch_sub(count, std::memory_order_acq_rel) == count)
      all_ready();
  }

protected:
  ~countdown() = default;

private:
  virtual void all_ready() noexcept = 0;
  std::atomic<std::size_t> open_{0};
};

template<class T>
using all_of = std::conditional_t<std::is_void_v<T>, void, std::vector<element<T>>>;

/// Every state is somewhere else in memory, so they are fetched ahead: calls `f(i)` for the
/// positions from `first` on until it says stop, and returns the position where it did, or `size`.
template<class State, class F>
std::size_t each_state(std::size_t first, std::size_t size, State&& state, F&& f) {
  constexpr std::size_t ahead = 16;
  for(std::size_t i = first; i < smaller_of(size, first + ahead); ++i)
    __builtin_prefetch(state(i), 1);
  for(std::size_t i = first; i != size; ++i) {
    if(size - i > ahead)
      __builtin_prefetch(state(i + ahead), 1);
    if(!f(i))
      return i;
  }
  return size;
}

/// A value can be put where it belongs as soon as it is there, and its future be let go.
template<class T>
inline constexpr bool taken_early =
  std::is_void_v<T> || (std::is_nothrow_default_constructible_v<element<T>> &&
                         std::is_nothrow_move_assignable_v<element<T>> &&
                         std::is_nothrow_copy_assignable_v<element<T>> &&
                         !std::is_same_v<element<T>, bool>); // those share bytes

/// The futures given to `when_all`, and what they have given so far.
template<class T>
class collection {
public:
  explicit collection(std::vector<future<T>> of) : of_(std::move(of)) {
    if constexpr(taken_early<T> && !std::is_void_v<T>)
      values_.resize(of_.size());
  }

  [[nodiscard]] std::size_t size() const { return of_.size(); }
  [[nodiscard]] state_base* at(std::size_t i) const { return access::of(of_[i]); }

  /// Future `i` is ready. Several may be taken at the same time.
  void take([[maybe_unused]] std::size_t i) noexcept {
    if constexpr(taken_early<T>) {
      if(at(i)->failed()) {
        any_failed_.store(true, std::memory_order_relaxed); // published by the countdown
        return;
      }
      const future<T> f = std::move(of_[i]);
      if constexpr(!std::is_void_v<T>)
        values_[i] = element_of(f);
    }
  }

  /// All are ready.
  void deliver(state<all_of<T>>& to) noexcept {
    try {
      if constexpr(!taken_early<T>)
        values_.reserve(size());
      if(!taken_early<T> || any_failed_.load(std::memory_order_relaxed))
        for(const auto& f : of_) {
          if(f.valid() && access::of(f)->failed()) {
            to.fail_like(*access::of(f));
            return;
          }
          if constexpr(!taken_early<T>)
            values_.push_back(element_of(f));
        }
      if constexpr(std::is_void_v<T>)
        to.emplace();
      else
        to.emplace(std::move(values_));
    }
    catch(...) {
      to.fail(std::current_exception());
    }
  }

private:
  std::vector<future<T>> of_;
  std::vector<element<T>> values_;
  std::atomic<bool> any_failed_{false};

public:
  /// Before `take` is called by others.
  collection(collection&& other) noexcept
      : of_(std::move(other.of_)), values_(std::move(other.values_)),
        any_failed_(other.any_failed_.load(std::memory_order_relaxed)) {}
};

template<class T>
class range_state final : public state<all_of<T>>, countdown {
public:
  range_state(
    executor* home, std::source_location where, collection<T>&& all, std::size_t already_taken)
      : state<all_of<T>>(home, where, state_base::one_handle + 2), all_(std::move(all)),
        first_(already_taken), waits_(new wait[all_.size() - already_taken]) {}

  void start() {
    begin(all_.size() - first_);
    std::size_t ready = 1;
    each_state(
      first_, all_.size(), [this](std::size_t i) { return all_.at(i); },
      [&](std::size_t i) {
        wait& w = waits_[i - first_];
        w.fire = [](continuation* c) {
          auto* const fired = static_cast<wait*>(c);
          auto& self = static_cast<range_state&>(*fired->owner);
          self.all_.take(self.first_ + static_cast<std::size_t>(fired - self.waits_.get()));
          self.arrive(1);
        };
        w.owner = this;
        if(!all_.at(i)->add(w)) {
          all_.take(i);
          ++ready;
        }
        return true;
      });
    arrive(ready);
  }

private:
  void all_ready() noexcept override {
    {
      collection<T> all = std::move(all_);
      all.deliver(*this);
    }
    this->complete();
    this->drop_ref();
  }
  void destroy() noexcept override { end_state(this); }

  collection<T> all_;
  const std::size_t first_;
  std::unique_ptr<wait[]> waits_;
};

/// The result, if all are ready, without a handle of any of them; else a future of nothing.
template<class T, class Range>
future<all_of<T>> when_all_ready(
  const Range& range, executor* home, const std::source_location& where) {
  state_base* bad = nullptr;
  for(const auto& f : range) {
    state_base& s = *access::of(f);
    if(!s.ready())
      return {};
    if(bad == nullptr && s.failed())
      bad = &s;
  }
  std::vector<element<T>> values;
  if(bad == nullptr && !std::is_void_v<T>) {
    values.reserve(std::size(range));
    for(const auto& f : range)
      values.push_back(element_of<T>(f));
  }
  using made = plain_state<all_of<T>>;
  auto* const s = make_state<made>(home, where, made::handle);
  if(bad != nullptr)
    s->fail_like(*bad);
  else if constexpr(std::is_void_v<T>)
    s->emplace();
  else
    s->emplace(std::move(values));
  s->complete();
  return access::adopt<all_of<T>>(s);
}

template<class T>
future<all_of<T>> when_all_of(
  std::vector<future<T>> of, executor* home, const std::source_location& where) {
  collection<T> all(std::move(of));
  const std::size_t taken = each_state(
    0, all.size(), [&all](std::size_t i) { return all.at(i); },
    [&all](std::size_t i) {
      if(!all.at(i)->ready())
        return false;
      all.take(i);
      return true;
    });
  if(taken == all.size()) {
    using made = plain_state<all_of<T>>;
    auto* const s = make_state<made>(home, where, made::handle);
    all.deliver(*s);
    s->complete();
    return access::adopt<all_of<T>>(s);
  }
  auto* const s = make_state<range_state<T>>(home, where, std::move(all), taken);
  auto f = access::adopt<all_of<T>>(s);
  s->start();
  return f;
}

template<class... T>
class pack_state final : public state<std::tuple<element<T>...>>, countdown {
public:
  pack_state(executor* home, std::source_location where, future<T>... of)
      : state<std::tuple<element<T>...>>(home, where, state_base::one_handle + 2),
        of_(std::move(of)...) {}

  void start() {
    begin(sizeof...(T));
    std::size_t ready = 1;
    std::size_t i = 0;
    std::apply([&](auto&... f) { ((ready += !watch(waits_[i++], *access::of(f))), ...); }, of_);
    arrive(ready);
  }

private:
  void all_ready() noexcept override {
    state_base* bad = nullptr;
    std::apply(
      [&bad](auto&... f) {
        ((bad = bad == nullptr && access::of(f)->failed() ? access::of(f) : bad), ...);
      },
      of_);
    if(bad != nullptr)
      this->fail_like(*bad);
    else
      try {
        std::apply([this](auto&... f) { this->emplace(element_of(f)...); }, of_);
      }
      catch(...) {
        this->fail(std::current_exception());
      }
    of_ = {};
    this->complete();
    this->drop_ref();
  }
  void destroy() noexcept override { end_state(this); }

  std::tuple<future<T>...> of_;
  std::array<wait, sizeof...(T)> waits_;
};

} // namespace detail::inline futures

/// All values of a range of futures, in its order; future<void> for future<void>.
template<detail::future_range R>
[[nodiscard]] auto when_all(
  R&& range, std::source_location where = std::source_location::current()) {
  using T = typename detail::element_of_range<R>::value_type;
  executor* home = detail::home_of_caller();
  for(auto& f : range) {
    auto& s = detail::access::checked(f);
    if(home == nullptr)
      home = s.home();
  }
  if constexpr(std::is_same_v<std::vector<future<T>>, R>) // an rvalue
    return detail::when_all_of<T>(std::move(range), home, where);
  else {
    auto all = detail::when_all_ready<T>(range, home, where);
    return all.valid() ? all
                       : detail::when_all_of<T>({std::begin(range), std::end(range)}, home, where);
  }
}

namespace detail::inline futures {

template<class... T>
auto all_of_pack(executor* home, const std::source_location& where, future<T>... of) {
  ((home = home == nullptr ? access::checked(of).home() : (access::checked(of), home)), ...);
  auto* const s = make_state<pack_state<T...>>(home, where, std::move(of)...);
  auto f = access::adopt<std::tuple<element<T>...>>(s);
  s->start();
  return f;
}

} // namespace detail::inline futures

/// All values of some futures, as a tuple; `nothing` for future<void>.
///
/// No function knows its caller's line behind any number of arguments: with one, or more than four,
/// reports name this header, unless an executor comes first, as in `async`.
template<class... T>
  requires(sizeof...(T) == 1 || sizeof...(T) > 4)
[[nodiscard]] auto when_all(future<T>... of) {
  return detail::all_of_pack(
    detail::home_of_caller(), std::source_location::current(), std::move(of)...);
}
template<class A, class B>
[[nodiscard]] auto when_all(
  future<A> a, future<B> b, std::source_location where = std::source_location::current()) {
  return detail::all_of_pack(detail::home_of_caller(), where, std::move(a), std::move(b));
}
template<class A, class B, class C>
[[nodiscard]] auto when_all(future<A> a, future<B> b, future<C> c,
  std::source_location where = std::source_location::current()) {
  return detail::all_of_pack(
    detail::home_of_caller(), where, std::move(a), std::move(b), std::move(c));
}
template<class A, class B, class C, class D>
[[nodiscard]] auto when_all(future<A> a, future<B> b, future<C> c, future<D> d,
  std::source_location where = std::source_location::current()) {
  return detail::all_of_pack(
    detail::home_of_caller(), where, std::move(a), std::move(b), std::move(c), std::move(d));
}

/// The same; what is given to the result's `then` runs on that executor.
template<class... T>
  requires(sizeof...(T) != 0)
[[nodiscard]] auto when_all(on where, future<T>... of) {
  return detail::all_of_pack(&where.ex, where.where, std::move(of)...);
}

} // namespace rondo
