#include <rondo/futures/called_body.hpp>

#include <rondo/core/fiber.hpp>

namespace rondo::detail::inline futures {

namespace {

/// The innermost one of that stack, in the place that stacks have for them.
void*& innermost(fiber& f) { return f.kept(fiber::place::called_body); }

} // namespace

called_body::called_body() : around_(static_cast<called_body*>(innermost(fiber::here()))) {
  innermost(fiber::here()) = this;
  count_.fetch_add(1, std::memory_order_relaxed);
}

called_body::~called_body() {
  innermost(fiber::here()) = around_;
  count_.fetch_sub(1, std::memory_order_relaxed);
}

void called_body::tell_wait() {
  for(auto* b = static_cast<called_body*>(innermost(fiber::here())); b != nullptr; b = b->around_)
    b->before_wait();
}

} // namespace rondo::detail::inline futures
