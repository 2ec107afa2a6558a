#pragma once

/// \file
/// `when_any`: the first of many futures.
///
/// \code
///   std::vector<rondo::future<double>> parts = ...;
///   rondo::future<std::size_t> first = rondo::when_any(parts); // its position
/// \endcode
///
/// Ready with the position of the first future that is, with a value or a failure.

#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <utility>
#include <vector>

#include <rondo/futures/future.hpp>
#include <rondo/futures/future_range.hpp>

namespace rondo {

namespace detail::inline futures {

/// Ready with the position of the first one. The others still hold what is to be done when they
/// are ready, so the state lives until they all are, or until they have let go of it because others
/// were added.
class any_state final : public state<std::size_t> {
public:
  any_state(executor* home, std::source_location where, std::vector<state_base*> of)
      : state<std::size_t>(home, where, state_base::one_handle + 2 + of.size()),
        waits_(new wait[of.size()]) {
    for(std::size_t i = 0; i != of.size(); ++i) {
      waits_[i].owner = this;
      waits_[i].then = [](passing_continuation* c) {
        any_state& self = *static_cast<wait*>(c)->owner;
        self.first(static_cast<std::size_t>(static_cast<wait*>(c) - self.waits_.get()));
        self.drop_ref();
      };
      waits_[i].is_over = [](const passing_continuation* c) {
        return static_cast<const wait*>(c)->owner->decided_.load(std::memory_order_relaxed);
      };
      waits_[i].drop = [](passing_continuation* c) { static_cast<wait*>(c)->owner->drop_ref(); };
    }
    for(std::size_t i = 0; i != of.size(); ++i)
      if(!of[i]->add(waits_[i])) {
        first(i);
        drop_ref();
      }
    // One reference more is given up by the caller.
  }

private:
  struct wait : passing_continuation {
    any_state* owner;
  };

  void first(std::size_t i) {
    if(decided_.exchange(true, std::memory_order_relaxed))
      return;
    this->emplace(i);
    this->complete();
  }
  void destroy() noexcept override { end_state(this); }

  std::unique_ptr<wait[]> waits_;
  std::atomic<bool> decided_{false};
};

inline future<std::size_t> any(std::vector<state_base*> of, const std::source_location& where) {
  if(of.empty())
    throw std::invalid_argument("rondo::when_any: of no futures none will ever be ready");
  executor* home = home_of_caller();
  for(std::size_t i = 0; home == nullptr && i != of.size(); ++i)
    home = of[i]->home();
  auto* const s = make_state<any_state>(home, where, std::move(of));
  auto f = access::adopt<std::size_t>(s);
  s->drop_ref();
  return f;
}

} // namespace detail::inline futures

/// The position of the first future of a range that is ready.
template<detail::future_range R>
[[nodiscard]] future<std::size_t> when_any(
  const R& range, std::source_location where = std::source_location::current()) {
  std::vector<detail::state_base*> of;
  of.reserve(std::size(range));
  for(const auto& f : range)
    of.push_back(&detail::access::checked(f));
  return detail::any(std::move(of), where);
}

/// The same for some futures. Their number matters as for `when_all`.
template<class... T>
  requires(sizeof...(T) == 1 || sizeof...(T) > 4)
[[nodiscard]] future<std::size_t> when_any(const future<T>&... of) {
  return detail::any({&detail::access::checked(of)...}, std::source_location::current());
}
template<class A, class B>
[[nodiscard]] future<std::size_t> when_any(const future<A>& a, const future<B>& b,
  std::source_location where = std::source_location::current()) {
  return detail::any({&detail::access::checked(a), &detail::access::checked(b)}, where);
}
template<class A, class B, class C>
[[nodiscard]] future<std::size_t> when_any(const future<A>& a, const future<B>& b,
  const future<C>& c, std::source_location where = std::source_location::current()) {
  using detail::access;
  return detail::any({&access::checked(a), &access::checked(b), &access::checked(c)}, where);
}
template<class A, class B, class C, class D>
[[nodiscard]] future<std::size_t> when_any(const future<A>& a, const future<B>& b,
  const future<C>& c, const future<D>& d,
  std::source_location where = std::source_location::current()) {
  using detail::access;
  return detail::any(
    {&access::checked(a), &access::checked(b), &access::checked(c), &access::checked(d)}, where);
}

} // namespace rondo
