#pragma once

namespace rondo::detail::inline distributed {

/// Things in a row, each in one row at a time; `next_` is theirs for that. Not thread-safe.
template<class T>
class row {
public:
  [[nodiscard]] T* front() const { return first_; }

  void push(T& t) {
    t.next_ = nullptr;
    (first_ == nullptr ? first_ : last_->next_) = &t;
    last_ = &t;
  }

  T& pop() {
    T& t = *first_;
    first_ = t.next_;
    return t;
  }

  /// It is in it.
  void remove(T& t) {
    T* before = nullptr;
    for(T* i = first_; i != &t; i = i->next_)
      before = i;
    (before == nullptr ? first_ : before->next_) = t.next_;
    if(last_ == &t)
      last_ = before;
  }

private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

} // namespace rondo::detail::inline distributed
