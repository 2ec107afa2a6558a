#include <rondo/tracing/repeated_body.hpp>

#include <utility>

#include <rondo/core/this_thread.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

repeated_body::repeated_body(flow& of, std::uint64_t passes)
    : of_(of), around_(std::exchange(of.repeated_, this)), begin_(stamps::next()),
      is_first_call_(passes > 1) {}

repeated_body::~repeated_body() { of_.repeated_ = around_; }

bool repeated_body::takes(const state_base* f) {
  if(f == nullptr || f->stamp() == 0) // it had its value when it was made
    return false;
  if(stamps::is_since(f->stamp(), begin_))
    return true;
  takes_earlier_ = takes_earlier_ || is_first_call_;
  return is_first_call_;
}

/// Tasks that this stack runs while it waits are none of the body.
void repeated_body::before_wait(const state_base& awaited) {
  if(of_.closing_ == nullptr || of_.repeated_ != this || current_fiber() != of_.owner_ ||
     !takes(&awaited))
    return;
  of_.launch_gathered();
  of_.open_closed();
}

} // namespace rondo::detail::inline tracing
