#include <rondo/core/stack_pool.hpp>

#include <utility>

namespace rondo::detail::inline core {

stack_pool::~stack_pool() {
  while(fiber* const f = all_) {
    all_ = f->all_next_;
    fiber::destroy(f);
  }
}

fiber& stack_pool::take() {
  {
    const std::lock_guard lock(mutex_);
    if(spare_ != nullptr) {
      --spare_count_;
      return *std::exchange(spare_, spare_->next_);
    }
  }
  fiber* const made = fiber::make(size_, body_);
  const std::lock_guard lock(mutex_);
  enlist(*made);
  return *made;
}

void stack_pool::keep(fiber& f) {
  {
    const std::lock_guard lock(mutex_);
    if(spare_count_ != most_spare) {
      f.next_ = std::exchange(spare_, &f);
      ++spare_count_;
      return;
    }
    strike_off(f);
  }
  fiber::destroy(&f);
}

void stack_pool::enlist(fiber& f) {
  f.all_next_ = all_;
  if(all_ != nullptr)
    all_->all_before_ = &f;
  all_ = &f;
}

void stack_pool::strike_off(fiber& f) {
  (f.all_before_ != nullptr ? f.all_before_->all_next_ : all_) = f.all_next_;
  if(f.all_next_ != nullptr)
    f.all_next_->all_before_ = f.all_before_;
}

} // namespace rondo::detail::inline core
