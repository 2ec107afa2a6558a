#include <rondo/tracing/repeated_body.hpp>

#include <algorithm>
#include <utility>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

repeated_body::repeated_body(flow& of, std::uint64_t passes)
    : of_(of), around_(std::exchange(of.repeated_, this)), begin_(stamps::next()),
      is_first_call_(passes > 1) {}

repeated_body::~repeated_body() {
  of_.repeated_ = around_;
  for(const taken& f : taken_)
    f.which->drop_ref();
}

bool repeated_body::takes(state_base* f) {
  if(f == nullptr || each_by_itself_)
    return each_by_itself_;
  each_by_itself_ = stamps::is_since(f->stamp(), begin_);
  if(each_by_itself_)
    return true;
  const auto found =
    std::find_if(taken_.begin(), taken_.end(), [f](const taken& t) { return t.which == f; });
  if(is_first_call_) {
    if(found == taken_.end()) {
      taken_.push_back({f, false});
      f->add_ref();
    }
    return true;
  }
  if(taken_.empty()) // there is one pass
    return false;
  // Some that the first call took may be left out: what is made once is made then.
  const auto at = static_cast<std::size_t>(found - taken_.begin());
  each_by_itself_ = found == taken_.end() || (!found->is_taken_again && at < next_);
  if(!each_by_itself_ && !found->is_taken_again) {
    found->is_taken_again = true;
    next_ = at + 1;
  }
  return each_by_itself_;
}

void repeated_body::before_wait() {
  if(of_.repeated_ == this)
    of_.open_for_wait();
}

} // namespace rondo::detail::inline tracing
