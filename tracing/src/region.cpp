#include <rondo/tracing/region.hpp>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

region_base::region_base(flow& f, const char* name, region_number number)
    : part_(number == region_number{} ? f.new_region() : number.part), home_(f),
      field_(number.field), name_(name) {
  f.check_caller();
}

region_base::~region_base() {
  home_.note_gone(*this);
  if(entered_ != 0 || templates != 0)
    home_.let_go(*this, last_launch_, last_where_);
}

bool region_base::acquire(turn_wait& w) {
  running_.lock();
  const bool free = !taken_;
  taken_ = true;
  if(!free) {
    w.next = nullptr;
    if(first_for_it_ == nullptr)
      first_for_it_ = &w;
    else
      last_for_it_->next = &w;
    last_for_it_ = &w;
  }
  running_.unlock();
  return free;
}

void region_base::release(crew* here) {
  running_.lock();
  turn_wait* const heir = first_for_it_;
  if(heir != nullptr)
    first_for_it_ = heir->next;
  else
    taken_ = false;
  running_.unlock();
  if(heir != nullptr)
    heir->go_on(*heir, here);
}

} // namespace rondo::detail::inline tracing
